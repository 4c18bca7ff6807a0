import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Person } from '../../people/persons/person.ts'
import { visibleViews } from './views.ts'

/** What the rows of a list can be grouped by. */
export const groupings = ['none', 'flow', 'desk', 'due', 'requester'] as const
type Grouping = (typeof groupings)[number]

/** A person's inbox settings. */
export interface InboxChoice {
  /** The view that the inbox opens with. */
  startView: string | null
  density: 'comfortable' | 'compact'
  grouping: Grouping
  /** Flow → names of its columns, in order. */
  columns: Record<string, string[]>
}

export async function findInboxChoice(db: Kysely<DB>, person: Person): Promise<InboxChoice> {
  const row = await db
    .selectFrom('inbox_choice as c')
    .leftJoin(visibleViews(db, person).as('v'), 'v.id', 'c.start_view')
    .select(['v.id as start_view', 'c.density', 'c.grouping', 'c.columns'])
    .where('c.account_id', '=', person.id)
    .executeTakeFirst()
  return {
    startView: row?.start_view ?? null,
    density: row?.density === 'compact' ? 'compact' : 'comfortable',
    grouping: groupings.find((each) => each === row?.grouping) ?? 'none',
    columns: row?.columns ?? {},
  }
}

/** Changes the given settings; the columns of other flows stay. */
export async function changeInboxChoice(
  db: Kysely<DB>,
  person: Person,
  { startView, density, grouping, columns }: Partial<InboxChoice>,
): Promise<InboxChoice> {
  if (startView) {
    const view = await visibleViews(db, person).where('id', '=', startView).executeTakeFirst()
    if (!view)
      throw new BusinessError('platform.form-invalid', {}, [{ field: '/startView', code: 'platform.view-unknown' }])
  }
  const given = {
    ...(startView !== undefined && { start_view: startView }),
    ...(density && { density }),
    ...(grouping && { grouping }),
  }
  await db
    .insertInto('inbox_choice')
    .values({ account_id: person.id, ...given, columns: JSON.stringify(columns ?? {}) })
    .onConflict((oc) =>
      oc.column('account_id').doUpdateSet({
        ...given,
        columns: sql`inbox_choice.columns || excluded.columns`,
        changed_at: sql`clock_timestamp()`,
      }),
    )
    .execute()
  return findInboxChoice(db, person)
}
