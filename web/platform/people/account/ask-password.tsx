import { Form } from 'antd'
import { PasswordInput } from '../../kernel/form/password-widget.tsx'
import { useMe } from '../../kernel/session/session.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './account.module.css'
import { useAct } from '../../kernel/states/act.ts'
import { FormDialog } from '../../kernel/form/form-dialog.tsx'

interface AskPasswordProps {
  title: string
  detail: string
  ok: string
  danger?: boolean
  onOk(password: string): Promise<unknown>
  close(): void
}

/** Asks for the password again before a security setting changes. */
export function AskPassword({ title, detail, ok, danger = false, onOk, close }: AskPasswordProps) {
  const { t } = useTexts()
  const act = useAct()
  const [form] = Form.useForm<{ password: string }>()
  const go = async ({ password }: { password: string }) => {
    if (await act.run(() => onOk(password), form)) close()
  }
  return (
    <FormDialog
      width={440}
      title={title}
      consequence={<p>{detail}</p>}
      verb={ok}
      keep={t('platform.profile.keep')}
      danger={danger}
      act={act}
      form={form}
      name="ask-password"
      scrollToFirstError={{ focus: true }}
      className={css['dialog']}
      onFinish={(values) => void go(values)}
      close={close}
    >
      <PasswordField />
    </FormDialog>
  )
}

/** The field for the present password; its name is `password`. */
export function PasswordField() {
  const { t } = useTexts()
  const me = useMe()
  return (
    <>
      <input type="text" hidden readOnly autoComplete="username" value={me.username} />
      <Form.Item
        name="password"
        label={t('platform.profile.your-password')}
        rules={[{ required: true, message: t('platform.field-required') }]}
        validateTrigger="onSubmit"
      >
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the one thing the dialog asks for first */}
        <PasswordInput autoFocus autoComplete="current-password" maxLength={200} />
      </Form.Item>
    </>
  )
}
