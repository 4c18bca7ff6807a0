import { Type } from 'typebox'
import type { App } from '../../http/app.ts'
import { personOf } from '../../http/auth.ts'
import { Id, Moment, PageCount, refusals } from '../../http/schemas.ts'
import { registersService } from '../../work/registers/service.ts'
import type { RegisterRouteDependencies } from './schemas.ts'

const News = Type.Object({
  register: Type.String(),
  id: Id,
  title: Type.String(),
  text: Type.String(),
  createdAt: Moment,
})

const Waiting = Type.Object({
  register: Type.String(),
  title: Type.String({ description: 'Text key' }),
  status: Type.String({ description: 'Status of items that wait' }),
  count: PageCount,
})

/** What the start page tells. */
export function newsRoutes(app: App, { db, library }: RegisterRouteDependencies): void {
  const service = registersService({ db, library })
  app.get(
    '/api/news',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'listNews',
        tags: ['registers'],
        summary: 'The newest items of registers that are news today, at most three',
        response: { 200: Type.Object({ items: Type.Array(News) }), ...refusals(401) },
      },
    },
    async (request) => ({ items: await service.news(personOf(request), new Date()) }),
  )

  app.get(
    '/api/waiting-entries',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'listWaitingEntries',
        tags: ['registers'],
        summary: 'How many items of each register wait for you to certify them; you did not write them',
        response: { 200: Type.Object({ items: Type.Array(Waiting) }), ...refusals(401) },
      },
    },
    async (request) => ({ items: await service.waiting(personOf(request)) }),
  )
}
