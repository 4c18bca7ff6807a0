import type { Transaction } from 'kysely'
import { sql } from 'kysely'
import type { DB, JsonObject } from '../platform/kernel/db/database.generated.ts'
import type { SubjectRow } from './registration-rows.ts'

/** A subject of a year of study. */
export interface YearSubject extends SubjectRow {
  id: string
  /** Whether the student chooses it; all others are taken by everybody. */
  chosen: boolean
}

/** The subjects of a year in the curriculum of a batch, in its order. */
export async function subjectsOfYear(trx: Transaction<DB>, batch: string, year: number): Promise<YearSubject[]> {
  const { rows } = await sql<{
    id: string
    title: string
    credits: number
    chosen: boolean
    semester: number
    needs: string
  }>`
    select s.id, s.data ->> 'code' || ' ' || (s.data ->> 'name') as title, case when (k.data ->> 'uncounted')::boolean then 0
        else coalesce((r.row ->> 'credits')::int, (s.data ->> 'credits')::int) end as credits,
      coalesce((k.data ->> 'chosen')::boolean, false) as chosen, (r.row ->> 'semester')::int as semester, coalesce((
        select string_agg(n.data ->> 'code', ', ' order by p.place)
        from jsonb_array_elements(s.data -> 'prerequisites') with ordinality as p(row, place)
          join register_item n on n.id = (p.row ->> 'subject')::uuid), '') as needs
    from register_item b
      join register_item c on c.id = (b.data ->> 'curriculum')::uuid
      cross join jsonb_array_elements(c.data -> 'subjects') with ordinality as r(row, place)
      join register_item s on s.id = (r.row ->> 'subject')::uuid
      join register_item k on k.id = (r.row ->> 'kind')::uuid
    where b.id = ${batch} and (r.row ->> 'year')::int = ${year}
    order by semester, r.place`.execute(trx)
  return rows.map(({ id, title, credits, chosen, semester, needs }) => ({
    ...{ id, chosen, semester, subject: title, credits },
    ...(needs !== '' && { needs }),
  }))
}

/** The subjects as the rows of a desk: those that everybody takes, and electives, of which these are taken. */
export function rowsOf(
  subjects: readonly YearSubject[],
  takes: ReadonlySet<string> = new Set(),
): { core: JsonObject[]; electives: JsonObject[] } {
  const row = ({ semester, subject, credits, needs }: SubjectRow): JsonObject => ({
    ...{ semester, subject, credits },
    ...(needs !== undefined && { needs }),
  })
  return {
    core: subjects.filter(({ chosen }) => !chosen).map(row),
    electives: subjects
      .filter(({ chosen }) => chosen)
      .map((one) => ({ ...row(one), choice: takes.has(one.id) ? 'take' : 'leave' })),
  }
}
