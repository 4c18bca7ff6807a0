import Type from 'typebox'
import { sendCheckpoint } from '../../api/platform/features/audit/checkpoint-schedule.ts'
import { schedule } from './worker.ts'

/** Mails the newest signed checkpoint of the audit trail to the people who keep it elsewhere. */
export default schedule({
  input: Type.Object({}),
  output: Type.Object({
    /** Position in the chain; absent while nothing is signed yet. */
    sequence: Type.Optional(Type.String()),
    /** Number of mails. */
    written: Type.Integer({ minimum: 0 }),
  }),
  async run({ trx, mail, auditMailTo, now }) {
    return { ...(await sendCheckpoint(trx, { mail, to: auditMailTo, now })) }
  },
})
