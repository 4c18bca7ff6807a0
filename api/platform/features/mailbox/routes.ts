import { Type } from 'typebox'
import { BusinessError } from '../../kernel/errors.ts'
import { isAdministrator } from '../../people/access/rights.ts'
import type { Person } from '../../people/persons/person.ts'
import { mailbox } from '../../records/mail/mailbox.ts'
import type { App } from '../../http/app.ts'
import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { personOf } from '../../http/auth.ts'
import { Id, Moment, Nullable, PageOf, Query, paging, refusals } from '../../http/schemas.ts'
import { component } from '../../kernel/components.ts'

const Mail = component(
  'Mail',
  Type.Object({
    id: Id,
    caseId: Nullable(Id),
    to: Type.String(),
    template: Type.String(),
    subject: Type.String(),
    body: Type.String(),
    attachments: Type.Array(Type.Object({ name: Type.String(), type: Type.String(), content: Type.String() })),
    state: Type.Enum(['pending', 'sent', 'failed']),
    createdAt: Moment,
    sentAt: Nullable(Moment),
  }),
)

/**
 * The reader's own mails, for demonstrations without a mail server. ADMIN reads all; SA does not, because mails contain
 * links that open accounts.
 */
export function mailboxRoutes(app: App, { db }: { db: Kysely<DB> }): void {
  const readerOf = (person: Person) => (isAdministrator(person) ? null : person.id)

  app.get(
    '/api/mailbox',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'listMails',
        tags: ['demo'],
        summary: 'List emails to you, newest first (demonstrations only)',
        querystring: Query(paging),
        response: { 200: PageOf(Mail), ...refusals(401) },
      },
    },
    async (request) => mailbox(db).list(readerOf(personOf(request)), request.query),
  )

  app.get(
    '/api/mailbox/:id',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'getMail',
        tags: ['demo'],
        summary: 'Get an email (demonstrations only)',
        params: Type.Object({ id: Id }),
        response: { 200: Mail, ...refusals(401, 404) },
      },
    },
    async (request) => {
      const mail = await mailbox(db).find(readerOf(personOf(request)), request.params.id)
      if (!mail) throw new BusinessError('platform.not-found')
      return mail
    },
  )
}
