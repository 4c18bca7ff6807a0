import Type from 'typebox'
import { worker } from './worker.ts'

/**
 * Ends what follows from the case by links with `ends`. `linkedLeft` holds, separated by commas, the names of the links
 * by which a case goes on all the same, or was carried out. With `links`, names separated by commas, only these end, for the
 * reason that somebody gave last.
 */
export default worker({
  input: Type.Object({ links: Type.Optional(Type.String()) }),
  output: Type.Object({ linkedLeft: Type.String() }),
  async run({ endLinked, submissions, variables: { links } }) {
    const reason = submissions.findLast(({ data }) => typeof data['reason'] === 'string')?.data['reason']
    const only = links === undefined ? {} : { only: links.split(/, */), reason: String(reason ?? '') }
    return { linkedLeft: (await endLinked(only)).join(', ') }
  },
})
