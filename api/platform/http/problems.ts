import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { EngineFault } from '../kernel/engine/port.ts'
import { BusinessError, type FieldError } from '../kernel/errors.ts'
import type { Language, Library } from '../model/library/library.ts'
import { languages } from '../model/library/library.ts'
import { fieldErrors } from '../model/forms/field-errors.ts'
import { readable } from '../model/library/readable.ts'
import type { Problem } from './schemas.ts'

/** Text keys for errors of the framework. */
const byStatus: Record<number, string> = {
  400: 'platform.request-invalid',
  401: 'platform.not-signed-in',
  403: 'platform.not-allowed',
  404: 'platform.not-found',
  406: 'platform.request-invalid',
  413: 'platform.body-too-large',
  415: 'platform.media-type-unknown',
  429: 'platform.too-many-requests',
}

/** Lifetime of strict transport security, in seconds: a year. */
export const HSTS = { maxAge: 31_536_000, includeSubDomains: true }

/**
 * Every error response is made here: a business error by its code, an invalid request by field, everything else as a
 * fault whose cause is only logged.
 */
export function registerProblems(app: FastifyInstance, library: Library): void {
  const answer = answering(library)
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const known = recognise(error)
    const status = known && library.errors.get(known.code)?.status
    if (!known || status === undefined) {
      request.log.error({ err: error }, 'unhandled error')
      return answer(request, reply, 500, new BusinessError('platform.fault'), request.id)
    }
    if (status >= 500) request.log.warn({ code: known.code, err: error }, 'request failed; the client may retry')
    else
      request.log.info(
        { code: known.code, fields: known.fields.map(({ field, code }) => ({ field, code })) },
        'request refused',
      )
    if (status === 503) reply.header('retry-after', '2')
    if (status === 401) reply.header('www-authenticate', 'Bearer')
    return answer(request, reply, status, known, status >= 500 ? request.id : undefined)
  })
}

/** Rejects URLs that cannot be routed (`/%zz`). They pass no hooks, so this sets the headers of all other responses. */
export function refuseUnrouted(library: Library) {
  const answer = answering(library)
  return (_error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    reply.headers({
      'x-request-id': request.id,
      'x-content-type-options': 'nosniff',
      'strict-transport-security': `max-age=${HSTS.maxAge}; includeSubDomains`,
      'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
    })
    void answer(request, reply, 400, new BusinessError('platform.request-invalid'))
  }
}

/** Sends a problem as the response. */
function answering(library: Library) {
  return (request: FastifyRequest, reply: FastifyReply, status: number, error: BusinessError, reference?: string) => {
    const language = languageOf(request)
    const text = (code: string, values: BusinessError['values'] = {}) =>
      library.text(code, readable(values, language), language)
    const errors = error.fields.map(({ field, code, values }) => ({ field, code, message: text(code, values) }))
    const problem: Problem = {
      ...error.members,
      type: `urn:prakriya:problem:${error.code}`,
      title: text(error.code, error.values),
      status,
      ...(errors.length > 0
        ? { detail: errors.map(({ field, message }) => `${field || '/'}: ${message}`).join('; ') }
        : {}),
      code: error.code,
      errors,
      ...(reference ? { reference } : {}),
      ...(request.routeOptions.config.oauth ? oauthError(status, error, library) : {}),
    }
    // Remove the caching headers that were set for a success.
    reply.header('cache-control', 'no-store')
    // Serialised here, because a route's schemas do not cover statuses of the framework.
    return reply.code(status).type('application/problem+json').serializer(JSON.stringify).send(problem)
  }
}

/**
 * The error for OAuth clients (RFC 6749, 5.2). Its description is for developers, in English, and may contain only
 * ASCII without quotes and backslashes.
 */
function oauthError(status: number, { code, values, fields }: BusinessError, library: Library) {
  const [field] = fields
  const said = field
    ? `${field.field.slice(1)}: ${library.text(field.code, readable(field.values ?? {}, 'en'), 'en')}`
    : library.text(code, readable(values, 'en'), 'en')
  return {
    error: oauthCode(status, fields),
    error_description: said.replaceAll(/[’‘]/g, "'").replaceAll(/[^ !#-[\]-~]/g, ''),
  }
}

/** The RFC has no code for too many requests or server errors; these two are from its registry. */
function oauthCode(status: number, fields: readonly FieldError[]): string {
  if (status >= 500) return status === 503 ? 'temporarily_unavailable' : 'server_error'
  if (status === 429) return 'temporarily_unavailable'
  if (status === 400 && fields.some(({ field }) => field === '/grant_type')) return 'unsupported_grant_type'
  return [400, 413, 415, 422, 428].includes(status) ? 'invalid_request' : 'invalid_grant'
}

function recognise(error: FastifyError | BusinessError): BusinessError | undefined {
  if (error instanceof BusinessError) return error
  if (error instanceof EngineFault) return new BusinessError('platform.engine-away')
  if ('validation' in error && error.validation)
    return new BusinessError('platform.request-invalid', {}, invalid(error))
  if (isDatabaseAway(error)) return new BusinessError('platform.database-away')
  const code = 'statusCode' in error && error.statusCode ? byStatus[error.statusCode] : undefined
  return code === undefined ? undefined : new BusinessError(code)
}

/** Fields of the body as JSON pointers, others by their location: `query/limit`. */
function invalid(error: FastifyError): FieldError[] {
  const part = error.validationContext === 'body' ? '' : (error.validationContext ?? '').replace('querystring', 'query')
  const errors = fieldErrors(error.validation ?? [], {})
  return errors.map((one) => ({ ...one, field: `${part}${one.field}` }))
}

/** PostgreSQL rejects or breaks the connection, or cannot be reached: a later retry can succeed. */
function isDatabaseAway(error: Error & { code?: string }): boolean {
  const code = error.code ?? ''
  return (
    /^(08|57P0|53)/.test(code) ||
    ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT'].includes(code) ||
    /^(Connection terminated|timeout exceeded when trying to connect)/.test(error.message)
  )
}

/** The language of the response: the first accepted one that the product has. */
export function languageOf(request: FastifyRequest): Language {
  const wanted = (request.headers['accept-language'] ?? '')
    .split(',')
    .map((one) => one.trim().slice(0, 2).toLowerCase())
  return wanted.map((one) => languages.find((language) => language === one)).find((one) => one !== undefined) ?? 'en'
}
