import Type from 'typebox'
import { sendCheckpoint } from '../../api/platform/features/audit/checkpoint-schedule.ts'
import { schedule } from './worker.ts'

/** Mails the newest signed checkpoint of the audit to those who keep it elsewhere. */
export default schedule({
  input: Type.Object({}),
  output: Type.Object({
    /** Place in the chain; absent while nothing is signed yet. */
    sequence: Type.Optional(Type.String()),
    /** How many mails there are. */
    written: Type.Integer({ minimum: 0 }),
  }),
  async run({ trx, mail, auditMailTo, now }) {
    return { ...(await sendCheckpoint(trx, { mail, to: auditMailTo, now })) }
  },
})
