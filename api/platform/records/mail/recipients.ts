import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Language } from '../../model/library/library.ts'

/** A recipient and their mail preferences. */
export interface Holder {
  id: string
  email: string
  name: string
  language: Language
  /** Mails about other people's cases, and about their own. */
  mail_tasks: boolean
  mail_cases: boolean
}

/** The active people who hold a principal now; a bare role means everybody with a grant of it, at any unit. */
export async function holdersOf(db: Kysely<DB>, principal: string): Promise<Holder[]> {
  const people = db
    .selectFrom('account')
    .select(['account.id', 'account.email', 'account.name', 'mail_tasks', 'mail_cases', 'language'])
    .where('active', '=', true)
    .orderBy('account.id')
  if (principal.startsWith('user:')) return people.where('account.id', '=', principal.slice('user:'.length)).execute()
  const [role = '', scope] = principal.split('@')
  const [kind, id] = scope?.split(':') ?? []
  return people
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('role_grant')
          .select('role_grant.id')
          .whereRef('role_grant.account_id', '=', 'account.id')
          .where('role', '=', role)
          .$if(scope !== undefined, (grants) =>
            grants.where('scope_kind', '=', kind ?? '').where('scope_id', '=', id ?? ''),
          )
          .where('starts_at', '<=', sql<Date>`now()`)
          .where((grant) => grant.or([grant('ends_at', 'is', null), grant('ends_at', '>', sql<Date>`now()`)])),
      ),
    )
    .execute()
}

/** The others who hold one of these principals now, as recipients of a mail. */
export async function othersHolding(db: Kysely<DB>, principals: readonly string[], self: string): Promise<string[]> {
  const people = (await Promise.all(principals.map((one) => holdersOf(db, one)))).flat()
  return [...new Set(people.map(({ id }) => id))].filter((id) => id !== self).map((id) => `user:${id}`)
}
