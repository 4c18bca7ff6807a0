import { type Kysely, type Transaction, sql } from 'kysely'
import type { DB, JsonObject } from '../platform/kernel/db/database.generated.ts'
import { dayInColombo } from '../platform/kernel/colombo.ts'
import type { FieldError } from '../platform/kernel/errors.ts'
import type { DeskInput, Rules } from '../platform/model/deployed/rules.ts'
import { checkedAs } from '../platform/model/forms/checked-as.ts'
import { findOwnEntry } from '../platform/people/identity/accounts.ts'
import { type AwardMonths, awardsOf, countGiven, outsidePeriod } from './awards.ts'
import { type Criterion, readIncomeAndPoints } from './points.ts'

const rules: Rules = {
  async check({ data, items, trx, requester }) {
    const errors: FieldError[] = []
    const own = await findOwnEntry(trx, requester.id)
    const live = own && (await districtsOf(trx, [own.id])).get(own.id)
    errors.push(...(await wrongDistrict(trx, data['district'], items.get('/scholarship')?.data['district'], live)))
    const least = items.get('/scholarship')?.data['minimum_results']
    errors.push(...wrongResults(data['results'], least, own && (await latestResults(trx, [own.id])).get(own.id)))
    const awards = await awardsOf(trx, String(data['scholarship']))
    if (awards.some(({ student }) => student === own?.id))
      errors.push({ field: '/scholarship', code: 'scholarships.already-awarded' })
    return errors
  },

  /** Whose results are known to be too low, or who is known to live elsewhere. Income is stated in the application. */
  async unfitFor({ db, records, item: { data } }) {
    const { minimum_results: least, district } = data
    const held = typeof least === 'number' ? [...(await latestResults(db, records))] : []
    const homes = typeof district === 'string' ? [...(await districtsOf(db, records))] : []
    return new Map([
      ...homes.flatMap(([student, home]) =>
        home === district ? [] : ([[student, 'scholarships.from-elsewhere']] as const),
      ),
      ...held.flatMap(([student, { gpa }]) =>
        gpa < Number(least) ? ([[student, 'scholarships.results-below']] as const) : [],
      ),
    ])
  },

  async derive({ data, items, trx, requester }) {
    const type = await entryOf(trx, String(items.get('/scholarship')?.data['type']))
    const { income, points } = await readIncomeAndPoints(trx, data)
    const own = await findOwnEntry(trx, requester.id)
    const faculty = own && (await entryOf(trx, String(own.data['faculty'])))
    return {
      // Students who are called have not said anything yet.
      facts: data['income'] === undefined ? {} : pointFacts(points),
      variables: {
        familyIncome: income,
        scholarshipType: String(type.data['code']),
        studentFaculty: faculty?.title ?? null,
      },
    }
  },

  answers: { 'scholarships/award-decision': { check: checkAward } },
}

/** What the register of results holds of a student's year. */
type Results = { year: string; gpa: number }

/** By student the newest results, if they are of the last year or this one: older ones say nothing of what is asked for. */
async function latestResults(db: Kysely<DB>, students: readonly string[]): Promise<Map<string, Results>> {
  const { rows } = await sql<{ student: string; data: JsonObject }>`
    select distinct on (r.target_id) r.target_id as student, i.data from register_item i
    join register_reference r on r.item_id = i.id and r.path = '/student' and r.target_id = any(${[...students]}::uuid[])
    where i.register = 'scholarships/results' and i.status = 'Active' order by r.target_id, i.data ->> 'year' desc`.execute(
    db,
  )
  const since = Number(dayInColombo(Date.now()).slice(0, 4)) - 1
  const newest = rows.map(({ student, data }) => [student, checkedAs<Results>(data)] as const)
  return new Map(newest.filter(([, { year }]) => Number(year) >= since))
}

/** By student the district of their permanent address, as far as their particulars hold it. */
async function districtsOf(db: Kysely<DB>, students: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ student: string; district: string }>`
    select r.target_id as student, i.data ->> 'district' as district from register_item i
    join register_reference r on r.item_id = i.id and r.path = '/student' and r.target_id = any(${[...students]}::uuid[])
    where i.register = 'students/particulars' and i.status = 'Active' and i.data ? 'district'`.execute(db)
  return new Map(rows.map(({ student, district }) => [student, district]))
}

/** Whether the district of an application is the one that the university holds, if any, and that of the scholarship. */
async function wrongDistrict(
  trx: Transaction<DB>,
  said: unknown,
  wanted: unknown,
  held: string | undefined,
): Promise<FieldError[]> {
  if (said === undefined) return []
  const wrong = async (code: string, id: string) => {
    const { title } = await entryOf(trx, id)
    return { field: '/district', code, values: { district: title } }
  }
  if (held !== undefined && held !== said) return [await wrong('scholarships.district-held', held)]
  return typeof wanted === 'string' && wanted !== said ? [await wrong('scholarships.other-district', wanted)] : []
}

/** Whether the results of an application are those that the university holds, if any, and reach the minimum, if any. */
function wrongResults(said: unknown, least: unknown, held: Results | undefined): FieldError[] {
  if (typeof said !== 'number') return []
  const errors: FieldError[] = []
  if (held && held.gpa !== said)
    errors.push({ field: '/results', code: 'scholarships.results-other', values: { year: held.year, gpa: held.gpa } })
  if (typeof least === 'number' && (held?.gpa ?? said) < least)
    errors.push({ field: '/results', code: 'scholarships.results-too-low', values: { least } })
  return errors
}

function pointFacts({ income, results, distance, siblings }: Record<Criterion, number>): JsonObject {
  return {
    points: income + results + distance + siblings,
    pointsIncome: income,
    pointsResults: results,
    pointsDistance: distance,
    pointsSiblings: siblings,
  }
}

async function entryOf(trx: Transaction<DB>, id: string) {
  return trx.selectFrom('register_item').select(['title', 'data']).where('id', '=', id).executeTakeFirstOrThrow()
}

/**
 * Whether an award is left, and its months lie in those of its scholarship. Two desks may award the last one at the same
 * time; the worker that writes it gives it once.
 */
async function checkAward({ data, current, trx }: DeskInput): Promise<FieldError[]> {
  if (data['outcome'] !== 'award') return []
  const id = String(current['scholarship'])
  const scholarship = await entryOf(trx, id)
  if (countGiven(await awardsOf(trx, id)) >= Number(checkedAs<{ awards: number }>(scholarship.data).awards))
    return [{ field: '/outcome', code: 'scholarships.no-award-left' }]
  return outsidePeriod(checkedAs<AwardMonths>(data), checkedAs<AwardMonths>(scholarship.data))
}

export default rules
