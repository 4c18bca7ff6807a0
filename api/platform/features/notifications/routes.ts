import { Type } from 'typebox'
import { announce } from '../../kernel/db/changed.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { notifications } from '../../records/notifications/notifications.ts'
import type { App } from '../../http/app.ts'
import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { personOf } from '../../http/auth.ts'
import { Id, Moment, Nullable, refusals } from '../../http/schemas.ts'
import { component } from '../../kernel/components.ts'

const Icon = component(
  'NotificationIcon',
  Type.Object({
    name: Type.String({ pattern: '^[a-z][a-z0-9_-]{0,39}$' }),
    color: Type.String({ pattern: '^#?[a-z0-9-]{1,30}$' }),
  }),
)
/** A path of the portal: a notification never links to another site. */
const Path = Type.String({ pattern: '^/([^/\\\\]|$)', maxLength: 500 })
const Text = Type.String({ minLength: 1, maxLength: 200 })

const Notification = Type.Object({
  id: Id,
  path: Nullable(Type.String()),
  icon: Icon,
  heading: Type.String(),
  title: Type.String(),
  subtitle: Type.String(),
  timestamp: Moment,
})

/** The reader's own notifications. */
export function notificationRoutes(app: App, { db }: { db: Kysely<DB> }): void {
  const own = notifications(db)

  app.get(
    '/api/notification',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'listNotifications',
        tags: ['notifications'],
        summary: 'List your notifications, newest first',
        response: {
          200: Type.Object({
            items: Type.Array(Notification),
            unseen: Type.Integer({ description: 'Number since they were last seen' }),
          }),
          ...refusals(401),
        },
      },
    },
    async (request) => own.list(personOf(request).id),
  )

  app.post(
    '/api/notification/add',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'addNotification',
        tags: ['notifications'],
        summary: 'Add a notification for yourself',
        body: Type.Object(
          {
            notification: Type.Object(
              {
                path: Type.Optional(Nullable(Path)),
                icon: Type.Optional(Icon),
                heading: Text,
                title: Text,
                subtitle: Type.Optional(Type.String({ maxLength: 200 })),
              },
              { additionalProperties: false },
            ),
          },
          { additionalProperties: false },
        ),
        response: { 201: Type.Object({ id: Id }), ...refusals(401) },
      },
    },
    async (request, reply) => {
      const {
        path = null,
        icon = { name: 'bell', color: 'primary' },
        heading,
        title,
        subtitle = '',
      } = request.body.notification
      const id = await db
        .transaction()
        .execute((trx) => notifications(trx).add(personOf(request).id, { path, icon, heading, title, subtitle }))
      await announce(db, { principals: [], cases: [], tasks: [], people: [personOf(request).id] })
      return reply.code(201).send({ id })
    },
  )

  app.post(
    '/api/notification/delete',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'deleteNotification',
        tags: ['notifications'],
        summary: 'Delete one of your notifications',
        body: Type.Object({ id: Id }),
        response: { 204: Type.Null(), ...refusals(401, 404) },
      },
    },
    async (request, reply) => {
      if (!(await own.delete(personOf(request).id, request.body.id))) throw new BusinessError('platform.not-found')
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/api/notification/delete-all',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'deleteNotifications',
        tags: ['notifications'],
        summary: 'Delete all your notifications',
        response: { 204: Type.Null(), ...refusals(401) },
      },
    },
    async (request, reply) => {
      await own.deleteAll(personOf(request).id)
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/api/notification/seen',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'seeNotifications',
        tags: ['notifications'],
        summary: 'Mark your notifications as seen',
        response: { 204: Type.Null(), ...refusals(401) },
      },
    },
    async (request, reply) => {
      await own.seen(personOf(request).id)
      return reply.code(204).send(null)
    },
  )
}
