import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Person } from '../../people/persons/person.ts'
import type { ImportProgress, Told } from '../../records/registers/import.ts'

/** The id that the sender chose for an import. */
interface Of {
  id: string | undefined
  register: string
}

/**
 * Writes how far an import is, in a connection of its own: what its transaction writes nobody sees before it ends. An
 * import never waits for it, so that many at a time do not wait for each other's connections; what comes while one is
 * being written is passed over.
 */
export function importProgress(
  db: Kysely<DB>,
  person: Person,
  { id, register }: Of,
): { tell: Told; end(): Promise<void> } {
  if (id === undefined) return { tell: () => undefined, end: () => Promise.resolve() }
  let writing: Promise<void> | undefined
  const write = async (now: ImportProgress): Promise<void> => {
    await sql`insert into import_progress (id, account_id, register, step, done, total)
      values (${id}::uuid, ${person.id}::uuid, ${register}, ${now.step}, ${now.done}, ${now.total})
      on conflict (id) do update set step = excluded.step, done = excluded.done, total = excluded.total,
        at = clock_timestamp()
      where import_progress.account_id = excluded.account_id`.execute(db)
  }
  return {
    tell(now) {
      // A failure must not end the import, and the next one is written again.
      writing ??= write(now)
        .catch(() => undefined)
        .finally(() => (writing = undefined))
    },
    async end() {
      await writing
      await sql`delete from import_progress where id = ${id}::uuid and account_id = ${person.id}::uuid
        or at < now() - interval '1 day'`
        .execute(db)
        // The import is over all the same; what stays is deleted with another.
        .catch(() => undefined)
    },
  }
}

/** How far an import of this person is; null before its first row and after its end. */
export async function readImportProgress(
  { db }: { db: Kysely<DB> },
  person: Person,
  { register, id }: { register: string; id: string },
): Promise<ImportProgress | null> {
  const row = await db
    .selectFrom('import_progress')
    .select(['step', 'done', 'total'])
    .where('id', '=', id)
    .where('account_id', '=', person.id)
    .where('register', '=', register)
    .executeTakeFirst()
  return row ? { ...row, step: row.step === 'add' ? 'add' : 'check' } : null
}
