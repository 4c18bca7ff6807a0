import Type from 'typebox'
import { batchOf, setupOf } from '../../api/students/registration-setup.ts'
import { dayInColombo } from '../../api/platform/kernel/colombo.ts'
import { BusinessError } from '../../api/platform/kernel/errors.ts'
import { known } from '../../api/platform/kernel/known.ts'
import { findOwnEntry } from '../../api/platform/people/identity/accounts.ts'
import { worker } from '../platform/worker.ts'
import { enterSubjects } from './enter-subjects.ts'

const FIRST_YEAR = 1

/** Makes an unregistered student active and one of the batch, and enters the subjects that they take. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  raises: ['platform.record-not-as-expected'],
  async run(context) {
    const { trx, registers, facts, submission, submissions, case: found, now } = context
    const student = known(await findOwnEntry(trx, found.requesterId), 'the entry of the student')
    const entry = await registers.lock('platform/student', student.id)
    if (entry.status !== 'unregistered') throw new BusinessError('platform.record-not-as-expected')
    const by = submissions.at(-1)?.by ?? null
    const setup = await setupOf(trx, submission)
    const batch = await batchOf(trx, setup)
    const { intake, batch: earlier = batch.id, year = FIRST_YEAR } = entry.data
    if (batch.status !== 'Active' || batch.data['intake'] !== intake || earlier !== batch.id)
      throw new BusinessError('platform.record-not-as-expected')
    await registers.change(await registers.setStatus(entry, 'active', by), { batch: batch.id, year }, by)
    await enterSubjects(context)
    await facts({ registeredOn: dayInColombo(now) })
    return {}
  },
})
