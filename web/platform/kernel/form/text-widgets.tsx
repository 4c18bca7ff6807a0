import { Input } from 'antd'
import { useState } from 'react'
import { described, type WidgetProps } from './widget.ts'

const textOf = (value: unknown) => (value === undefined || value === null ? '' : String(value))

/** The browser's autocomplete and the phone's keyboard. */
function helpFor({ schema }: WidgetProps): {
  type?: string
  inputMode?: 'numeric' | 'email' | 'url'
  autoComplete?: string
} {
  const pattern = String(schema['pattern'])
  const known = schema['x-autocomplete'] === undefined ? {} : { autoComplete: schema['x-autocomplete'] }
  if (schema.format === 'email') return { type: 'email', inputMode: 'email', autoComplete: 'email', ...known }
  if (/^\^(\\d|\[0-9\])(\{[\d,]+\}|[*+])\$$/.test(pattern)) return { inputMode: 'numeric', ...known }
  if (pattern.startsWith('^https?:')) return { inputMode: 'url', ...known }
  return known
}

export function TextWidget(props: WidgetProps) {
  const { id, schema, value, onChange, wrong } = props
  const longest = schema.maxLength
  return (
    <Input
      id={id}
      value={textOf(value)}
      {...(wrong ? { status: 'error' as const } : {})}
      {...(longest ? { maxLength: longest } : {})}
      {...((longest ? longest <= 40 : schema['pattern']) ? { style: { maxWidth: 280 } } : {})}
      {...helpFor(props)}
      {...described(props)}
      onChange={(event) => onChange(event.target.value || undefined)}
    />
  )
}

export function TextareaWidget(props: WidgetProps) {
  const { id, schema, value, onChange, wrong } = props
  const longest = schema.maxLength
  return (
    <Input.TextArea
      id={id}
      value={textOf(value)}
      autoSize={{ minRows: 3, maxRows: 12 }}
      {...(wrong ? { status: 'error' as const } : {})}
      {...(longest ? { maxLength: longest } : {})}
      {...described(props)}
      onChange={(event) => onChange(event.target.value || undefined)}
    />
  )
}

interface Notation {
  /** The value as people type it. */
  write(value: number): string
  /** The value of a typed text; undefined if it is not valid. */
  read(text: string): number | undefined
}

const whole: Notation = { write: String, read: (text) => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : undefined) }
const rupees: Notation = {
  write: (cents) => (cents % 100 === 0 ? String(cents / 100) : (cents / 100).toFixed(2)),
  read: (text) => (/^\d+(\.\d{1,2})?$/.test(text) ? Math.round(Number(text) * 100) : undefined),
}

/** Keeps the typed text; the form holds the number, or invalid text, which its check rejects. */
function useNotation({ value, onChange }: WidgetProps, notation: Notation) {
  const [typed, setTyped] = useState<string>()
  const shown = typeof value === 'number' ? notation.write(value) : textOf(value)
  const plain = (text: string) => text.replaceAll(/[\s,]/g, '')
  const meant = typed === undefined ? undefined : notation.read(plain(typed))
  return {
    value: typed !== undefined && (meant === value || typed === value) ? typed : shown,
    onChange: (event: { target: { value: string } }) => {
      const text = event.target.value
      setTyped(text)
      onChange(text.trim() === '' ? undefined : (notation.read(plain(text)) ?? text))
    },
    onBlur: () => setTyped(undefined),
  }
}

interface NotationInputProps {
  of: WidgetProps
  notation: Notation
  inputMode: 'numeric' | 'decimal'
  maxWidth: number
  prefix?: string
}

function NotationInput({ of, notation, inputMode, maxWidth, prefix }: NotationInputProps) {
  const typing = useNotation(of, notation)
  return (
    <Input
      id={of.id}
      inputMode={inputMode}
      autoComplete="off"
      prefix={prefix}
      style={{ maxWidth }}
      {...(of.wrong ? { status: 'error' as const } : {})}
      {...described(of)}
      {...typing}
    />
  )
}

export function NumberWidget(props: WidgetProps) {
  return <NotationInput of={props} notation={whole} inputMode="numeric" maxWidth={160} />
}

export function MoneyWidget(props: WidgetProps) {
  return <NotationInput of={props} notation={rupees} inputMode="decimal" maxWidth={200} prefix="Rs." />
}
