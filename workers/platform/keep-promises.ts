import Type from 'typebox'
import { forgetOldRuns, keepNextPromises } from '../../api/platform/work/promises/keeping.ts'
import { schedule } from './worker.ts'

const Count = Type.Integer({ minimum: 0 })
const Place = Type.String({ maxLength: 200 })

/** Writes the next reminders and escalations that are due; the diagram repeats the step while there are more. */
export default schedule({
  input: Type.Object({ after: Type.Optional(Place), kept: Type.Optional(Count) }),
  output: Type.Object({
    more: Type.Boolean(),
    /** The last promise checked. */
    after: Type.Optional(Place),
    /** How many were kept so far. */
    kept: Count,
  }),
  async run({ variables, trx, apart, mail, now, log }) {
    const { kept, after } = await keepNextPromises(trx, { mail, engine: apart.engine, now, log }, variables.after)
    if (after === undefined) await forgetOldRuns(trx, now)
    return { more: after !== undefined, kept: (variables.kept ?? 0) + kept, ...(after !== undefined && { after }) }
  },
})
