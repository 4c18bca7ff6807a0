import { Alert, App, Button, Form } from 'antd'
import { Link } from 'wouter'
import { changePassword } from '../../kernel/api/me.ts'
import { PasswordInput } from '../../kernel/form/password-widget.tsx'
import { useMe } from '../../kernel/session/session.ts'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './account.module.css'
import { useAct } from '../../kernel/states/act.ts'

interface Values {
  current: string
  password: string
}

/**
 * At least 8 characters with an upper-case letter, a lower-case letter and a digit; the API also rejects common
 * passwords.
 */
const rule = /^(?=.*\p{Lu})(?=.*\p{Ll})(?=.*\p{Nd}).{8,}$/u

/** Changes the password; all other sessions end. */
export function Password() {
  const { t } = useTexts()
  const { day } = useFormats()
  const me = useMe()
  const { message } = App.useApp()
  const act = useAct()
  const [form] = Form.useForm<Values>()

  if (!me.setPasswordAt)
    return (
      <p>
        {t('platform.profile.password-none')}{' '}
        <Link href="/session/forgot-password">{t('platform.profile.password-first')}</Link>
      </p>
    )
  const save = async ({ current, password }: Values) => {
    if (!(await act.run(() => changePassword(current, password), form))) return
    form.resetFields()
    void message.success(t('platform.profile.password-saved'), 6)
  }
  const required = { required: true, message: t('platform.field-required') }
  return (
    <Form
      form={form}
      name="change-password"
      scrollToFirstError={{ focus: true }}
      layout="vertical"
      requiredMark={false}
      validateTrigger="onBlur"
      onFinish={(values) => void save(values)}
      className={css['narrow']}
    >
      {/* For password managers, which store the two together. */}
      <input type="text" hidden readOnly autoComplete="username" value={me.username} />
      <Form.Item
        name="current"
        label={t('platform.profile.password-current')}
        rules={[required]}
        validateTrigger="onSubmit"
      >
        <PasswordInput autoComplete="current-password" maxLength={200} />
      </Form.Item>
      <Form.Item
        name="password"
        label={t('platform.profile.password-new')}
        extra={t('platform.profile.password-rule')}
        validateFirst
        rules={[
          { ...required, validateTrigger: 'onSubmit' },
          { pattern: rule, message: t('platform.password-rule') },
        ]}
      >
        <PasswordInput autoComplete="new-password" maxLength={200} />
      </Form.Item>
      {act.refusal && <Alert className={css['refusal']} type="error" role="alert" title={act.refusal} />}
      <Button htmlType="submit" loading={act.busy}>
        {t('platform.profile.password-change')}
      </Button>
      <p className={css['help']}>{t('platform.profile.password-since', { day: day(me.setPasswordAt) })}</p>
    </Form>
  )
}
