import { NIC } from '../../../forms/platform/nic.ts'

const leapYear = '(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)'
const date = `(?:\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))|${leapYear}-02-29)`
const time = '(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,6})?'

/**
 * Characters that names cannot contain: control characters and invisible formatting, such as direction marks that
 * change how a text reads. Sinhala and Tamil need the two joiners, one at a time and between letters.
 */
const unseen = '\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}'
const joiner = '[\\u200c\\u200d]'

/** Removes characters that names cannot contain; for texts from outside that cannot be rejected, such as file names. */
export function cleanName(name: string): string {
  return (
    name
      .replaceAll(new RegExp(`(?!${joiner})[${unseen}]`, 'gu'), '')
      .replaceAll(new RegExp(`(${joiner})${joiner}+`, 'g'), '$1')
      // Spaces and joiners may alternate at the ends, so remove them together.
      .replaceAll(/^(?:\s|[\u200c\u200d])+|(?:\s|[\u200c\u200d])+$/g, '')
  )
}

/**
 * The formats of forms. They are regular expressions instead of functions, so that a compiled validator has no
 * dependencies. A date-time needs an offset; without one it is ambiguous.
 */
export const formats = {
  date: new RegExp(`^${date}$`),
  'date-time': new RegExp(`^${date}T${time}(?:Z|[+-](?:0\\d|1[0-4]):[0-5]\\d)$`),
  name: new RegExp(`^(?:[^${unseen}]+(?:${joiner}[^${unseen}]+)*)?$`, 'u'),
  nic: NIC,
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
  email:
    /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)+$/,
} satisfies Record<string, RegExp>
