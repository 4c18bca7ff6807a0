import { App, Form, Input, Typography } from 'antd'
import { useState } from 'react'
import { beginTotp, confirmTotp, type TotpSecret } from '../../kernel/api/me.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './account.module.css'
import { useAct } from '../../kernel/states/act.ts'
import { FormDialog } from '../../kernel/form/form-dialog.tsx'
import { PasswordField } from './ask-password.tsx'
import CodesDialog from './codes-dialog.tsx'

/** Sets up an authenticator app: password, then QR code or secret and a first code, then recovery codes. */
export default function TotpDialog({ close }: { close(): void }) {
  const { t } = useTexts()
  const { message } = App.useApp()
  const act = useAct()
  const [form] = Form.useForm<{ password: string; code: string }>()
  const [secret, setSecret] = useState<TotpSecret>()
  const [codes, setCodes] = useState<string[]>()

  const begin = ({ password }: { password: string }) => act.run(async () => setSecret(await beginTotp(password)), form)
  const confirm = ({ code }: { code: string }) =>
    act.run(async () => {
      setCodes((await confirmTotp(code.replaceAll(/\s/g, ''))).recoveryCodes)
      void message.success(t('platform.profile.totp-saved'))
    }, form)

  if (codes) return <CodesDialog codes={codes} close={close} />
  return (
    <FormDialog
      width={480}
      title={t('platform.profile.totp-title')}
      verb={t(secret ? 'platform.profile.totp-confirm' : 'platform.profile.next')}
      keep={t('platform.profile.keep')}
      act={act}
      form={form}
      name="totp"
      scrollToFirstError={{ focus: true }}
      className={css['dialog']}
      onFinish={(values) => void (secret ? confirm(values) : begin(values))}
      close={close}
    >
      {secret ? (
        <>
          <p>{t('platform.profile.totp-scan')}</p>
          <img
            className={css['qr']}
            src={`data:image/svg+xml,${encodeURIComponent(secret.qr)}`}
            alt={t('platform.profile.totp-picture')}
            width={184}
            height={184}
          />
          <p className={css['help']}>{t('platform.profile.totp-typed')}</p>
          <p className={css['secret']}>
            <Typography.Text copyable={{ text: secret.secret }}>
              <code>{secret.secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code>
            </Typography.Text>
          </p>
          <Form.Item
            name="code"
            label={t('platform.profile.totp-code')}
            rules={[{ required: true, pattern: /^\s*(?:\d\s*){6}$/, message: t('platform.profile.totp-code-wrong') }]}
            validateTrigger="onSubmit"
          >
            <Input
              // oxlint-disable-next-line jsx-a11y/no-autofocus -- what one comes back with from the telephone
              autoFocus
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={10}
              className={css['code']}
            />
          </Form.Item>
        </>
      ) : (
        <>
          <p>{t('platform.profile.totp-begin')}</p>
          <PasswordField />
        </>
      )}
    </FormDialog>
  )
}
