import Type from 'typebox'
import { issueByCase } from '../../api/platform/work/cases/issuing.ts'
import { worker } from './worker.ts'

/**
 * Issues a document of the case as its definition (`forms/<area>/<name>.document.json`) says, under the next number of
 * its series. A verifiable one gets its code and file here, and replaces an earlier one of the case.
 */
export default worker({
  input: Type.Object({
    /** `<area>/<name>` of the definition. */
    document: Type.String({ pattern: '^[a-z][a-z0-9-]*/[a-z][a-z0-9-]*$' }),
  }),
  output: Type.Object({}),
  async run({ trx, library, publicUrl, numbers, variables, case: found, submission, submissions, now }) {
    await issueByCase(
      { trx, library, publicUrl, numbers },
      { kind: variables.document, found, data: submission, submissions, now },
    )
    return {}
  },
})
