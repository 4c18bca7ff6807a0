import Type from 'typebox'
import { leaving } from '../../api/platform/people/identity/leaving.ts'
import { worker } from './worker.ts'

/**
 * Ends the access of the requester: every role and post, and the account with its sessions. Their register entry gets
 * the status of people who have left. Their tasks are released at once.
 */
export default worker({
  input: Type.Object({
    /** Text key of the reason, shown beside each role and post. */
    reason: Type.String({ minLength: 1 }),
  }),
  output: Type.Object({}),
  async run({ trx, registers, text, variables, case: { id, requesterId }, now }) {
    await leaving(trx, { registers }).end(requesterId, { caseId: id, reason: text(variables.reason), at: now })
    return {}
  },
})
