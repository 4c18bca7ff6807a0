import { Type } from 'typebox'
import type { App } from '../../http/app.ts'
import { personOf } from '../../http/auth.ts'
import { languageOf } from '../../http/problems.ts'
import { Id, Nullable, refusals } from '../../http/schemas.ts'
import { announcements } from '../../work/cases/opening.ts'

/** A register item that the reader can ask for. */
export const Offered = Type.Object({
  id: Id,
  title: Type.String(),
  closesAt: Nullable(Type.String({ format: 'date-time', description: 'End of its last day' })),
})

/** What the start page announces. */
export function announcementRoute(app: App, dependencies: Parameters<typeof announcements>[0]): void {
  const announced = announcements(dependencies)
  app.get(
    '/api/announcements',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'listAnnouncements',
        tags: ['flows'],
        summary: 'What is open to you now in flows that the start page announces, and you have no case about',
        response: {
          200: Type.Object({
            items: Type.Array(
              Type.Object({
                flow: Type.String(),
                title: Type.String({ description: 'Text key' }),
                words: Type.String({ description: 'Text key of what is said of an item, with {{until}}' }),
                startPage: Type.String({ description: 'Route of the page that starts it' }),
                items: Type.Array(Offered),
              }),
            ),
          }),
          ...refusals(401),
        },
      },
    },
    async (request) => ({ items: await announced(personOf(request), languageOf(request)) }),
  )
}
