import Type from 'typebox'
import { tellWaiting } from '../../api/platform/work/registers/waiting.ts'
import { schedule } from './worker.ts'

/** Tells people that entries of registers wait for their certification. */
export default schedule({
  input: Type.Object({}),
  output: Type.Object({
    /** Number of mails. */
    written: Type.Integer({ minimum: 0 }),
  }),
  async run({ trx, library, mail, now }) {
    return { written: await tellWaiting(trx, { library, mail, now }) }
  },
})
