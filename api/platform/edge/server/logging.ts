import type { App } from '../../http/app.ts'

/** The path of a request without what lets somebody in. */
function loggedPath(route: string | undefined, url: string): string {
  if (route && /:(secret|token)\b/.test(route)) return route
  return url.split('?')[0]!.replace(/^\/decide\/.+/, '/decide/…')
}

/**
 * One line per answer, with the id that the answer carries too. Addresses go without their query, for people search for
 * people, and those of calendars and mailed links without their secret.
 */
export function registerLogging(app: App): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    // What an answer may be kept for it says itself; the rest is for one reader, once.
    if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store')
  })
  app.addHook('onResponse', async (request, reply) => {
    const { url, schema } = request.routeOptions
    const level = url?.startsWith('/api/health') ? 'debug' : 'info'
    request.log[level](
      {
        method: request.method,
        path: loggedPath(url, request.url),
        operation: schema?.operationId,
        status: reply.statusCode,
        milliseconds: Math.round(reply.elapsedTime),
      },
      'answered',
    )
  })
}
