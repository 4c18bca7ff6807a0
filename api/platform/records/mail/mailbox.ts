import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { COUNT_LIMIT, type Page, counted, cursorOf, readCursor } from '../../kernel/paging.ts'
import type { Attachment } from './mail.ts'

/** A mail as the demo mailbox shows it. */
export interface Mail {
  id: string
  caseId: string | null
  to: string
  template: string
  subject: string
  body: string
  attachments: Attachment[]
  state: 'pending' | 'sent' | 'failed'
  createdAt: string
  sentAt: string | null
}

/** Written mails, newest first; `reader` is the recipient's account, null for everybody. */
export function mailbox(db: Kysely<DB>) {
  const mails = (reader: string | null) =>
    db
      .selectFrom('mail')
      .selectAll()
      .$if(reader !== null, (query) => query.where('recipient_id', '=', reader))

  return {
    async list(
      reader: string | null,
      { cursor, limit = 20 }: { cursor?: string; limit?: number } = {},
    ): Promise<Page<Mail>> {
      const { count } = await db
        .selectFrom(
          mails(reader)
            .limit(COUNT_LIMIT + 1)
            .as('some'),
        )
        .select((eb) => eb.fn.countAll<string>().as('count'))
        .executeTakeFirstOrThrow()
      const [before] = cursor === undefined ? [] : readCursor(cursor, ['id'])
      const rows = await mails(reader)
        // Ids are UUIDs of version 7, which grow with time.
        .$if(before !== undefined, (query) => query.where('id', '<', sql<string>`${before}::uuid`))
        .orderBy('id', 'desc')
        .limit(limit + 1)
        .execute()
      const items = rows.slice(0, limit).map(mailOf)
      const last = items.at(-1)
      return {
        items,
        next: rows.length > limit && last ? cursorOf([last.id]) : null,
        count: counted(count),
      }
    },

    async find(reader: string | null, id: string): Promise<Mail | undefined> {
      const row = await mails(reader).where('id', '=', id).executeTakeFirst()
      return row && mailOf(row)
    },
  }
}

function mailOf(row: {
  id: string
  case_id: string | null
  recipient: string
  template: string
  subject: string
  body: string
  attachments: Attachment[]
  state: Mail['state']
  created_at: Date
  sent_at: Date | null
}): Mail {
  return {
    id: row.id,
    caseId: row.case_id,
    to: row.recipient,
    template: row.template,
    subject: row.subject,
    body: row.body,
    attachments: row.attachments,
    state: row.state,
    createdAt: row.created_at.toISOString(),
    sentAt: row.sent_at?.toISOString() ?? null,
  }
}
