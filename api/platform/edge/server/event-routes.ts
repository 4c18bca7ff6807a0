import type { OutgoingHttpHeaders } from 'node:http'
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

const KEEP_ALIVE = 20_000
/** Streams of one person: one per browser is enough. */
const EACH = 8
/** Bytes that a browser may leave unread; beyond them its stream ends, and it reads anew when it comes back. */
const UNREAD = 64 * 1024

/** Server-sent hints: what to read again, never what it says. */
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
        summary: 'Stream of hints about lists, cases and tasks of the person who asks; ends with the access token',
        description: 'Events `hint` with `{"inbox": boolean, "cases": [ids], "tasks": [ids], "me": boolean}`.',
        response: { 200: { content: { 'text/event-stream': { schema: Type.String() } } }, ...refusals(401) },
      },
    },
    async (request, reply) => {
      let person = personOf(request)
      const streams = open.get(person.id) ?? new Set()
      if (streams.size >= EACH) throw new BusinessError('platform.too-many-requests')
      open.set(person.id, streams.add(end))

      reply.hijack()
      const { raw } = reply
      raw.writeHead(200, {
        ...(reply.getHeaders() as OutgoingHttpHeaders),
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
          if (raw.writableLength > UNREAD) raw.destroy()
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
      }, KEEP_ALIVE)
      raw.on('close', end)
      // It may have gone away while its person was looked up.
      if (raw.destroyed) end()

      /** Grants may have changed, and the session may be over. */
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
