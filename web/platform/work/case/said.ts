import type { Case } from '../../kernel/client/types.ts'
import { requestOf } from './stages.tsx'

/**
 * The values of a case at a desk's last decision, else before its last correction, to mark later changes; undefined if
 * nothing was corrected since.
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
