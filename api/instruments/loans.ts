import type { Kysely, Transaction } from 'kysely'
import type { DB } from '../platform/kernel/db/database.generated.ts'
import { known } from '../platform/kernel/known.ts'
import { findItemWith } from '../platform/work/rows/items.ts'
import type { registers } from '../platform/records/registers/registers.ts'

type Registers = Pick<ReturnType<typeof registers>, 'lock'>

/** The register of instruments. */
export const INSTRUMENTS = 'instruments/instrument'

/** The register of loans, one entry per instrument that was handed over. */
export const LOANS = 'instruments/loan'

/** The field of a loan that names its borrower, by the register of their own entry. */
export const BORROWERS: Readonly<Record<string, 'student' | 'employee'>> = {
  'platform/student': 'student',
  'platform/employee': 'employee',
}

/** The entry of a case's loan, locked. */
export async function lockLoan(trx: Transaction<DB>, on: Registers, reference: string) {
  const id = await findItemWith(trx, LOANS, { field: 'case_reference', value: reference })
  return on.lock(LOANS, known(id, `the loan of ${reference}`))
}

/** Whether a borrower has an instrument whose last day is over, or whose damage or loss is not settled. */
export async function isLate(db: Kysely<DB>, requesterId: string): Promise<boolean> {
  const row = await db
    .selectFrom('flow_case')
    .select('id')
    .where('flow', '=', 'instruments/instrument-loan')
    .where('requester_id', '=', requesterId)
    .where('state', '=', 'running')
    .where('status', 'in', ['Overdue', 'Damaged', 'Lost'])
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
