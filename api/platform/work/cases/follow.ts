import type { FastifyRequest } from 'fastify'

/** From here on the log lines of this request name the case, as those of workers and relay do. */
export function logCase(request: FastifyRequest, caseId: string): void {
  request.log = request.log.child({ case: caseId })
}
