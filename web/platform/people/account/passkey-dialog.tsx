import { App, Form, Input } from 'antd'
import { addPasskey } from '../../kernel/api/me.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './account.module.css'
import { Refused, useAct } from '../../kernel/states/act.ts'
import { FormDialog } from '../../kernel/form/form-dialog.tsx'
import { PasswordField } from './ask-password.tsx'
import { deviceOf } from './device.ts'

interface Values {
  name: string
  password: string
}

interface PasskeyDialogProps {
  /** Recovery codes that came with the first second factor. */
  showCodes(codes: string[]): void
  close(): void
}

/** Adds a passkey: name and password, then the device asks for fingerprint, face or PIN. */
export default function PasskeyDialog({ showCodes, close }: PasskeyDialogProps) {
  const { t } = useTexts()
  const { message } = App.useApp()
  const act = useAct()
  const [form] = Form.useForm<Values>()
  const device = deviceOf(navigator.userAgent)

  /** The device's dialog was closed, or the device already has a passkey of this account. */
  const inOwnWords = (error: unknown): unknown => {
    if (!(error instanceof Error) || !/^(NotAllowed|InvalidState|Abort)Error$/.test(error.name)) return error
    const known = error.name === 'InvalidStateError'
    return new Refused(t(known ? 'platform.profile.passkey-known' : 'platform.profile.passkey-refused'))
  }
  const add = ({ name, password }: Values) =>
    act.run(async () => {
      const codes = await addPasskey(name.trim(), password).catch((error: unknown) => {
        throw inOwnWords(error)
      })
      void message.success(t('platform.profile.passkey-added', { name: name.trim() }))
      if (codes) showCodes(codes)
      close()
    }, form)

  return (
    <FormDialog
      width={440}
      title={t('platform.profile.passkey-title')}
      consequence={<p>{t('platform.profile.passkey-begin')}</p>}
      verb={t('platform.profile.next')}
      keep={t('platform.profile.keep')}
      act={act}
      form={form}
      name="passkey"
      scrollToFirstError={{ focus: true }}
      className={css['dialog']}
      initialValues={{ name: device && 'system' in device ? device.system : '' }}
      onFinish={(values) => void add(values)}
      close={close}
    >
      <Form.Item
        name="name"
        label={t('platform.profile.passkey-name')}
        extra={t('platform.profile.passkey-name-help')}
        rules={[{ required: true, whitespace: true, message: t('platform.field-required') }]}
        validateTrigger="onSubmit"
      >
        <Input maxLength={100} />
      </Form.Item>
      <PasswordField />
    </FormDialog>
  )
}
