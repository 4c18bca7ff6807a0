import { Type } from 'typebox'
import { BusinessError } from '../../kernel/errors.ts'
import { findPerson } from '../../people/identity/accounts.ts'
import type { App } from '../../http/app.ts'
import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Hub, Hint, Listener } from '../../http/events.ts'
import type { Visible } from '../../http/visible.ts'
import { personOf } from '../../http/auth.ts'
import { refusals } from '../../http/schemas.ts'

const KEEP_ALIVE_MS = 20_000
/** Maximum streams per person; a browser needs one. */
const MAX_STREAMS_PER_PERSON = 8
/** Maximum unread bytes of a stream; beyond them it is closed, and the browser reloads after it reconnects. */
const MAX_UNREAD_BYTES = 64 * 1024

/** Server-sent events that say what to read again, but never contain the data. */
export function eventRoutes(app: App, { db, hub, visible }: { db: Kysely<DB>; hub: Hub; visible: Visible }): void {
  const open = new Map<string, Set<() => void>>()

  app.addHook('preClose', async () => {
    for (const streams of open.values()) for (const end of streams) end()
  })

  app.get(
    '/api/events',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'getEvents',
        tags: ['events'],
        summary: 'Stream hints about your lists, cases and tasks until the access token expires',
        description: 'Events `hint` with `{"inbox": boolean, "cases": [ids], "tasks": [ids], "me": boolean}`.',
        response: { 200: { content: { 'text/event-stream': { schema: Type.String() } } }, ...refusals(401) },
      },
    },
    async (request, reply) => {
      let person = personOf(request)
      const streams = open.get(person.id) ?? new Set()
      if (streams.size >= MAX_STREAMS_PER_PERSON) throw new BusinessError('platform.too-many-requests')
      open.set(person.id, streams.add(end))

      reply.hijack()
      const { raw } = reply
      for (const [name, value] of Object.entries(reply.getHeaders()))
        if (value !== undefined) raw.setHeader(name, value)
      raw.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      })
      raw.write('retry: 2000\n\n: welcome\n\n')

      const listener: Listener = {
        account: person.id,
        refresh,
        concerns: (principals) =>
          person.seesAll ||
          person.principals.some((one) => principals.has(one)) ||
          person.standsIn.some((stead) => stead.principals.some((one) => principals.has(one))),
        visible: (ids) => visible(person, ids),
        send(hint: Hint): void {
          raw.write(`event: hint\ndata: ${JSON.stringify(hint)}\n\n`)
          if (raw.writableLength > MAX_UNREAD_BYTES) raw.destroy()
        },
      }
      hub.add(listener)
      const ending = setTimeout(end, Math.max(0, request.tokenExpiresAt - Date.now()))
      const beat = setInterval(() => {
        raw.write(': keep-alive\n\n')
        refresh().catch((error: unknown) => {
          request.log.warn({ err: error }, 'checking the rights of an event stream failed')
          end()
        })
      }, KEEP_ALIVE_MS)
      raw.on('close', end)
      // The browser may have disconnected during the query.
      if (raw.destroyed) end()

      /** Grants may have changed, or the session may have ended. */
      async function refresh(): Promise<void> {
        const [now, stands] = await Promise.all([findPerson(db, person.id), request.stillLetIn()])
        if (now && stands) person = now
        else end()
      }

      function end(): void {
        hub.remove(listener)
        clearTimeout(ending)
        clearInterval(beat)
        streams.delete(end)
        if (streams.size === 0) open.delete(person.id)
        raw.end()
      }
    },
  )
}
