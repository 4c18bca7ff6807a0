import Type from 'typebox'
import { remindOfExpiring } from '../../api/platform/work/registers/expiring.ts'
import { schedule } from './worker.ts'

const Count = Type.Integer({ minimum: 0 })
const Place = Type.String({ maxLength: 200 })

/** Tells the keepers of the next entries that these end soon; the diagram repeats the step while there are more. */
export default schedule({
  input: Type.Object({ after: Type.Optional(Place), written: Type.Optional(Count) }),
  output: Type.Object({
    more: Type.Boolean(),
    /** The last entry checked. */
    after: Type.Optional(Place),
    /** Number of mails so far. */
    written: Count,
  }),
  async run({ variables, trx, library, mail, publicUrl, now }) {
    const { written, after } = await remindOfExpiring(trx, { library, mail, publicUrl, now }, variables.after)
    return {
      more: after !== undefined,
      written: (variables.written ?? 0) + written,
      ...(after !== undefined && { after }),
    }
  },
})
