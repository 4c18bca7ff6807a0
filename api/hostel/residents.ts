import type { FieldError } from '../platform/kernel/errors.ts'
import type { RuleInput } from '../platform/model/deployed/rules.ts'

/** Whether the place that a request names is not lived in yet. */
export const notMovedIn = ({ items }: Pick<RuleInput, 'items'>): FieldError[] =>
  items.get('/stay')?.data['registered_on'] === undefined ? [{ field: '/stay', code: 'hostel.not-moved-in' }] : []
