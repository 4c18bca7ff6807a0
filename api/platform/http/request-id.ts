import { v4 as uuid } from 'uuid'

/** The id of a request: an incoming one is kept, so that one id follows a request through every part. */
export const requestIdOf = (given: unknown): string =>
  typeof given === 'string' && /^[\w-]{8,64}$/.test(given) ? given : uuid()
