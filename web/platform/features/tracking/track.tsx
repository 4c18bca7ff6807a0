import { Alert, Button, Form, Input } from 'antd'
import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { useSearch } from 'wouter'
import { Problem } from '../../kernel/client/client.ts'
import {
  dropTracking,
  heldTracking,
  mailTrackingAddress,
  openTracking,
  type Tracking,
} from '../../kernel/api/tracking.ts'
import { forgetAllKept } from '../../kernel/session/typed.ts'
import type { PageProps } from '../../kernel/screens/page.ts'
import { useAct } from '../../kernel/states/act.ts'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { inWords } from '../../kernel/states/trouble.tsx'
import { useTexts, wantStaffTexts } from '../../kernel/texts/texts.ts'
import css from './tracking.module.css'

/** Forms and statuses need the texts behind the sign-in; they load after access is granted. */
const Tracked = lazy(async () => {
  const [tracked] = await Promise.all([import('./tracked.tsx'), wantStaffTexts()])
  return tracked
})

/** The fragment of a mailed address, which neither logs nor other sites get. */
function mailed(): { reference: string; secret: string } | undefined {
  const [reference, secret] = decoded(window.location.hash.slice(1)).split('/')
  return reference && secret ? { reference, secret } : undefined
}

/** A mail program may have broken the address; then it is ignored. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

/** /track: follows one case by its case number and secret, without an account. */
export default function Track({ title }: PageProps) {
  const { t } = useTexts()
  const [tracking, setTracking] = useState<Tracking | undefined>(heldTracking)
  const [over, setOver] = useState(false)
  if (tracking)
    return (
      <Suspense fallback={<div className={css['page']}>{<Skeleton lines={8} />}</div>}>
        <Tracked
          tracking={tracking}
          leave={(late) => {
            dropTracking()
            if (!late) forgetAllKept()
            setOver(late)
            setTracking(undefined)
          }}
        />
      </Suspense>
    )
  return <Entry title={t(title)} over={over} arrive={setTracking} />
}

interface Given {
  reference: string
  secret: string
}

function Entry({ title, over, arrive }: { title: string; over: boolean; arrive(tracking: Tracking): void }) {
  const { t } = useTexts()
  const [form] = Form.useForm<Given>()
  const search = useSearch()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<unknown>()
  const [lost, setLost] = useState(false)

  const enter = async ({ reference, secret }: Given) => {
    setBusy(true)
    setProblem(undefined)
    try {
      arrive(await openTracking(reference.trim(), secret.trim()))
    } catch (error) {
      setProblem(error)
    } finally {
      setBusy(false)
    }
  }
  const begin = useEffectEvent(() => {
    const given = mailed()
    if (!given) return
    // The secret stays neither in the address bar nor in the browser's history.
    window.history.replaceState(null, '', '/track')
    form.setFieldsValue(given)
    void enter(given)
  })
  useEffect(() => {
    const timer = setTimeout(() => begin())
    return () => clearTimeout(timer)
  }, [])

  const refused = problem instanceof Problem && problem.status > 0 && problem.status < 500 && problem.detail
  const words = problem === undefined ? undefined : inWords(problem, t)
  return (
    <div className={css['entry']}>
      <h1>{title}</h1>
      <p>{t('platform.track.about')}</p>
      {over && <p className={css['over']}>{t('platform.track.over')}</p>}
      <Form
        form={form}
        layout="vertical"
        requiredMark={false}
        validateTrigger="onSubmit"
        initialValues={{ reference: new URLSearchParams(search).get('reference') ?? '' }}
        onFinish={(given) => void enter(given)}
      >
        <Form.Item
          name="reference"
          label={t('platform.track.reference')}
          rules={[{ required: true, whitespace: true, message: t('platform.field-required') }]}
        >
          <Input autoComplete="off" autoCapitalize="characters" spellCheck={false} placeholder="RB-2026-000001" />
        </Form.Item>
        <Form.Item
          name="secret"
          label={t('platform.track.secret')}
          rules={[{ required: true, whitespace: true, message: t('platform.field-required') }]}
        >
          <Input.Password autoComplete="off" spellCheck={false} visibilityToggle={false} />
        </Form.Item>
        {words && (
          <Alert
            className={css['alert']}
            type="error"
            role="alert"
            title={refused || words.title}
            {...(refused ? {} : { description: words.detail })}
          />
        )}
        <Button type="primary" size="large" htmlType="submit" loading={busy}>
          {t('platform.track.enter')}
        </Button>
      </Form>
      <p className={css['lost']}>
        {lost ? (
          <Lost reference={String(form.getFieldValue('reference') ?? '')} />
        ) : (
          <Button type="link" onClick={() => setLost(true)}>
            {t('platform.track.lost')}
          </Button>
        )}
      </p>
    </div>
  )
}

/** Requests another email with the tracking address. */
function Lost({ reference }: { reference: string }) {
  const { t } = useTexts()
  const act = useAct()
  const [form] = Form.useForm<{ reference: string; email: string }>()
  const [sent, setSent] = useState(false)
  if (sent) return <span role="status">{t('platform.track.lost-sent')}</span>
  const required = { required: true, whitespace: true, message: t('platform.field-required') }
  return (
    <Form
      form={form}
      component="form"
      layout="vertical"
      requiredMark={false}
      validateTrigger="onSubmit"
      initialValues={{ reference }}
      onFinish={(given) =>
        void act.run(() => mailTrackingAddress(given.reference.trim(), given.email.trim()), form).then(setSent)
      }
    >
      <h2>{t('platform.track.lost')}</h2>
      <Form.Item name="reference" label={t('platform.track.reference')} rules={[required]}>
        <Input autoComplete="off" />
      </Form.Item>
      <Form.Item name="email" label={t('platform.track.email')} rules={[required]}>
        <Input type="email" autoComplete="email" />
      </Form.Item>
      {act.refusal && <Alert className={css['alert']} type="error" role="alert" title={act.refusal} />}
      <Button htmlType="submit" loading={act.busy}>
        {t('platform.track.lost-send')}
      </Button>
    </Form>
  )
}
