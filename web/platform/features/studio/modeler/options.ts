import type { Vocabulary } from '../../../kernel/api/studio.ts'
import { timeInWords } from '../model/naming.ts'
import type { Option } from './field.tsx'
import type { Part } from './part.ts'

/** The times that a deadline or a timer may have, including the present one. */
export function moments({ vocabulary, t }: Part, present: string | undefined): Option[] {
  const variables = vocabulary.variables.filter(
    ({ name, from }) => from === 'manifest' || /(At|Ends|Date|On)$/.test(name),
  )
  const values = [
    ...[
      '${workday1}',
      '${workday3}',
      'PT4H',
      'P1D',
      'P2D',
      'P3D',
      'P5D',
      'P7D',
      'P14D',
      'P21D',
      'P30D',
      'P60D',
      'P90D',
    ],
    ...variables.map(({ name }) => `\${${name}}`),
    ...(present === undefined ? [] : [present]),
  ]
  return [...new Set(values)].map((value) => ({ value, label: timeInWords(value, t) }))
}

export const mailOptions = ({ mails }: Vocabulary): Option[] =>
  mails.map(({ key, title }) => ({ value: key, label: `${title} (${key})` }))
