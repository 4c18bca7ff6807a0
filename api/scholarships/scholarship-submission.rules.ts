import type { Transaction } from 'kysely'
import type { DB, JsonObject } from '../platform/kernel/db/database.generated.ts'
import { dayInColombo } from '../platform/kernel/colombo.ts'
import type { FieldError } from '../platform/kernel/errors.ts'
import type { DeskInput, Rules } from '../platform/model/deployed/rules.ts'
import { checkedAs } from '../platform/model/forms/checked-as.ts'
import { findOwnEntry } from '../platform/people/identity/accounts.ts'
import { newestNaming } from '../platform/records/registers/follow.ts'
import { type AwardMonths, awardsOf, outsidePeriod } from './awards.ts'
import { familyIncomeOf, pointsOf } from './points.ts'

const rules: Rules = {
  async check({ data, items, trx, requester }) {
    const errors: FieldError[] = []
    const district = items.get('/scholarship')?.data['district']
    if (typeof district === 'string' && data['district'] !== undefined && district !== data['district']) {
      const { title } = await entryOf(trx, district)
      errors.push({ field: '/district', code: 'scholarships.other-district', values: { district: title } })
    }
    const own = await findOwnEntry(trx, requester.id)
    const least = items.get('/scholarship')?.data['minimum_results']
    errors.push(...wrongResults(data['results'], least, own && (await latestResultsOf(trx, own.id))))
    const awards = await awardsOf(trx, String(data['scholarship']))
    if (awards.some(({ student }) => student === own?.id))
      errors.push({ field: '/scholarship', code: 'scholarships.already-awarded' })
    return errors
  },

  async derive({ data, items, trx }) {
    const type = await entryOf(trx, String(items.get('/scholarship')?.data['type']))
    return {
      // Students who are called have not said anything yet.
      facts: data['income'] === undefined ? {} : await pointFacts(trx, data),
      variables: { familyIncome: familyIncomeOf(data), scholarshipType: String(type.data['code']) },
    }
  },

  answers: { 'scholarships/award-decision': { check: checkAward } },
}

/** What the register of results holds of a student's year. */
type Results = { year: string; gpa: number }

const RESULTS = { register: 'scholarships/results', status: 'Active', same: '/student', newest: '/year' }

/** The results of the last year or this one: older ones say nothing of what is asked for. */
async function latestResultsOf(trx: Transaction<DB>, student: string): Promise<Results | undefined> {
  const newest = await newestNaming(trx, RESULTS, student)
  const latest = newest && checkedAs<Results>(newest)
  return latest && Number(latest.year) >= Number(dayInColombo(Date.now()).slice(0, 4)) - 1 ? latest : undefined
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

async function pointFacts(trx: Transaction<DB>, application: JsonObject): Promise<JsonObject> {
  const { income, results, distance, siblings } = await pointsOf(trx, application)
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

/** Whether the months of an award lie in those of its scholarship. */
async function checkAward({ data, current, trx }: DeskInput): Promise<FieldError[]> {
  if (data['outcome'] !== 'award') return []
  const scholarship = await entryOf(trx, String(current['scholarship']))
  return outsidePeriod(checkedAs<AwardMonths>(data), checkedAs<AwardMonths>(scholarship.data))
}

export default rules
