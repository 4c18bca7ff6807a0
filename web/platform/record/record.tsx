import { Fragment } from 'react'
import { useRead } from '../api/read.ts'
import { FileLink } from '../files/file-link.tsx'
import type { FormSchema } from '../api/types.ts'
import { useFormats } from '../texts/formats.ts'
import { hasText, useTexts } from '../texts/texts.ts'
import { fieldsOf, isBlank, type Field } from './fields.ts'
import css from './record.module.css'

/** What a form holds, in words: labels as on the form, values as people write them. Blank fields stay out. */
export function Record({
  schema,
  data,
  only,
}: {
  schema: FormSchema
  data: { [name: string]: unknown }
  only?: (field: Field) => boolean
}) {
  const { t } = useTexts()
  const fields = fieldsOf(schema).filter((field) => !isBlank(data[field.name]) && (!only || only(field)))
  if (fields.length === 0) return null
  return (
    <dl className={css['record']}>
      {fields.map(({ name, schema: field }) => (
        <div key={name} className={field['x-widget'] === 'textarea' ? css['wide'] : undefined}>
          <dt>{field.title ? t(field.title) : name}</dt>
          <dd>
            <Value schema={field} value={data[name]} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** One value of a form, by what its schema says it is. */
export function Value({ schema, value }: { schema: FormSchema; value: unknown }) {
  const { t } = useTexts()
  const { money, date, moment } = useFormats()
  const choice = schema.oneOf?.find((each) => each.const === value)
  if (choice?.title) return t(choice.title)
  if (Array.isArray(value)) {
    return (
      <ul className={css['list']}>
        {value.map((each, index) => (
          <li key={index}>
            {typeof each === 'object' && each !== null ? (
              <Line schema={schema.items ?? {}} data={each} />
            ) : (
              <Value schema={schema.items ?? {}} value={each} />
            )}
          </li>
        ))}
      </ul>
    )
  }
  if (typeof value === 'object' && value !== null)
    return <Record schema={schema} data={value as { [name: string]: unknown }} />
  if (typeof value === 'boolean') return t(value ? 'platform.yes' : 'platform.no')
  if (typeof value === 'number') return schema['x-unit'] === 'LKR cents' ? money(value) : String(value)
  if (typeof value !== 'string') return null
  if (schema['x-register']) return <ItemTitle register={schema['x-register']} id={value} />
  if (schema['x-widget'] === 'file') return <FileLink id={value} />
  if (schema.format === 'date') return date(value)
  if (schema.format === 'date-time') return moment(value)
  return hasText(value) ? t(value) : value
}

/** An entry of a list on one line, its values in the order of their fields. */
function Line({ schema, data }: { schema: FormSchema; data: { [name: string]: unknown } }) {
  return fieldsOf(schema)
    .filter(({ name }) => !isBlank(data[name]))
    .map(({ name, schema: field }, at) => (
      <Fragment key={name}>
        {at > 0 && ' · '}
        <Value schema={field} value={data[name]} />
      </Fragment>
    ))
}

function ItemTitle({ register, id }: { register: string; id: string }) {
  const { t } = useTexts()
  const { data, error } = useRead<{ title: string }>(`/api/registers/${register}/items/${encodeURIComponent(id)}`)
  if (error) return <span className={css['faint']}>{t('platform.record.not-readable')}</span>
  return data?.title ?? '…'
}
