import { Input, Select } from 'antd'
import { useId, useState, type ReactNode } from 'react'
import { PlainSelect } from '../../../kernel/form/plain-select.tsx'
import { useTexts } from '../../../kernel/texts/texts.ts'
import { spanOf, spanUnits, writtenSpan, type SpanUnit, unitOf } from '../model/duration.ts'
import css from './fields.module.css'

interface FieldProps {
  label: string
  help?: ReactNode
  children(id: string): ReactNode
}

/** One property of an element, with its label. */
function Field({ label, help, children }: FieldProps) {
  const id = useId()
  return (
    <div className={css['field']}>
      <label htmlFor={id}>{label}</label>
      {children(id)}
      {help && <p className={css['help']}>{help}</p>}
    </div>
  )
}

interface TextFieldProps {
  label: string
  help?: ReactNode
  value: string
  disabled: boolean
  lines?: boolean
  onChange(value: string): void
}

/** Free text, such as a label: saved on blur, so that one undo step reverts it. */
export function TextField({ label, help, value, disabled, lines = false, onChange }: TextFieldProps) {
  const [typed, setTyped] = useState(value)
  const [known, setKnown] = useState(value)
  if (known !== value) {
    setKnown(value)
    setTyped(value)
  }
  const keep = () => {
    if (typed !== value) onChange(typed)
  }
  const shared = { value: typed, disabled, onBlur: keep }
  return (
    <Field label={label} help={help}>
      {(id) =>
        lines ? (
          <Input.TextArea
            {...shared}
            id={id}
            autoSize={{ minRows: 1, maxRows: 6 }}
            onPressEnter={(event) => {
              if (event.shiftKey) return
              event.preventDefault()
              keep()
            }}
            onChange={({ target }) => setTyped(target.value)}
          />
        ) : (
          <Input {...shared} id={id} onPressEnter={keep} onChange={({ target }) => setTyped(target.value)} />
        )
      }
    </Field>
  )
}

interface SpanFieldProps {
  label: string
  /** `workday3`, `P2D`… */
  value: string | undefined
  /** The error message. */
  problem: string | undefined
  disabled: boolean
  onChange(value: string | undefined): void
}

const isNumber = (text: string) => /^\d*$/.test(text)

/** A length of time: a number, saved on blur, and its unit. */
export function SpanField({ label, value, problem, disabled, onChange }: SpanFieldProps) {
  const { t } = useTexts()
  const id = useId()
  const span = value === undefined ? undefined : spanOf(value)
  const [typed, setTyped] = useState(String(span?.count ?? ''))
  const [unit, setUnit] = useState<SpanUnit>(span?.unit ?? 'workdays')
  const [known, setKnown] = useState(value)
  if (known !== value) {
    setKnown(value)
    setTyped(String(span?.count ?? ''))
    if (span) setUnit(span.unit)
  }
  const wrong = isNumber(typed) ? problem : t('platform.studio-promise.no-number')
  const keep = (count: string, of: SpanUnit) => {
    const next = count === '' ? undefined : writtenSpan({ count: Number(count), unit: of })
    if (isNumber(count) && next !== value) onChange(next)
  }
  const leave = () => {
    // An unreadable value stays until a valid one replaces it.
    if (typed !== String(span?.count ?? '')) keep(typed, unit)
  }
  return (
    <Field label={label}>
      {(input) => (
        <>
          <span className={css['span']}>
            <Input
              id={input}
              inputMode="numeric"
              autoComplete="off"
              maxLength={5}
              allowClear
              value={typed}
              disabled={disabled}
              aria-invalid={wrong !== undefined}
              aria-describedby={wrong === undefined ? undefined : id}
              onBlur={leave}
              onPressEnter={leave}
              onChange={({ target, type }) => {
                setTyped(target.value.trim())
                // The clear button causes no blur.
                if (type === 'click') keep('', unit)
              }}
            />
            <PlainSelect
              value={unit}
              disabled={disabled}
              aria-label={t('platform.studio-promise.unit', { label })}
              onChange={({ target }) => {
                const next = unitOf(spanUnits, target.value)
                setUnit(next)
                keep(typed, next)
              }}
            >
              {spanUnits
                .filter((one) => one !== 'minutes' || unit === 'minutes')
                .map((one) => (
                  <option key={one} value={one}>
                    {t(`platform.studio-promise.unit.${one}`)}
                  </option>
                ))}
            </PlainSelect>
          </span>
          {wrong !== undefined && (
            <p id={id} role="status" className={css['wrong']}>
              {wrong}
            </p>
          )}
        </>
      )}
    </Field>
  )
}

export interface Option {
  value: string
  label: string
}

interface ChoiceProps {
  label: string
  help?: ReactNode
  value: string | undefined
  options: readonly Option[]
  disabled: boolean
  clears?: boolean
  onChange(value: string | undefined): void
}

/** One of a list, found by typing; a value in the model that the list lacks is still shown. */
export function Choice({ label, help, value, options, disabled, clears = true, onChange }: ChoiceProps) {
  return (
    <Field label={label} help={help}>
      {(id) => (
        <Select
          id={id}
          value={value ?? null}
          options={withValue(options, value === undefined ? [] : [value])}
          disabled={disabled}
          allowClear={clears}
          showSearch={{ optionFilterProp: 'label' }}
          popupMatchSelectWidth={320}
          onChange={(chosen: string | null | undefined) => onChange(chosen ?? undefined)}
        />
      )}
    </Field>
  )
}

interface ChoicesProps {
  label: string
  help?: ReactNode
  value: readonly string[]
  options: readonly Option[]
  disabled: boolean
  onChange(value: string[]): void
}

export function Choices({ label, help, value, options, disabled, onChange }: ChoicesProps) {
  return (
    <Field label={label} help={help}>
      {(id) => (
        <Select
          id={id}
          mode="multiple"
          value={[...value]}
          options={withValue(options, value)}
          disabled={disabled}
          showSearch={{ optionFilterProp: 'label' }}
          popupMatchSelectWidth={320}
          onChange={(chosen: string[]) => onChange(chosen)}
        />
      )}
    </Field>
  )
}

function withValue(options: readonly Option[], values: readonly string[]): Option[] {
  const known = new Set(options.map((option) => option.value))
  return [...options, ...values.filter((value) => !known.has(value)).map((value) => ({ value, label: value }))]
}
