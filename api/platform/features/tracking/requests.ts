import type { FastifyRequest } from 'fastify'
import { BusinessError } from '../../kernel/errors.ts'
import type { Tracker } from '../../http/auth.ts'

/** What a case's data comes to at most. */
export const BODY_LIMIT = 64 * 1024

/** Who follows a case, by the token of their request. */
export function trackerOf(request: FastifyRequest): Tracker {
  if (!request.tracker) throw new BusinessError('platform.tracking-over')
  return request.tracker
}
