import { Button } from 'antd'
import { at, fieldsOf, isRecord } from '../record/fields.ts'
import { Value } from '../record/record.tsx'
import { useFormats } from '../texts/formats.ts'
import { useTexts } from '../texts/texts.ts'
import type { FormSchema } from '../client/types.ts'
import type { FormValue } from './conditions.ts'
import { plainKindOf, Widget } from './field.tsx'
import { useForm } from './form-context.ts'
import css from './form.module.css'
import { Moves } from './moves.tsx'
import { TableCount } from './table-count.tsx'
import { kindOf, type WidgetProps } from './widget.ts'

const isNumber = ({ type }: FormSchema) => type === 'integer' || type === 'number'

/** The product of the fields that make up a value, if all of them are numbers. */
function productOf(row: FormValue, factors: string[]): number | undefined {
  const numbers = factors.map((name) => row[name])
  return numbers.every((one) => typeof one === 'number') ? numbers.reduce((all, one) => all * one, 1) : undefined
}

/** A list as a table, with computed values per row and the sums. */
export default function TableWidget({ id, schema, value, onChange, pointer }: WidgetProps) {
  const { t } = useTexts()
  const { money } = useFormats()
  const { idOf, of } = useForm()
  const each = schema.items ?? {}
  const columns = fieldsOf(each)
  const rows = Array.isArray(value) ? value.filter(isRecord) : []
  const most = schema.maxItems ?? Infinity
  const labelOf = (field: FormSchema, name: string) => (field.title ? t(field.title) : name)

  // Read-only columns mean that the rows are given: none can be added or removed.
  const given = columns.some(({ schema: field }) => field.readOnly)

  const put = (changed: FormValue[]) => onChange(changed.length > 0 ? changed : undefined)
  const change = (place: number, name: string, entered: unknown) => {
    const row = { ...rows[place], [name]: entered }
    for (const { name: made, schema: field } of columns)
      if (field['x-product']) row[made] = productOf(row, field['x-product'])
    put(rows.map((old, index) => (index === place ? row : old)))
  }
  const add = () => {
    put([...rows, {}])
    const first = columns[0]?.name ?? ''
    requestAnimationFrame(() => document.getElementById(idOf(`${pointer}/${rows.length}/${first}`))?.focus())
  }
  const remove = (place: number) => {
    put(rows.filter((_, index) => index !== place))
    requestAnimationFrame(() => document.getElementById(id)?.focus())
  }

  const summed = schema['x-total']
  const total = rows.reduce((all, row) => {
    const amount = summed && row[summed]
    return typeof amount === 'number' ? all + amount : all
  }, 0)
  const against = schema['x-against']
  const limit = against && at(of, against.amount)

  return (
    <>
      {rows.length > 0 && (
        <table className={css['table']}>
          <thead>
            <tr>
              {columns.map(({ name, schema: field }) => (
                <th key={name} scope="col" data-number={field['x-product'] ? true : undefined}>
                  {labelOf(field, name)}
                </th>
              ))}
              {!given && (
                <th>
                  <span className="visually-hidden">{t('platform.form.remove')}</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, place) => (
              <tr key={place}>
                {columns.map(({ name, schema: field }) => (
                  <Cell
                    key={name}
                    pointer={`${pointer}/${place}/${name}`}
                    schema={field}
                    label={labelOf(field, name)}
                    row={place + 1}
                    required={each.required?.includes(name) ?? false}
                    value={row[name]}
                    onChange={(entered) => change(place, name, entered)}
                  />
                ))}
                {!given && (
                  <td className={css['acts']}>
                    {schema['x-ordered'] && (
                      <Moves rows={rows} at={place} name={t('platform.moves.row', { row: place + 1 })} onMove={put} />
                    )}
                    <Button
                      type="text"
                      aria-label={t('platform.form.remove-row', { row: place + 1 })}
                      onClick={() => remove(place)}
                    >
                      {t('platform.form.remove')}
                    </Button>
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {!given && rows.length < most && (
        <Button id={id} onClick={add}>
          {t(schema['x-add'] ?? 'platform.form.add')}
        </Button>
      )}
      {schema['x-counts'] && <TableCount pointer={pointer} counts={schema['x-counts']} rows={rows} />}
      {summed && (
        <p aria-live="polite" className={css['total']}>
          {t('platform.form.total')} <strong>{money(total)}</strong>
          {against && typeof limit === 'number' && (
            <span className={total > limit ? css['over'] : undefined}>
              {' '}
              {t(against.title, { amount: money(limit) })}
            </span>
          )}
        </p>
      )}
    </>
  )
}

interface CellProps {
  pointer: string
  schema: FormSchema
  /** Column title. */
  label: string
  row: number
  required: boolean
  value: unknown
  onChange(value: unknown): void
}

/** A cell: an input, a computed value, or read-only. */
function Cell({ pointer, schema, label, row, required, value, onChange }: CellProps) {
  const { t } = useTexts()
  const { money } = useFormats()
  const { idOf, errors, beside } = useForm()
  const note = beside?.notes.find(({ field }) => field === pointer)
  const error = errors.get(pointer)
  const id = idOf(pointer)
  const computed = schema['x-product'] ? true : undefined
  return (
    <td
      data-label={label}
      data-number={computed}
      data-computed={computed}
      data-typed={computed || schema.readOnly ? undefined : kindOf(schema)}
    >
      {error && (
        <p id={`${id}-error`} className={css['error']}>
          {error}
        </p>
      )}
      {computed ? (
        <output>{typeof value === 'number' ? money(value) : '–'}</output>
      ) : schema.readOnly ? (
        <Value schema={schema} value={value} />
      ) : (
        <>
          <label className="visually-hidden" htmlFor={id}>
            {t('platform.form.cell', { label, row })}
          </label>
          <Widget
            kind={inCell(schema)}
            id={id}
            pointer={pointer}
            schema={schema}
            value={value}
            wrong={error !== undefined}
            required={required}
            describedBy={[error && `${id}-error`, note && `${id}-note`].filter(Boolean).join(' ') || undefined}
            onChange={onChange}
          />
          {note && (
            <p id={`${id}-note`} className={css['note']} data-short={note.short || undefined}>
              {note.text}
            </p>
          )}
        </>
      )}
    </td>
  )
}

/** In a cell, choices are always a drop-down, except of numbers. */
function inCell(field: FormSchema) {
  const kind = plainKindOf(field)
  return kind === 'radio' && !isNumber(field) ? 'select' : kind
}
