import { App, Button } from 'antd'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { Link } from 'wouter'
import { newRecoveryCodes, removePasskey, removeTotp, usePasskeys, type Passkey } from '../../kernel/api/me.ts'
import { useMe } from '../../kernel/session/session.ts'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './account.module.css'
import { AskPassword } from './ask-password.tsx'

const TotpDialog = lazy(() => import('./totp-dialog.tsx'))
const PasskeyDialog = lazy(() => import('./passkey-dialog.tsx'))
const CodesDialog = lazy(() => import('./codes-dialog.tsx'))

/** The second factor: an authenticator app, passkeys, and recovery codes for when both are lost. */
export function SecondFactor() {
  const { t } = useTexts()
  const me = useMe()
  const { totp, passkeys, recoveryCodes } = me.secondFactor
  const on = totp || passkeys > 0
  const [open, setOpen] = useState<'set-up' | 'turn-off' | 'codes'>()
  const [codes, setCodes] = useState<string[]>()
  const close = () => setOpen(undefined)

  // Each change asks for the password, so the account must have one.
  if (!me.setPasswordAt)
    return (
      <p>
        {t('platform.profile.password-none')}{' '}
        <Link href="/session/forgot-password">{t('platform.profile.password-first')}</Link>
      </p>
    )
  return (
    <>
      <ul className={css['rows']}>
        <Row
          title={t('platform.profile.totp')}
          detail={t(totp ? 'platform.profile.totp-on' : 'platform.profile.totp-off')}
          done={totp}
        >
          <Button size="small" onClick={() => setOpen(totp ? 'turn-off' : 'set-up')}>
            {t(totp ? 'platform.profile.totp-turn-off' : 'platform.profile.totp-set-up')}
          </Button>
        </Row>
        {on && (
          <Row
            title={t('platform.profile.codes')}
            detail={t('platform.profile.codes-left', { count: recoveryCodes })}
            done={recoveryCodes > 2}
          >
            <Button size="small" onClick={() => setOpen('codes')}>
              {t('platform.profile.codes-new')}
            </Button>
          </Row>
        )}
      </ul>
      <Passkeys showCodes={setCodes} />
      <Suspense fallback={null}>
        {open === 'set-up' && <TotpDialog close={close} />}
        {codes && <CodesDialog codes={codes} close={() => setCodes(undefined)} />}
      </Suspense>
      {open === 'turn-off' && (
        <AskPassword
          title={t('platform.profile.totp-off-question')}
          detail={t('platform.profile.totp-off-detail')}
          ok={t('platform.profile.totp-off-ok')}
          danger
          onOk={removeTotp}
          close={close}
        />
      )}
      {open === 'codes' && (
        <AskPassword
          title={t('platform.profile.codes-question')}
          detail={t('platform.profile.codes-question-detail')}
          ok={t('platform.profile.codes-ok')}
          onOk={async (password) => setCodes((await newRecoveryCodes(password)).recoveryCodes)}
          close={close}
        />
      )}
    </>
  )
}

function Row({
  title,
  detail,
  done,
  children,
}: {
  title: string
  detail: string
  done?: boolean
  children: ReactNode
}) {
  return (
    <li>
      <strong>{title}</strong>
      <span data-state={done ? 'done' : undefined}>{detail}</span>
      {children}
    </li>
  )
}

function Passkeys({ showCodes }: { showCodes(codes: string[]): void }) {
  const { t } = useTexts()
  const { data, error, mutate } = usePasskeys()
  const [adding, setAdding] = useState(false)
  const able = typeof PublicKeyCredential === 'function'
  return (
    <div className={css['passkeys']}>
      <h3>{t('platform.profile.passkeys')}</h3>
      {error && !data ? (
        <Trouble error={error} onRetry={() => void mutate()} />
      ) : data && data.items.length > 0 ? (
        <ul className={css['rows']}>
          {data.items.map((each) => (
            <OnePasskey key={each.id} of={each} />
          ))}
        </ul>
      ) : (
        <p className={css['help']}>{t('platform.profile.passkeys-none')}</p>
      )}
      <Button disabled={!able} onClick={() => setAdding(true)}>
        {t('platform.profile.passkey-add')}
      </Button>
      {!able && <p className={css['help']}>{t('platform.profile.passkey-unable')}</p>}
      {adding && (
        <Suspense fallback={null}>
          <PasskeyDialog showCodes={showCodes} close={() => setAdding(false)} />
        </Suspense>
      )}
    </div>
  )
}

function OnePasskey({ of }: { of: Passkey }) {
  const { t } = useTexts()
  const { day } = useFormats()
  const { message } = App.useApp()
  const [removing, setRemoving] = useState(false)
  return (
    <Row
      title={of.name}
      detail={[
        t('platform.profile.passkey-since', { day: day(of.createdAt) }),
        of.lastUsedAt && t('platform.profile.passkey-used', { day: day(of.lastUsedAt) }),
      ]
        .filter(Boolean)
        .join(' · ')}
    >
      <Button
        size="small"
        aria-label={t('platform.profile.passkey-remove-of', { name: of.name })}
        onClick={() => setRemoving(true)}
      >
        {t('platform.profile.passkey-remove')}
      </Button>
      {removing && (
        <AskPassword
          title={t('platform.profile.passkey-remove-question', { name: of.name })}
          detail={t('platform.profile.passkey-remove-detail')}
          ok={t('platform.profile.passkey-remove-ok')}
          danger
          onOk={async (password) => {
            await removePasskey(of.id, password)
            void message.success(t('platform.profile.passkey-removed', { name: of.name }))
          }}
          close={() => setRemoving(false)}
        />
      )}
    </Row>
  )
}
