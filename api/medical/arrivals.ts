import { type Kysely, type Transaction, sql } from 'kysely'
import type { DB } from '../platform/kernel/db/database.generated.ts'
import { BusinessError } from '../platform/kernel/errors.ts'
import type { FieldKeys } from '../platform/kernel/field-keys.ts'
import { definitionStore } from '../platform/model/deployed/definitions.ts'
import type { Library } from '../platform/model/library/library.ts'
import { allNicForms, isNic } from '../../forms/platform/nic.ts'
import { type Person, admits } from '../platform/people/persons/person.ts'
import { holdersOf } from '../platform/records/mail/recipients.ts'
import { registers } from '../platform/records/registers/registers.ts'
import { refuseReported } from '../platform/records/registers/reported.ts'
import { guessing, openShown } from '../platform/work/registers/opening.ts'

const PATIENTS = 'medical/patient'
/** Who works in the unit. */
const UNIT = ['Doctor', 'Nurse']

interface Dependencies {
  db: Kysely<DB>
  library: Library
  fieldKeys: FieldKeys
  publicUrl: string
}

/** Somebody comes to the unit and shows a card. */
export function arrivalsService(dependencies: Dependencies) {
  const { db, library } = dependencies
  const offers = { definitions: definitionStore(db), roles: library.roles }

  return {
    /** The record of who shows this number, entered if they come for the first time, and open unless it is restricted. */
    async receive(person: Person, shown: string): Promise<{ id: string; open: boolean }> {
      if (admits({ ...person, seesAll: false }, UNIT) === undefined) throw new BusinessError('platform.not-allowed')
      return guessing(db, person, async () => {
        const id = await db.transaction().execute((trx) => patientOf(trx, library, person, shown))
        try {
          await openShown({ ...dependencies, offers }, person, PATIENTS, id, shown)
          return { id, open: true }
        } catch (error) {
          if (error instanceof BusinessError && error.code === 'platform.record-restricted') return { id, open: false }
          throw error
        }
      })
    },
  }
}

async function patientOf(trx: Transaction<DB>, library: Library, { id: by }: Person, shown: string): Promise<string> {
  const typed = shown.trim().toUpperCase()
  const values = isNic(typed) ? [typed, ...allNicForms(typed)] : [typed]
  await refuseReported(trx, library, 'id-cards/card', values)
  const { rows } = await sql<{ id: string; register: string; full_name: string }>`
    select e.id, e.register, e.data ->> 'full_name' as full_name from register_item e
    where e.register in ('platform/student', 'platform/employee') and (
      upper(e.data ->> 'nic') = any(${values}::text[]) or e.id in (
        select (c.data ->> 'student')::uuid from register_item c
        where c.register = 'id-cards/card' and c.status = 'Active' and upper(c.data ->> 'number') = any(${values}::text[])))
    order by e.register desc limit 1`.execute(trx)
  const [found] = rows
  if (!found) throw new BusinessError('medical.arrival-unknown')
  // Who scans the same person at the same time waits, and finds the patient that was entered.
  await trx.selectFrom('register_item').select('id').where('id', '=', found.id).forNoKeyUpdate().execute()
  const patient = await trx
    .selectFrom('register_item as p')
    .innerJoin('register_reference as r', 'r.item_id', 'p.id')
    .select('p.id')
    .where('p.register', '=', PATIENTS)
    .where('r.target_id', '=', found.id)
    .where('r.path', 'in', ['/student', '/employee'])
    .executeTakeFirst()
  if (patient) return patient.id
  const kind = found.register === 'platform/student' ? 'student' : 'employee'
  const made = await registers(trx, library).create(
    PATIENTS,
    {
      kind,
      full_name: found.full_name,
      [kind]: found.id,
      ...((await isOfUnit(trx, found.id)) && { restricted: true }),
    },
    by,
  )
  return made.id
}

/** Whether an entry is about somebody of the unit, whose record colleagues open only for a reason. */
async function isOfUnit(trx: Transaction<DB>, record: string): Promise<boolean> {
  const staff = await Promise.all(UNIT.map((role) => holdersOf(trx, role)))
  const of = await trx.selectFrom('account').select('id').where('record_id', '=', record).execute()
  return of.some(({ id }) => staff.flat().some((one) => one.id === id))
}
