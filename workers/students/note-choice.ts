import Type from 'typebox'
import type { ElectiveRow } from '../../api/students/registration-rows.ts'
import { known } from '../../api/platform/kernel/known.ts'
import { checkedAs } from '../../api/platform/model/forms/checked-as.ts'
import { worker } from '../platform/worker.ts'

/** Notes which electives the student has chosen, so that a later choice begins with them, even if one of them is full. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  async run({ facts, submissions }) {
    const last = submissions.findLast(({ formKey }) => formKey === 'students/subject-registration-choice')
    const { electives = [] } = checkedAs<{ electives?: ElectiveRow[] }>(known(last, 'the choice').data)
    await facts({ electives: electives.map((one) => ({ ...one })) })
    return {}
  },
})
