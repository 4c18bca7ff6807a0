import Type from 'typebox'
import { BusinessError } from '../../api/platform/kernel/errors.ts'
import { known } from '../../api/platform/kernel/known.ts'
import { inUse, textAt } from '../../api/platform/model/definitions/register.ts'
import { findOwnEntry } from '../../api/platform/people/identity/accounts.ts'
import { worker } from '../platform/worker.ts'

/**
 * Writes the new name into the student register, and notes the former one. An entry that has the new name already is
 * left alone, so a step that runs again changes nothing.
 */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  raises: ['students.name-not-changed'],
  async run({ trx, registers, facts, submission, submissions, case: { requesterId } }) {
    const own = await findOwnEntry(trx, requesterId)
    if (!own) throw new BusinessError('students.name-not-changed')
    const student = await registers.lock(own.register, own.id)
    if (student.status !== inUse(registers.definitionOf(own.register)))
      throw new BusinessError('students.name-not-changed')
    const name = {
      full_name: known(textAt(submission, '/new_full_name'), 'the new name'),
      name_with_initials: known(textAt(submission, '/new_name_with_initials'), 'the new name with initials'),
    }
    const former = textAt(student.data, '/full_name') ?? null
    if (former === name.full_name && textAt(student.data, '/name_with_initials') === name.name_with_initials) return {}
    // The person who decided last is the author.
    await registers.change(student, name, submissions.at(-1)?.by ?? null)
    await facts({ formerName: former, newName: name.full_name })
    return {}
  },
})
