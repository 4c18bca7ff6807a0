import type { FieldError } from '../platform/kernel/errors.ts'
import type { RuleInput, Rules } from '../platform/model/deployed/rules.ts'
import { findOverlapping } from './licences.ts'

/** A vehicle has one licence and one insurance in force at a time. */
const rules: Rules = {
  check: ({ trx, data }) => overlapErrors(trx, data, '/from'),
  answers: {
    'vehicles/licence-check': {
      check: ({ trx, data, current }) => (data['outcome'] === 'valid' ? overlapErrors(trx, current, '/outcome') : []),
    },
  },
}

export default rules

async function overlapErrors(trx: RuleInput['trx'], licence: RuleInput['data'], field: string): Promise<FieldError[]> {
  const values = await findOverlapping(trx, licence)
  return values ? [{ field, code: 'vehicles.licence-overlaps', values }] : []
}
