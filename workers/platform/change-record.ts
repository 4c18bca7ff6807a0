import { isDeepStrictEqual } from 'node:util'
import Type from 'typebox'
import { lookUp } from '../../api/platform/work/cases/routing.ts'
import type { JsonValue } from '../../api/platform/kernel/db/database.generated.ts'
import { BusinessError } from '../../api/platform/kernel/errors.ts'
import { findOwnEntry } from '../../api/platform/people/identity/accounts.ts'
import { at, inUse } from '../../api/platform/model/definitions/register.ts'
import { worker } from './worker.ts'
import { findAnyItem } from '../../api/platform/work/rows/items.ts'

/** A pointer into what the case says; behind # one into the item that is named there. */
const Lookup = Type.String({ pattern: '^(/[^/#]+)+(#(/[^/#]+)+)*$' })

/**
 * Writes one field of the requester's own entry in its register: from the value that `was` comes to, to that of `becomes`.
 * An entry that is out of use, or holds another value by now, stays as it is.
 */
export default worker({
  input: Type.Object({ field: Type.String({ pattern: '^/[^/#]+$' }), was: Lookup, becomes: Lookup }),
  output: Type.Object({}),
  raises: ['platform.record-not-as-expected'],
  async run({ variables: { field, was, becomes }, trx, registers, submission, submissions, case: { requesterId } }) {
    const valueOf = (lookup: string) => lookUp(lookup, submission, (id) => findAnyItem(trx, id))
    const entry = await findOwnEntry(trx, requesterId)
    if (!entry) throw new BusinessError('platform.record-not-as-expected')
    const present = await registers.lock(entry.register, entry.id)
    const as = present.status === inUse(registers.definitionOf(entry.register))
    if (!as || !isDeepStrictEqual(at(present.data, field), await valueOf(was)))
      throw new BusinessError('platform.record-not-as-expected')
    // Whoever decided last has it written.
    const by = submissions.at(-1)?.by ?? null
    await registers.change(present, { [field.slice(1)]: (await valueOf(becomes)) as JsonValue }, by)
    return {}
  },
})
