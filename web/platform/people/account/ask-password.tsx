import { Alert, Form, Modal } from 'antd'
import { PasswordInput } from '../../kernel/form/password-widget.tsx'
import { useMe } from '../../kernel/session/session.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './account.module.css'
import { useAct } from '../../kernel/states/act.ts'

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
    <Modal
      open
      width={440}
      title={title}
      okText={ok}
      okButtonProps={{ danger, loading: act.busy }}
      cancelText={t('platform.profile.keep')}
      onOk={() => form.submit()}
      onCancel={close}
    >
      <p>{detail}</p>
      <Form
        form={form}
        name="ask-password"
        scrollToFirstError={{ focus: true }}
        layout="vertical"
        requiredMark={false}
        className={css['dialog']}
        onFinish={(values) => void go(values)}
      >
        <PasswordField />
        {act.refusal && <Alert type="error" role="alert" title={act.refusal} />}
      </Form>
    </Modal>
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
