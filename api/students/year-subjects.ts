import type { Transaction } from 'kysely'
import { sql } from 'kysely'
import type { DB, JsonObject } from '../platform/kernel/db/database.generated.ts'
import type { SubjectRow } from './registration-rows.ts'

/** A subject of a year of study, with its kind in the curriculum. */
export interface YearSubject extends SubjectRow {
  id: string
  kind: string
}

/** Kinds that a student chooses; all others are taken by everybody. */
const CHOSEN = 'Elective'

/** The subjects of a year of a curriculum, in its order. */
export async function subjectsOfYear(trx: Transaction<DB>, curriculum: string, year: number): Promise<YearSubject[]> {
  const { rows } = await sql<{
    id: string
    title: string
    credits: number
    kind: string
    semester: number
    needs: string
  }>`
    select s.id, s.data ->> 'code' || ' ' || (s.data ->> 'name') as title, coalesce((r.row ->> 'credits')::int, (s.data ->> 'credits')::int) as credits,
      k.title as kind, (r.row ->> 'semester')::int as semester, coalesce((
        select string_agg(n.data ->> 'code', ', ' order by p.place)
        from jsonb_array_elements(s.data -> 'prerequisites') with ordinality as p(row, place)
          join register_item n on n.id = (p.row ->> 'subject')::uuid), '') as needs
    from register_item c
      cross join jsonb_array_elements(c.data -> 'subjects') with ordinality as r(row, place)
      join register_item s on s.id = (r.row ->> 'subject')::uuid
      join register_item k on k.id = (r.row ->> 'kind')::uuid
    where c.id = ${curriculum} and (r.row ->> 'year')::int = ${year}
    order by semester, r.place`.execute(trx)
  return rows.map(({ id, title, credits, kind, semester, needs }) => ({
    ...{ id, kind, semester, subject: title, credits },
    ...(needs !== '' && { needs }),
  }))
}

/** The subjects as the rows of a desk: those that everybody takes, and those that are chosen. */
export function rowsOf(subjects: readonly YearSubject[]): { core: JsonObject[]; electives: JsonObject[] } {
  const row = ({ semester, subject, credits, needs }: SubjectRow): JsonObject => ({
    ...{ semester, subject, credits },
    ...(needs !== undefined && { needs }),
  })
  return {
    core: subjects.filter(({ kind }) => kind !== CHOSEN).map(row),
    electives: subjects.filter(({ kind }) => kind === CHOSEN).map((one) => ({ ...row(one), choice: 'leave' })),
  }
}
