import { isDeepStrictEqual } from 'node:util'
import Type from 'typebox'
import { lookUp } from '../../api/platform/model/definitions/named.ts'
import type { JsonValue } from '../../api/platform/kernel/db/database.generated.ts'
import { BusinessError } from '../../api/platform/kernel/errors.ts'
import { findOwnEntry } from '../../api/platform/people/identity/accounts.ts'
import { at, inUse } from '../../api/platform/model/definitions/register.ts'
import { worker } from './worker.ts'
import { findAnyItem } from '../../api/platform/work/rows/items.ts'

/** A pointer into the content of the case; after #, into the entry named there. */
const Lookup = Type.String({ pattern: '^(/[^/#]+)+(#(/[^/#]+)+)*$' })

/**
 * Changes one field of the requester's own register entry, from the value of `was` to that of `becomes`. It skips an
 * entry that is not active, or that has another value by now.
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
    // The person who decided last is the author.
    const by = submissions.at(-1)?.by ?? null
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is found in JSON: the case or a register entry
    const value = (await valueOf(becomes)) as JsonValue
    await registers.change(present, { [field.slice(1)]: value }, by)
    return {}
  },
})
