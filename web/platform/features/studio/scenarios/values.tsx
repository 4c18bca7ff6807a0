import { Button, InputNumber } from 'antd'
import type { FormSchema } from '../../../kernel/client/types.ts'
import type { FormValue } from '../../../kernel/form/conditions.ts'
import { PlainSelect } from '../../../kernel/form/plain-select.tsx'
import { SchemaForm } from '../../../kernel/form/schema-form.tsx'
import { useTexts } from '../../../kernel/texts/texts.ts'
import { asDuration, durationOf, unitNames, type Unit, unitOf } from '../model/duration.ts'
import css from './panel.module.css'
import { asLists, besides, distinct, valuesOf, type Values } from './shape.ts'

interface GivenProps {
  schema: FormSchema
  moments: readonly Named[]
  values: Values
  /** The label of a moment, given as a length of time. */
  after(name: string): string
  onChange(values: Values): void
}

/** Values of variables: form fields, moments as lengths of time, and other recorded values. */
export function Given({ schema, moments, values, after, onChange }: GivenProps) {
  const set = (name: string, value?: string) => onChange(valuesOf({ ...values, [name]: value }))
  const known = moments.map(({ id }) => id)
  return (
    <>
      <Fields schema={schema} values={values} onChange={onChange} />
      {moments.map(({ id, name }) => (
        <Moment key={id} label={after(name)} value={values[id]} onChange={(value) => set(id, value)} />
      ))}
      <Besides names={besides(values, schema, known)} values={values} onDrop={set} />
    </>
  )
}

/** The form fields that affect the path, with the form's own widgets. */
export function Fields({
  schema,
  values,
  onChange,
}: {
  schema: FormSchema
  values: Values
  onChange(values: Values): void
}) {
  if (Object.keys(schema.properties ?? {}).length === 0) return null
  return (
    <div className={css['fields']}>
      <SchemaForm
        form={{ key: 'scenario', schema: asLists(schema, values) }}
        value={values}
        onChange={(value: FormValue) => onChange(valuesOf(value))}
      />
    </div>
  )
}

/** Values without a field: kept as recorded until removed. */
export function Besides({ names, values, onDrop }: { names: string[]; values: Values; onDrop(name: string): void }) {
  const { t } = useTexts()
  if (names.length === 0) return null
  return (
    <details className={css['besides']}>
      <summary>{t('platform.studio-scenarios.besides', { count: names.length })}</summary>
      <ul>
        {names.map((name) => (
          <li key={name}>
            {name}: {String(values[name])}{' '}
            <Button
              size="small"
              type="text"
              aria-label={t('platform.studio-scenarios.drop', { name })}
              onClick={() => onDrop(name)}
            >
              ×
            </Button>
          </li>
        ))}
      </ul>
    </details>
  )
}

/** A time after the start of the case, or after the step. */
function Moment({ label, value, onChange }: { label: string; value: unknown; onChange(value?: string): void }) {
  const { t } = useTexts()
  const relative = typeof value === 'string' && value.startsWith('+P') ? value.slice(1) : undefined
  return (
    <div className={css['field']}>
      <span>{label}</span>
      {typeof value === 'string' && relative === undefined ? (
        <span>
          {value}{' '}
          <Button size="small" onClick={() => onChange('+P1D')}>
            {t('platform.studio-scenarios.set-anew')}
          </Button>
        </span>
      ) : (
        <Duration label={label} value={relative} onChange={(duration) => onChange(duration && `+${duration}`)} />
      )}
    </div>
  )
}

interface DurationProps {
  label: string
  value: string | undefined
  onChange(value?: string): void
}

export function Duration({ label, value, onChange }: DurationProps) {
  const { t } = useTexts()
  const { count, unit }: { count: number | null; unit: Unit } =
    value === undefined ? { count: null, unit: 'days' } : durationOf(value)
  return (
    <span className={css['duration']}>
      <InputNumber
        min={0}
        max={100_000}
        precision={0}
        value={count}
        aria-label={label}
        onChange={(changed) => onChange(changed === null ? undefined : asDuration(changed, unit))}
      />
      <PlainSelect
        value={unit}
        aria-label={t('platform.studio-scenarios.unit')}
        onChange={({ target }) => {
          onChange(asDuration(count ?? 1, unitOf(unitNames, target.value)))
        }}
      >
        {unitNames.map((one) => (
          <option key={one} value={one}>
            {t(`platform.studio-scenarios.unit.${one}`)}
          </option>
        ))}
      </PlainSelect>
    </span>
  )
}

interface Named {
  id: string
  name: string
}

interface OneOfProps {
  label: string
  of: readonly Named[]
  value: string | undefined
  /** Shown if nothing is chosen. */
  open?: string
  onChange(id: string): void
}

/** A choice among the diagram's elements; a value that no longer exists is still shown. */
export function OneOf({ label, of, value, open, onChange }: OneOfProps) {
  const known = distinct(of)
  const gone = value !== undefined && !known.some(({ id }) => id === value)
  return (
    <PlainSelect value={value ?? ''} aria-label={label} onChange={({ target }) => onChange(target.value)}>
      {open !== undefined && <option value="">{open}</option>}
      {gone && <option value={value}>{value}</option>}
      {known.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </PlainSelect>
  )
}
