import { createContext, Fragment, useContext } from 'react'
import { useFileNames } from '../api/files.ts'
import { useRead } from '../api/read.ts'
import { FileLink } from '../files/file-link.tsx'
import { Picture } from '../files/picture.tsx'
import { FacultyDot, isFaculty } from './faculty.tsx'
import type { FileName, FormSchema } from '../client/types.ts'
import { useFormats } from '../texts/formats.ts'
import { hasText, useTexts } from '../texts/texts.ts'
import { at, fieldsOf, hoursOf, isBlank, isRecord, type Field, type Hours } from './fields.ts'
import css from './record.module.css'

/** The whole form around a value, for values that depend on another field. */
const Whole = createContext<{ schema: FormSchema; data: { [name: string]: unknown } } | undefined>(undefined)

/** Titles of entries that came with what is shown, by id: the reader may not see the entries themselves. */
export const Titles = createContext<Readonly<Record<string, string>>>({})

/** The files that a record may refer to, with more than their ids. */
const Files = createContext<readonly FileName[]>([])

/**
 * A form's value for reading: labels as on the form, values as people write them. Blank fields are left out. `files`
 * provides file names. A value that differs from `before` is marked, with the old value below.
 */
export function Record({
  schema,
  data,
  before,
  only,
  files,
}: {
  schema: FormSchema
  data: { [name: string]: unknown }
  before?: { [name: string]: unknown } | undefined
  only?: (field: Field) => boolean
  files?: readonly FileName[]
}) {
  const { t } = useTexts()
  const whole = useContext(Whole) ?? { schema, data }
  const known = useContext(Files)
  const differs = (name: string) => before !== undefined && JSON.stringify(before[name]) !== JSON.stringify(data[name])
  const isTold = (name: string) => !isBlank(data[name]) || (differs(name) && !isBlank(before?.[name]))
  const fields = fieldsOf(schema).filter((field) => isTold(field.name) && (!only || only(field)))
  if (fields.length === 0) return null
  return (
    <Whole value={whole}>
      <Files value={files ?? known}>
        <dl className={css['record']}>
          {fields.map(({ name, schema: field }) => (
            <div
              key={name}
              className={isLong(field) ? css['wide'] : undefined}
              data-changed={differs(name) || undefined}
            >
              <dt>
                {field.title ? t(field.title) : name}
                {differs(name) && <mark>{t('platform.record.changed')}</mark>}
              </dt>
              <dd>
                {isBlank(data[name]) ? '–' : <Value schema={field} value={data[name]} />}
                {differs(name) && !isBlank(before?.[name]) && (
                  <del>
                    <span className="visually-hidden">{t('platform.record.before')} </span>
                    <Value schema={field} value={before?.[name]} />
                  </del>
                )}
              </dd>
            </div>
          ))}
        </dl>
      </Files>
    </Whole>
  )
}

/** Whether a value needs the full width: long text, or a list. */
const isLong = (field: FormSchema): boolean =>
  field['x-widget'] === 'textarea' ||
  field['x-record'] !== undefined ||
  (field.type === 'array' && field.items?.type === 'object')

export function Value({ schema, value }: { schema: FormSchema; value: unknown }) {
  const { t } = useTexts()
  const { money, day, moment } = useFormats()
  const files = useContext(Files)
  const choice = schema.oneOf?.find((each) => each.const === value)
  if (choice?.title) return t(choice.title)
  if (Array.isArray(value) && schema['x-widget'] === 'week') return <Week schema={schema} hours={hoursOf(value)} />
  if (Array.isArray(value) && isPicture(schema.items))
    return (
      <ul className={css['pictures']}>
        {value.map((each, index) => (
          <li key={index}>
            <Picture id={String(each)} alt={t('platform.record.picture', { number: index + 1 })} />
          </li>
        ))}
      </ul>
    )
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
  if (isRecord(value) && schema['x-record']) return <Parts schema={schema} data={value} />
  if (isRecord(value)) return <Record schema={schema} data={value} />
  if (typeof value === 'boolean') return t(value ? 'platform.yes' : 'platform.no')
  if (typeof value === 'number') return schema['x-unit'] === 'LKR cents' ? money(value) : String(value)
  if (typeof value !== 'string') return null
  if (schema['x-register']) return <ItemTitle register={schema['x-register']} id={value} />
  if (schema['x-entry-of']) return <EntryTitle of={schema['x-entry-of']} id={value} />
  if (schema['x-widget'] === 'file') return <StoredFile known={files.find(({ id }) => id === value)} id={value} />
  if (schema.format === 'date') return day(value)
  if (schema.format === 'date-time') return moment(value)
  // A field that only takes addresses.
  if (schema.pattern?.startsWith('^https'))
    return (
      <a href={value} target="_blank" rel="noreferrer">
        {value}
      </a>
    )
  return hasText(value) ? t(value) : value
}

/** A file by name; the name is read unless it is known. */
function StoredFile({ known, id }: { known: FileName | undefined; id: string }) {
  const [read] = useFileNames(known ? [] : [id])
  return <FileLink {...(known ?? read ?? { id })} />
}

/** A record that was copied into the form, a part for each of its steps. */
function Parts({ schema, data }: { schema: FormSchema; data: { [name: string]: unknown } }) {
  const { t } = useTexts()
  return fieldsOf(schema)
    .filter(({ name }) => isRecord(data[name]) && Object.values(data[name]).some((one) => !isBlank(one)))
    .map(({ name, schema: step }) => (
      <details key={name} className={css['part']}>
        <summary>{step.title && t(step.title)}</summary>
        <Value schema={step} value={data[name]} />
      </details>
    ))
}

/** Pictures that are public, as opposed to files with names. */
const isPicture = (schema: FormSchema | undefined): boolean => {
  const accepted = schema?.['x-accept']
  return (
    schema?.['x-widget'] === 'file' &&
    Array.isArray(accepted) &&
    accepted.every((type) => String(type).startsWith('image/'))
  )
}

/** A line for each open day of the week. */
function Week({ schema, hours }: { schema: FormSchema; hours: Hours[] }) {
  const { t } = useTexts()
  const open = (schema.items?.properties?.['day']?.oneOf ?? []).map(({ const: day, title }) => ({
    name: t(title ?? String(day)),
    words: hours.filter((one) => one.day === day).map(({ from, until }) => `${from}–${until}`),
  }))
  return (
    <ul className={css['week']}>
      {open.map(({ name, words }) => (
        <li key={name}>
          <span>{name}</span> {words.join(', ') || t('platform.form.week.closed')}
        </li>
      ))}
    </ul>
  )
}

/** A list entry on one line, its values in field order; a bare number has the label of its field before it. */
function Line({ schema, data }: { schema: FormSchema; data: { [name: string]: unknown } }) {
  const { t } = useTexts()
  return fieldsOf(schema)
    .filter(({ name }) => !isBlank(data[name]))
    .map(({ name, schema: field }, place) => (
      <Fragment key={name}>
        {place > 0 && ' · '}
        {typeof data[name] === 'number' && !field['x-unit'] && field.title && `${t(field.title)} `}
        <Value schema={field} value={data[name]} />
      </Fragment>
    ))
}

interface Item {
  title: string
  data: { [name: string]: unknown }
}

const useItem = (register: string | undefined, id: unknown) =>
  useRead<Item>(
    register && typeof id === 'string' // Only its title is needed; reading sensitive fields would be audited.
      ? `/api/registers/${register}/items/${encodeURIComponent(id)}?sensitive=false`
      : null,
  )

/** A list entry of the register entry in another field; its id if that no longer has it. */
function EntryTitle({ of, id }: { of: NonNullable<FormSchema['x-entry-of']>; id: string }) {
  const whole = useContext(Whole)
  const field = fieldsOf(whole?.schema ?? {}).find(({ name }) => `/${name}` === of.item)
  const { data } = useItem(field?.schema['x-register'], at(whole?.data, of.item))
  const entries = at(data?.data, of.list)
  const entry = Array.isArray(entries) ? entries.find((each) => at(each, of.id) === id) : undefined
  return String(at(entry, of.title) ?? id)
}

function ItemTitle({ register, id }: { register: string; id: string }) {
  const { t } = useTexts()
  const told = useContext(Titles)[id]
  // It is told to all readers, also where they do not see the entry. The colour of a faculty is in its entry alone.
  const known = told !== undefined && !isFaculty(register)
  const { data, error } = useItem(known ? undefined : register, id)
  if (known || (error && told !== undefined)) return told
  if (error) return <span className={css['faint']}>{t('platform.record.not-readable')}</span>
  const title = data?.title ?? '…'
  return isFaculty(register) ? <FacultyDot theme={data?.data['theme']}>{title}</FacultyDot> : title
}
