import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { BusinessError } from '../../kernel/errors.ts'
import { languageOf, pageHeads } from './page-heads.ts'
import { ASKED_LANGUAGE, type SiteDependencies, robots, siteMap } from './site-map.ts'

const YEAR_SECONDS = 365 * 86_400

/**
 * The web app: files with a hash in their name are cached for a year, and every other path outside the API gets the
 * app's page, so that its URLs can be opened directly.
 */
export async function registerWeb(app: FastifyInstance, deps: SiteDependencies & { web: string }): Promise<void> {
  const { web: folder } = deps
  const file = join(folder, 'index.html')
  if (!existsSync(file)) {
    app.setNotFoundHandler({ preHandler: app.rateLimit() }, async () => {
      throw new BusinessError('platform.not-found')
    })
    return
  }
  await app.register(fastifyStatic, {
    root: folder,
    index: false,
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
  const heads = pageHeads(deps, file)
  const sendPage = async (request: FastifyRequest, reply: FastifyReply) => {
    const [path = '/', query] = request.url.split('?')
    const language = languageOf(new URLSearchParams(query).get(ASKED_LANGUAGE), request.headers['accept-language'])
    reply.header('cache-control', 'no-cache').header('vary', 'accept-language').type('text/html; charset=utf-8')
    return heads.pageOf(path, language)
  }
  const hidden = (operationId: string) => ({
    config: { rule: 'public' as const },
    schema: { operationId, hide: true },
  })
  app.get('/', hidden('getPage'), sendPage)
  app.get('/robots.txt', hidden('getRobots'), async (_request, reply) => {
    reply.type('text/plain; charset=utf-8')
    return robots(deps)
  })
  app.get('/sitemap.xml', hidden('getSiteMap'), async (_request, reply) => {
    reply.type('application/xml; charset=utf-8').header('cache-control', 'public, max-age=3600')
    return siteMap(deps)
  })
  app.setNotFoundHandler({ preHandler: app.rateLimit() }, async (request, reply) => {
    const [path = request.url] = request.url.split('?')
    const page = ['GET', 'HEAD'].includes(request.method) && !/^\/(api|assets|metrics)(\/|$)/.test(path)
    if (!page) throw new BusinessError('platform.not-found')
    return sendPage(request, reply.code(200))
  })
}
