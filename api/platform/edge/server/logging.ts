import type { App } from '../../http/app.ts'

/** The path of a request without secrets. */
function loggedPath(route: string | undefined, url: string): string {
  if (route && /:(secret|token)\b/.test(route)) return route
  const [path = url] = url.split('?')
  return path.replace(/^\/(decide|answer)\/.+/, '/$1/…')
}

/**
 * One line per response, with the request id that the response has too. Query strings are left out, because they can
 * contain names. So are the secrets of calendars and mailed links.
 */
export function registerLogging(app: App): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    // Responses state their own cache rules; all others must not be stored.
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
