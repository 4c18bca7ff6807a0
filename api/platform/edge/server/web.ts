import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { BusinessError } from '../../kernel/errors.ts'

const YEAR_SECONDS = 365 * 86_400

/**
 * The web app: files with a hash in their name are cached for a year, and every other path outside the API gets the
 * app's page, so that its URLs can be opened directly.
 */
export async function registerWeb(app: FastifyInstance, folder: string): Promise<void> {
  const built = existsSync(join(folder, 'index.html'))
  if (built)
    await app.register(fastifyStatic, {
      root: folder,
      index: 'index.html',
      preCompressed: true,
      cacheControl: false,
      dotfiles: 'ignore',
      setHeaders: (reply, path) => {
        const hashed = path.includes(`${join(folder, 'assets')}/`)
        // A worker has the policy of its own file. Only this one compiles WebAssembly; it reads codes in pictures.
        if (path.includes('/codes.worker-'))
          reply.header(
            'content-security-policy',
            "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'",
          )
        reply.header('cache-control', hashed ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache')
      },
    })
  // Without the app, the static handler would try to send the folder itself.
  if (built)
    app.get(
      '/',
      { config: { rule: 'public' }, schema: { operationId: 'getPage', hide: true } },
      async (_request, reply) => reply.sendFile('index.html'),
    )
  app.setNotFoundHandler({ preHandler: app.rateLimit() }, async (request, reply) => {
    const [path = request.url] = request.url.split('?')
    const page = ['GET', 'HEAD'].includes(request.method) && !/^\/(api|assets|metrics)(\/|$)/.test(path)
    if (!built || !page) throw new BusinessError('platform.not-found')
    return reply.sendFile('index.html')
  })
}
