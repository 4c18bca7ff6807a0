import Type from 'typebox'
import { issueByCase } from '../../api/platform/work/cases/issuing.ts'
import { worker } from './worker.ts'

/**
 * Issues a letter of the case like a document, with the words of the register entry that its definition names
 * (`template`), and notes its number as the fact `letterNumber`.
 */
export default worker({
  input: Type.Object({
    /** `<area>/<name>` of the definition. */
    document: Type.String({ pattern: '^[a-z][a-z0-9-]*/[a-z][a-z0-9-]*$' }),
  }),
  output: Type.Object({}),
  raises: ['platform.letter-incomplete', 'platform.letter-not-in-use'],
  async run({ trx, library, publicUrl, numbers, facts, variables, case: found, submission, submissions, now }) {
    const letterNumber = await issueByCase(
      { trx, library, publicUrl, numbers },
      { kind: variables.document, found, data: submission, submissions, now },
    )
    await facts({ letterNumber })
    return {}
  },
})
