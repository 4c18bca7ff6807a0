import { type Kysely, sql } from 'kysely'
import type { DB } from '../platform/kernel/db/database.generated.ts'
import { known } from '../platform/kernel/known.ts'
import type { Report } from '../platform/model/definitions/report.ts'

/** A smaller group could be recognised. */
const LEAST = 5

interface Visit {
  id: string
  month: string
  patient: string
  faculty: string | null
}

/**
 * Patients by calendar month, faculty and diagnosis group; each counts once in a row. Rows never overlap and have no
 * totals, and only whole months can be chosen, so that no number follows from the difference of two.
 */
const report: Report = {
  async rows({ db, filter, limit, unsealed }) {
    const visits = await visitsOf(db, filter['from'], filter['until'])
    const secrets = await known(unsealed, 'the encrypted fields')(
      'medical/checkup',
      visits.map(({ id }) => id),
    )
    const groups = await namesOf(db)
    const patients = new Map<string, { month: string; faculty: string | null; group: string; seen: Set<string> }>()
    for (const { id, month, patient, faculty } of visits) {
      const group = groups.get(String(secrets.get(id)?.['diagnosis_group'])) ?? '–'
      const key = JSON.stringify([month, faculty, group])
      const row = patients.get(key) ?? { month, faculty, group, seen: new Set() }
      row.seen.add(patient)
      patients.set(key, row)
    }
    return [...patients.values()]
      .toSorted(
        (a, b) =>
          b.month.localeCompare(a.month) ||
          (a.faculty ?? '').localeCompare(b.faculty ?? '') ||
          a.group.localeCompare(b.group),
      )
      .slice(0, limit)
      .map(({ month, faculty, group, seen }) => ({
        ...{ month, faculty, group },
        patients: seen.size < LEAST ? `< ${LEAST}` : String(seen.size),
      }))
  },
}

export default report

async function visitsOf(db: Kysely<DB>, from: unknown, until: unknown): Promise<Visit[]> {
  const { rows } = await sql<Visit>`
    select c.id, left(c.data ->> 'visited_on', 7) as month, p.id as patient, f.title as faculty
    from register_item c
      join register_item p on p.id = (c.data ->> 'patient')::uuid
      left join register_item s on s.id = (p.data ->> 'student')::uuid
      left join register_item e on e.id = (p.data ->> 'employee')::uuid
      left join register_item d on d.id = (e.data ->> 'department')::uuid
      left join register_item f on f.id = coalesce(s.data ->> 'faculty', d.data ->> 'faculty')::uuid
    where c.register = 'medical/checkup' and c.status = 'Active'
      and (${from ?? null}::text is null or left(c.data ->> 'visited_on', 7) >= ${from ?? null}::text)
      and (${until ?? null}::text is null or left(c.data ->> 'visited_on', 7) <= ${until ?? null}::text)`.execute(db)
  return rows
}

async function namesOf(db: Kysely<DB>): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('register_item')
    .select(['id', 'title'])
    .where('register', '=', 'medical/diagnosis-group')
    .execute()
  return new Map(rows.map(({ id, title }) => [id, title]))
}
