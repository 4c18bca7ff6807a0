import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { BusinessError } from '../../kernel/errors.ts'

const YEAR = 365 * 86_400

/**
 * The web app: files whose name carries a hash for a year, and its page for every address that is no file and not the
 * API's, so that a page's address can be opened directly.
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
        reply.header('cache-control', hashed ? `public, max-age=${YEAR}, immutable` : 'no-cache')
      },
    })
  // Without it the folder itself would be asked for, and refused.
  if (built)
    app.get(
      '/',
      { config: { rule: 'public' }, schema: { operationId: 'getPage', hide: true } },
      async (_request, reply) => reply.sendFile('index.html'),
    )
  app.setNotFoundHandler({ preHandler: app.rateLimit() }, async (request, reply) => {
    const path = request.url.split('?')[0]!
    const page = ['GET', 'HEAD'].includes(request.method) && !/^\/(api|assets|metrics)(\/|$)/.test(path)
    if (!built || !page) throw new BusinessError('platform.not-found')
    return reply.sendFile('index.html')
  })
}
