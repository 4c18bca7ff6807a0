import type { Case } from '../../kernel/client/types.ts'
import { requestOf } from './stages.tsx'

/**
 * What a case said when a desk last decided on it, or else before its last correction, so that what has changed since can
 * be marked; undefined where nothing was corrected since then.
 */
export function saidBefore({ submissions }: Pick<Case, 'submissions'>, desk?: string): Case['data'] | undefined {
  const request = requestOf({ submissions })
  const sent = submissions.filter(({ effect }) => effect !== 'void')
  const versions = sent.filter(({ formKey }) => formKey === request?.formKey)
  const decided = sent.findLast((one) => one.desk === desk && one.formKey !== request?.formKey)
  const last = versions.at(-1)
  const then = decided ? versions.findLast(({ at }) => at <= decided.at) : versions.at(-2)
  return then === last ? undefined : then?.data
}
