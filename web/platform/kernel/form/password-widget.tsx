import { Input, type InputProps } from 'antd'
import { useState } from 'react'
import { useTexts } from '../texts/texts.ts'
import css from './form.module.css'
import { described, type WidgetProps } from './widget.ts'

/** A password input with a button that shows the text; keyboard users reach it too. */
export function PasswordInput(props: InputProps) {
  const { t } = useTexts()
  const [shown, setShown] = useState(false)
  return (
    <Input
      {...props}
      type={shown ? 'text' : 'password'}
      autoCapitalize="none"
      spellCheck={false}
      suffix={
        <button
          type="button"
          className={css['show']}
          aria-pressed={shown}
          aria-controls={props.id}
          onClick={() => setShown(!shown)}
        >
          {t(shown ? 'platform.form.hide' : 'platform.form.show')}
        </button>
      }
    />
  )
}

/** A password in a form; `new-password` unless the form says otherwise. */
export function PasswordWidget(props: WidgetProps) {
  const { id, schema, value, onChange, wrong } = props
  return (
    <PasswordInput
      id={id}
      value={typeof value === 'string' ? value : ''}
      autoComplete={schema['x-autocomplete'] ?? 'new-password'}
      style={{ maxWidth: 480 }}
      {...(wrong ? { status: 'error' as const } : {})}
      {...described(props)}
      onChange={(event) => onChange(event.target.value || undefined)}
    />
  )
}
