import { formats } from '../../../kernel/formats.ts'
import { isoDuration } from '../durations.ts'
import { isExpression, readIdentifier, readList, readTemplate, variableName } from '../expressions.ts'
import type { Check } from './rule.ts'

/** A text without an expression. */
export const plain: Check = (value) =>
  isExpression(value) ? 'expressions are not evaluated here and not allowed' : undefined
/** A name that people read: plain, and without invisible characters; it may have several lines. */
export const label: Check = (value) =>
  plain(value) ??
  (formats.name.test(value.replaceAll(/[\n\r\t]/g, ' ')) ? undefined : 'it has an invisible character: remove it')
/** One of these values. */
export const oneOf =
  (...values: string[]): Check =>
  (value) =>
    values.includes(value) ? undefined : `only ${values.join(' or ')} is allowed`
/** A text that matches this pattern. */
export const matching =
  (pattern: RegExp, meaning: string): Check =>
  (value) =>
    pattern.test(value.trim()) ? undefined : `this is not ${meaning}`
/** Passes if one of the checks does; otherwise the reason is that of the last check. */
export const either =
  (...checks: Check[]): Check =>
  (value) => {
    const reasons = checks.map((check) => check(value))
    return reasons.includes(undefined) ? undefined : reasons.at(-1)
  }

export const boolean = oneOf('true', 'false')
export const id = matching(/^[A-Za-z_][\w.-]*$/, 'an id')
export const number = matching(/^-?\d+(\.\d+)?$/, 'a number')
export const colour = matching(/^#[0-9a-fA-F]{3,8}$|^[a-z]+$/, 'a colour')
export const language = matching(/^([A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*)?$/, 'a language such as en or si')
export const variable = matching(variableName, 'the name of a variable')
export const duration = matching(isoDuration, 'an ISO 8601 duration such as P14D, or ${identifier}')
/** A repeating interval. */
export const cycle = matching(
  /^R[1-9]\d{0,2}\/P(?=.)(\d+Y)?(\d+M)?(\d+W)?(\d+D)?(T(?=.)(\d+H)?(\d+M)?(\d+S)?)?$/,
  'an ISO 8601 repetition such as R3/P1D',
)
/** Nothing shorter than a minute, so that nothing starts every second. */
export const cron = matching(
  /^0( [\d*?/,-]+){3} [\dA-Z*?/,-]+ [\dA-Z*?/,#-]+$/,
  'a time of day in six fields that begin with the second 0, such as 0 30 6 * * ?',
)
/** A date-time with an offset. */
export const zoned = matching(
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/,
  'an ISO 8601 date and time with its zone, or ${identifier}',
)
/** `${identifier}`. */
export const identifier: Check = (value) => refusal(readIdentifier(value.trim()))
export const template: Check = (value) => refusal(readTemplate(value))
export const collection: Check = (value) => refusal(readList(value))

function refusal(reading: object): string | undefined {
  return 'refused' in reading ? String(reading.refused) : undefined
}
