import Type from 'typebox'
import { sendDigests } from '../../api/platform/features/task-mail/digest.ts'
import { schedule } from './worker.ts'

/** People per step. */
const PEOPLE_PER_STEP = 25

/** Mails digests to the next people; the diagram repeats the step while there are more. */
export default schedule({
  input: Type.Object({
    after: Type.Optional(Type.String({ format: 'uuid' })),
    written: Type.Optional(Type.Integer({ minimum: 0 })),
  }),
  output: Type.Object({
    more: Type.Boolean(),
    /** The last account checked. */
    after: Type.Optional(Type.String({ format: 'uuid' })),
    /** Number of mails so far. */
    written: Type.Integer({ minimum: 0 }),
  }),
  async run({ variables, trx, library, publicUrl, now }) {
    const { written, last } = await sendDigests(trx, { library, publicUrl, now }, variables.after, PEOPLE_PER_STEP)
    return {
      more: last !== undefined,
      written: (variables.written ?? 0) + written,
      ...(last !== undefined && { after: last }),
    }
  },
})
