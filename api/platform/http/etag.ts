import type { FastifyReply, FastifyRequest } from 'fastify'
import { BusinessError } from '../kernel/errors.ts'

/** Sets the ETag of a response; true if the client has that version, so that 304 is enough. */
export function isKnown(request: FastifyRequest, reply: FastifyReply, version: number | string): boolean {
  const tag = `"${version}"`
  reply.header('etag', tag).header('cache-control', 'private, no-cache')
  const known = (request.headers['if-none-match'] ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''))
  return known.includes(tag)
}

/** The version that a change is based on, from `If-Match`; undefined without the header. */
export function versionWanted(request: FastifyRequest): number | undefined {
  const header = request.headers['if-match']
  if (header === undefined) return undefined
  const version = /^(?:W\/)?"(\d{1,9})"$/.exec(header)?.[1]
  if (version === undefined)
    throw new BusinessError('platform.request-invalid', {}, [
      { field: 'headers/if-match', code: 'platform.check-pattern' },
    ])
  return Number(version)
}
