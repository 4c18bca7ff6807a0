import Type from 'typebox'
import { leaving } from '../../api/platform/people/identity/leaving.ts'
import { worker } from './worker.ts'

/**
 * Ends what the requester of the case may: every role and post, the account with its sessions, and their own entry in
 * its register, which stays as the entry of somebody who has left. Their tasks are free for others at once.
 */
export default worker({
  input: Type.Object({
    /** Text key of the reason, as it stands beside each role and post. */
    reason: Type.String({ minLength: 1 }),
  }),
  output: Type.Object({}),
  async run({ trx, registers, text, variables, case: { id, requesterId }, now }) {
    await leaving(trx, { registers }).end(requesterId, { caseId: id, reason: text(variables.reason), at: now })
    return {}
  },
})
