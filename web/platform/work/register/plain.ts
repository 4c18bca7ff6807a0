import type { FormSchema } from '../../kernel/client/types.ts'
import { optionsOf } from '../../kernel/form/widget.ts'
import { at, isBlank } from '../../kernel/record/fields.ts'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'

/** A value as plain text for tables and spreadsheets; undefined if it needs a request of its own. */
type Plain = (schema: FormSchema, value: unknown) => string | undefined

/** Values as plain text, with the titles of the entries that they name. */
export function usePlain(): (titles: Record<string, string>) => Plain {
  const { t } = useTexts()
  const { date, dateTime, money } = useFormats()
  const plainWith = (titles: Record<string, string>): Plain => {
    const plain: Plain = (schema, value) => {
      if (isBlank(value)) return ''
      // A list whose rows name one entry each.
      const [[name, field] = [], ...others] = Object.entries(schema.items?.properties ?? {})
      if (Array.isArray(value) && name && field?.['x-register'] && others.length === 0)
        return value.map((row) => plain(field, at(row, `/${name}`)) ?? '').join(', ')
      if (schema['x-register']) return titles[String(value)]
      const option = optionsOf(schema)?.find((each) => each.value === value)
      if (option) return t(option.title)
      if (typeof value === 'boolean') return t(value ? 'platform.yes' : 'platform.no')
      if (typeof value === 'number') return schema['x-unit'] === 'LKR cents' ? money(value) : String(value)
      if (typeof value !== 'string') return undefined
      if (schema.format === 'date') return date(value)
      if (schema.format === 'date-time') return dateTime(value)
      return value
    }
    return plain
  }
  return plainWith
}
