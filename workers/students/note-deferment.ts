import { type Transaction, sql } from 'kysely'
import Type from 'typebox'
import type { DB } from '../../api/platform/kernel/db/database.generated.ts'
import { known } from '../../api/platform/kernel/known.ts'
import { textAt } from '../../api/platform/model/definitions/register.ts'
import { findOwnEntry } from '../../api/platform/people/identity/accounts.ts'
import { findAnyItem } from '../../api/platform/work/rows/items.ts'
import { worker } from '../platform/worker.ts'

/** The register of deferred academic years. */
const DEFERMENTS = 'students/request-deferment'

/** Notes which academic year the student may defer. A step that runs again notes nothing. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  async run({ trx, registers, facts, submission, submissions, case: { requesterId, reference } }) {
    if (await isNoted(trx, reference)) return {}
    const student = known(await findOwnEntry(trx, requesterId), 'the entry of the student')
    const academic_year = known(textAt(submission, '/deferred_year'), 'the year to defer')
    await registers.create(
      DEFERMENTS,
      { student: student.id, academic_year, case_reference: reference },
      submissions.at(-1)?.by ?? null,
    )
    const year = known(await findAnyItem(trx, academic_year), 'the academic year')
    await facts({ deferredYear: year.title })
    return {}
  },
})

async function isNoted(trx: Transaction<DB>, reference: string): Promise<boolean> {
  const found = await trx
    .selectFrom('register_item')
    .select('id')
    .where('register', '=', DEFERMENTS)
    .where(sql<string>`data ->> 'case_reference'`, '=', reference)
    .executeTakeFirst()
  return found !== undefined
}
