import Type from 'typebox'
import { checkNextCases, lastInboxCheck } from '../../api/platform/work/inbox/check-schedule.ts'
import { schedule } from './worker.ts'

const Count = Type.Integer({ minimum: 0 })
const CaseId = Type.String({ format: 'uuid' })

/** Compares the inbox rows of the next cases with the engine; the diagram repeats the step while there are more. */
export default schedule({
  input: Type.Object({
    after: Type.Optional(CaseId),
    checked: Type.Optional(Count),
    drifted: Type.Optional(Count),
  }),
  output: Type.Object({
    more: Type.Boolean(),
    /** The last case checked; absent when all have been. */
    after: Type.Optional(CaseId),
    checked: Count,
    drifted: Count,
  }),
  async run({ variables, trx, apart, library, publicUrl, log }) {
    const { checked, drifted = 0, after } = variables
    // A run begins where the previous one ended.
    const from = checked === undefined ? (await lastInboxCheck(trx))?.after : after
    const found = { checked: checked ?? 0, drifted, after: from }
    return { ...(await checkNextCases({ ...apart, library, publicUrl, log }, found)) }
  },
})
