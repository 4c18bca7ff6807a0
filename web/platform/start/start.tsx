import { Alert, Button } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { Redirect, useLocation } from 'wouter'
import { submitCase } from '../api/cases.ts'
import { Problem } from '../api/client.ts'
import { useFlow } from '../api/flows.ts'
import type { Flow } from '../api/types.ts'
import { startingValue, type FormValue } from '../form/conditions.ts'
import { SchemaForm, type FormHandle } from '../form/schema-form.tsx'
import { useSending } from '../form/send.ts'
import type { PageProps } from '../router/page.ts'
import { useMe } from '../session/session.ts'
import { Skeleton } from '../states/skeleton.tsx'
import { Trouble } from '../states/trouble.tsx'
import { hasText, useTexts } from '../texts/texts.ts'
import css from './start.module.css'

/** The form that starts a flow: what it is for, the questions, and what happens after sending. */
export default function Start({ params, parameters }: PageProps) {
  const { t } = useTexts()
  const own = typeof parameters['flow'] === 'string' ? parameters['flow'] : undefined
  const { data, error, mutate } = useFlow(own ?? `${params['area']}/${params['flow']}`)
  useEffect(() => {
    if (data) document.title = t('platform.page-title', { title: t(data.title) })
  }, [t, data])
  // A flow with a page of its own is started there.
  if (data?.manifest.startPage && own === undefined) return <Redirect to={data.manifest.startPage} replace />
  return (
    <article className={css['start']}>
      {data ? (
        <Opened key={data.form.hash} flow={data} />
      ) : error ? (
        <Trouble error={error} onRetry={() => void mutate()} />
      ) : (
        <Skeleton lines={8} />
      )}
    </article>
  )
}

/** No answer, or a fault: it may have been received all the same. */
const isDoubtful = (error: unknown) => error instanceof Problem && (error.status === 0 || error.status >= 500)

/** A key that no other sending has; `randomUUID` is missing outside https. */
const newKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

interface Draft {
  key: string
  value: FormValue
}

/** What was typed survives a reload and a new sign-in in this tab; closing the tab forgets it, as a shared computer should. */
function useDraft(flow: Flow) {
  const me = useMe()
  const place = `prakriya.draft.${me.id}.${flow.form.hash}`
  const [draft, setDraft] = useState<Draft>(() => {
    const kept = sessionStorage.getItem(place)
    return kept ? (JSON.parse(kept) as Draft) : { key: newKey(), value: startingValue(flow.form.schema) }
  })
  const keep = (next: Draft) => {
    sessionStorage.setItem(place, JSON.stringify(next))
    setDraft(next)
  }
  return {
    ...draft,
    change: (value: FormValue) => keep({ ...draft, value }),
    /** What was refused is another request when it is sent again. */
    renew: () => keep({ ...draft, key: newKey() }),
    forget: () => sessionStorage.removeItem(place),
  }
}

function Opened({ flow }: { flow: Flow }) {
  const { t } = useTexts()
  const [, navigate] = useLocation()
  const draft = useDraft(flow)
  const form = useRef<FormHandle>(null)
  const { busy, problem, words, send } = useSending(form)
  const next = `${flow.title}-next`

  const begin = () =>
    send(
      async (data) => {
        const { id } = await submitCase(flow.flow, data, draft.key)
        draft.forget()
        navigate(`/cases/${id}?sent`)
      },
      (error) => {
        if (!isDoubtful(error)) draft.renew()
      },
    )

  return (
    <>
      <h1>{t(flow.title)}</h1>
      {flow.description && <p className={css['about']}>{t(flow.description)}</p>}
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void begin()
        }}
      >
        <SchemaForm ref={form} form={flow.form} value={draft.value} onChange={draft.change} />
        {words && (
          <Alert
            className={css['problem']}
            type="error"
            role="alert"
            title={words.title}
            description={isDoubtful(problem) ? t('platform.start.doubtful') : words.detail}
          />
        )}
        <Button type="primary" htmlType="submit" size="large" loading={busy}>
          {t('platform.start.send')}
        </Button>
        <p className={css['next']}>{t(hasText(next) ? next : 'platform.start.next')}</p>
      </form>
    </>
  )
}
