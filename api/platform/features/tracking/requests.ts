import type { FastifyRequest } from 'fastify'
import { BusinessError } from '../../kernel/errors.ts'
import type { Tracker } from '../../http/auth.ts'

/** Largest data of a case; a low limit keeps anonymous callers from sending more. */
export const BODY_LIMIT = 64 * 1024

/** The caller who follows a case, by the token of the request. */
export function trackerOf(request: FastifyRequest): Tracker {
  if (!request.tracker) throw new BusinessError('platform.tracking-over')
  return request.tracker
}
