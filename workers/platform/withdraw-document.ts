import Type from 'typebox'
import { withdrawDocuments } from '../../api/platform/records/documents/verification.ts'
import { worker } from './worker.ts'

/** Ends the validity of the case's documents of a kind; verification shows that. */
export default worker({
  input: Type.Object({
    /** `<area>/<name>` of the definition. */
    document: Type.String({ pattern: '^[a-z][a-z0-9-]*/[a-z][a-z0-9-]*$' }),
  }),
  output: Type.Object({}),
  async run({ trx, variables, case: { id } }) {
    await withdrawDocuments(trx, { caseId: id, kind: variables.document })
    return {}
  },
})
