import Type from 'typebox'
import { sendDigests } from '../../api/platform/features/task-mail/digest.ts'
import { schedule } from './worker.ts'

/** People who are looked at in one step. */
const AT_A_TIME = 25

/** Tells the next people by mail what waits for them; the diagram comes again as long as there are more. */
export default schedule({
  input: Type.Object({
    after: Type.Optional(Type.String({ format: 'uuid' })),
    written: Type.Optional(Type.Integer({ minimum: 0 })),
  }),
  output: Type.Object({
    more: Type.Boolean(),
    /** The account that was looked at last. */
    after: Type.Optional(Type.String({ format: 'uuid' })),
    /** How many mails there are by now. */
    written: Type.Integer({ minimum: 0 }),
  }),
  async run({ variables, trx, library, publicUrl, now }) {
    const { written, last } = await sendDigests(trx, { library, publicUrl, now }, variables.after, AT_A_TIME)
    return {
      more: last !== undefined,
      written: (variables.written ?? 0) + written,
      ...(last !== undefined && { after: last }),
    }
  },
})
