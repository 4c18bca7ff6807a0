import { NIC } from '../../../forms/platform/nic.ts'

const leapYear = '(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)'
const date = `(?:\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))|${leapYear}-02-29)`
const time = '(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,6})?'

/**
 * What a name does not hold: control characters, and what formats text unseen, such as marks of direction by which it would
 * read otherwise than it is. Sinhala and Tamil write with the two joiners, one at a time and between letters.
 */
const unseen = '\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}'
const joiner = '[\\u200c\\u200d]'

/** A name without what no name holds; for what comes from elsewhere and cannot be sent back, such as names of files. */
export function cleanName(name: string): string {
  return (
    name
      .replaceAll(new RegExp(`(?!${joiner})[${unseen}]`, 'gu'), '')
      .replaceAll(new RegExp(`(${joiner})${joiner}+`, 'g'), '$1')
      // Blanks and joiners may alternate at the ends: what one of them uncovers goes too.
      .replaceAll(/^(?:\s|[\u200c\u200d])+|(?:\s|[\u200c\u200d])+$/g, '')
  )
}

/**
 * The formats that forms may name. They are regular expressions and not functions, so that a compiled validator
 * needs nothing beside itself. A date-time carries its offset: without one it names no moment.
 */
export const formats: Record<string, RegExp> = {
  date: new RegExp(`^${date}$`),
  'date-time': new RegExp(`^${date}T${time}(?:Z|[+-](?:0\\d|1[0-4]):[0-5]\\d)$`),
  name: new RegExp(`^(?:[^${unseen}]+(?:${joiner}[^${unseen}]+)*)?$`, 'u'),
  nic: NIC,
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
  email:
    /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)+$/,
}
