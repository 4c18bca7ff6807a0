import { Alert, Button } from 'antd'
import { useRef } from 'react'
import { Problem } from '../../kernel/client/client.ts'
import { sendable, type FormValue } from '../../kernel/form/conditions.ts'
import { SchemaForm, type FormHandle } from '../../kernel/form/schema-form.tsx'
import { useSending } from '../../kernel/form/send.ts'
import page from '../../kernel/page/page.module.css'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './register.module.css'
import type { Register } from './registers.ts'

const formOf = ({ register, item }: Register) => ({ key: register, schema: item })

interface EditorProps {
  register: Register
  value: FormValue
  setValue(value: FormValue): void
  save(data: FormValue): Promise<void>
  cancel(): void
}

export function Editor({ register, value, setValue, save, cancel }: EditorProps) {
  const { t } = useTexts()
  const form = useRef<FormHandle>(null)
  const { busy, problem, words, send } = useSending(form)
  const fields = register.item.properties ?? {}
  // An error shown at its field needs no message below.
  const atField =
    problem instanceof Problem && problem.errors.some(({ field }) => (field.split('/')[1] ?? '') in fields)
  return (
    <form
      noValidate
      className={css.editor}
      onSubmit={(event) => {
        event.preventDefault()
        void send(() => save(sendable(register.item, value)))
      }}
    >
      <SchemaForm ref={form} form={formOf(register)} value={value} onChange={setValue} />
      {words && !atField && (
        <Alert type="error" role="alert" className={css.conflict} title={words.title} description={words.detail} />
      )}
      <div className={page.acts}>
        <Button type="primary" htmlType="submit" loading={busy}>
          {t('platform.register-page.save')}
        </Button>
        <Button onClick={cancel}>{t('platform.cancel')}</Button>
      </div>
    </form>
  )
}
