import { Alert, Button, Modal } from 'antd'
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react'
import { Link } from 'wouter'
import { mutate } from 'swr'
import { submitCase } from '../../platform/api/cases.ts'
import { Problem } from '../../platform/api/client.ts'
import { useFlow } from '../../platform/api/flows.ts'
import type { Case, FormRef } from '../../platform/api/types.ts'
import { startingValue } from '../../platform/form/conditions.ts'
import { SchemaForm, type FormHandle } from '../../platform/form/schema-form.tsx'
import { Skeleton } from '../../platform/states/skeleton.tsx'
import { inWords, Trouble } from '../../platform/states/trouble.tsx'
import { useFormats } from '../../platform/texts/formats.ts'
import { useTexts } from '../../platform/texts/texts.ts'
import { Picture } from '../catalogue/picture.tsx'
import { extraLine, priceLine } from '../catalogue/price.ts'
import { bookingFlow, holdSlot, pictureOf, releaseHold, type Hold } from '../catalogue/resources.ts'
import type { ResourceDialogProps } from '../catalogue/view-resource.tsx'
import css from './booking.module.css'
import { Booked } from './booked.tsx'
import { DatesStep } from './dates-step.tsx'
import { draftOf, dropDraft, emptyDraft, itemsOf, keepDraft, type Draft } from './draft.ts'
import { EstimateStep, quantitiesAreRight } from './estimate-step.tsx'
import { spanOf } from './slot.ts'

const steps = ['dates', 'estimate', 'event'] as const
/** Of the form, what the first two steps ask. */
const asked: readonly string[] = ['resource', 'from', 'until', 'resource_booking_items']

/** Codes that mean that the slot has to be chosen anew. */
const ofSlot = [
  'resource-reservation.slot-taken',
  'resource-reservation.start-in-past',
  'resource-reservation.start-before-end',
  'platform.span-past',
  'platform.span-empty',
]

/** The event step's part of the booking form; its check is the whole form's, told at the fields that are shown. */
function eventForm(form: FormRef): FormRef {
  const { schema } = form
  const rest = Object.entries(schema.properties ?? {}).filter(([name]) => !asked.includes(name))
  return {
    ...form,
    schema: {
      ...schema,
      properties: Object.fromEntries(rest),
      required: (schema.required ?? []).filter((name) => !asked.includes(name)),
    },
  }
}

/** Booking in three steps: when (which holds the slot for some minutes), what it costs, what it is for. */
export default function BookResource({
  resource,
  owner,
  close,
  open,
  personId,
}: ResourceDialogProps & { personId: string }) {
  const { t } = useTexts()
  const formats = useFormats()
  const { id, data } = resource
  const flow = useFlow(bookingFlow)
  const [step, setStep] = useState(0)
  const [draft, setDraft] = useState<Draft>(() => draftOf(id, personId) ?? emptyDraft)
  const [busy, setBusy] = useState(false)
  /** Why one is back at the dates. */
  const [lost, setLost] = useState<string>()
  const [problem, setProblem] = useState<unknown>()
  const [tried, setTried] = useState(false)
  const [booked, setBooked] = useState<Case>()
  const form = useRef<FormHandle>(null)
  const sent = useRef<{ body: string; key: string }>(undefined)
  const heading = useRef<HTMLHeadingElement>(null)

  const change = (part: Partial<Draft>) =>
    setDraft((before) => {
      const next = { ...before, ...part }
      keepDraft(id, personId, next)
      return next
    })

  const { hold } = draft
  const setHold = (kept: Hold | undefined) => change({ hold: kept })
  // Until something is typed, the event begins with the form's defaults.
  const typed = Object.keys(draft.event).length > 0
  const event = !typed && flow.data ? startingValue(eventForm(flow.data.form).schema) : draft.event

  // A new step is read from its heading on.
  useEffect(() => heading.current?.focus(), [step, booked])

  /** The hold's id stays known: should it still stand on the server, it is one's own and in nobody's way. */
  const backToDates = (why: string) => {
    setStep(0)
    setProblem(undefined)
    setLost(why)
    void mutate((key) => typeof key === 'string' && key.startsWith('/api/public/allocations'))
  }

  // The hold ends by itself: then say so at once and not when everything has been typed.
  const lapse = useEffectEvent(() => {
    if (step > 0) backToDates(t('resource-reservation.hold-lapsed'))
  })
  useEffect(() => {
    if (!hold) return
    const timer = setTimeout(() => lapse(), Math.max(0, Date.parse(hold.expiresAt) - Date.now()))
    return () => clearTimeout(timer)
  }, [hold])

  const giveUp = () => {
    // A hold that cannot be given up ends by itself; nothing is lost for the person.
    if (hold) releaseHold(hold.id).catch((error: unknown) => console.warn('the hold stays until it ends', error))
  }
  /** Closes, and keeps what was typed for another time. */
  const leave = () => {
    giveUp()
    if (!booked) keepDraft(id, personId, { ...draft, hold: undefined })
    close()
  }
  const cancel = () => {
    giveUp()
    dropDraft(id, personId)
    close()
  }

  const refused = (error: unknown) => {
    if (
      error instanceof Problem &&
      (ofSlot.includes(error.code) ||
        error.errors.some(({ field, code }) => ofSlot.includes(code) || ['/from', '/until'].includes(field)))
    ) {
      backToDates(error.errors[0]?.message ?? error.detail ?? t('resource-reservation.slot-taken'))
      return true
    }
    setProblem(error)
    return false
  }

  const span = spanOf(draft.slot)

  const goOn = async () => {
    if (!span) return
    setBusy(true)
    setProblem(undefined)
    setLost(undefined)
    try {
      setHold(await holdSlot({ resource: id, ...span }))
      setStep(1)
    } catch (error) {
      refused(error)
    } finally {
      setBusy(false)
    }
  }

  const toEvent = () => {
    setTried(true)
    setProblem(undefined)
    if (quantitiesAreRight(data.amenities ?? [], draft.quantities)) setStep(2)
    else requestAnimationFrame(() => document.querySelector<HTMLElement>('[data-quantity][aria-invalid=true]')?.focus())
  }

  const book = async () => {
    if (!span || !form.current?.check()) return
    const items = itemsOf(draft.quantities)
    const body = {
      resource: id,
      ...span,
      ...form.current.data(),
      ...(items.length > 0 ? { resource_booking_items: items } : {}),
    }
    const text = JSON.stringify(body)
    // The same booking sent again, after a line that broke, is still one booking.
    if (sent.current?.body !== text) sent.current = { body: text, key: crypto.randomUUID() }
    setBusy(true)
    setProblem(undefined)
    try {
      const made = await submitCase(bookingFlow, body, sent.current.key)
      dropDraft(id, personId)
      setDraft(emptyDraft)
      setTried(false)
      setBooked(made)
      setStep(0)
      void mutate(
        (key) => typeof key === 'string' && (key.startsWith('/api/public/allocations') || key.startsWith('/api/cases')),
      )
    } catch (error) {
      // What was refused is another booking when it is sent again; what got lost on its way is the same.
      if (error instanceof Problem && error.status > 0 && error.status < 500) sent.current = undefined
      if (refused(error)) return
      if (!(error instanceof Problem)) return
      if (error.errors.some(({ field }) => field.startsWith('/resource_booking_items'))) setStep(1)
      else form.current?.show(error.errors)
    } finally {
      setBusy(false)
    }
  }

  const price = [priceLine(data, t, formats), extraLine(data, t, formats)].filter(Boolean).join(' · ')
  const dialog = (title: ReactNode, children: ReactNode, footer: ReactNode) => (
    <Modal
      open
      width={820}
      className={css.dialog}
      title={title}
      onCancel={leave}
      mask={{ closable: false }}
      afterOpenChange={() => heading.current?.focus()}
      footer={footer}
    >
      {children}
    </Modal>
  )

  if (booked) {
    return dialog(
      t('resource-reservation.book-resource'),
      <Booked booked={booked} resource={resource} heading={heading} />,
      <>
        <Button onClick={leave}>{t('resource-reservation.close')}</Button>
        <Link href={`/cases/${booked.id}`} asChild>
          <Button type="primary">{t('resource-reservation.open-case')}</Button>
        </Link>
      </>,
    )
  }

  return dialog(
    t('resource-reservation.book-resource'),
    <>
      <div className={css.resource}>
        <Picture src={pictureOf(data, 'small')} name={data.name} early />
        <div>
          <strong>{data.name}</strong> <span className={css.soft}>{data.resource_ref_id}</span>
          <p className={css.soft}>
            {owner} {data.location && <span className={css.place}>· {data.location}</span>}
          </p>
          {price && <p>{price}</p>}
        </div>
      </div>
      <ol className={css.steps}>
        {steps.map((name, at) => (
          <li key={name} aria-current={at === step ? 'step' : undefined} data-done={at < step || undefined}>
            {t(`resource-reservation.step.${name}`)}
          </li>
        ))}
      </ol>
      {hold && step > 0 && (
        <p className={css.held} role="status">
          {t('resource-reservation.held-until', { time: formats.time(hold.expiresAt) })}
        </p>
      )}
      <h2 ref={heading} tabIndex={-1} className={css.heading}>
        {t(`resource-reservation.step-heading.${steps[step]}`)}
      </h2>
      {problem !== undefined && <WhatWentWrong problem={problem} sent={step === 2} />}
      {step === 0 && (
        <DatesStep
          resource={id}
          slot={draft.slot}
          own={hold?.id}
          lost={lost}
          onChange={(slot) => {
            setLost(undefined)
            setProblem(undefined)
            change({ slot })
          }}
          openCalendar={() => open('calendar', id)}
          footer={(ready) => (
            <div className={css.buttons}>
              <Button onClick={cancel}>{t('resource-reservation.cancel')}</Button>
              <Button type="primary" loading={busy} disabled={!ready} onClick={() => void goOn()}>
                {t('resource-reservation.save-and-next')}
              </Button>
            </div>
          )}
        />
      )}
      {step === 1 && span && (
        <>
          <EstimateStep
            data={data}
            span={span}
            quantities={draft.quantities}
            tried={tried}
            onChange={(quantities) => change({ quantities })}
          />
          <div className={css.buttons}>
            <Button onClick={() => setStep(0)}>{t('resource-reservation.back')}</Button>
            <Button type="primary" onClick={toEvent}>
              {t('resource-reservation.save-and-next')}
            </Button>
          </div>
        </>
      )}
      {step === 2 &&
        (flow.data ? (
          <form
            noValidate
            onSubmit={(submitted) => {
              submitted.preventDefault()
              void book()
            }}
          >
            <SchemaForm
              ref={form}
              form={eventForm(flow.data.form)}
              value={event}
              onChange={(value) => change({ event: value })}
            />
            <div className={css.buttons}>
              <Button onClick={cancel}>{t('resource-reservation.cancel')}</Button>
              <Button onClick={() => setStep(1)}>{t('resource-reservation.back')}</Button>
              <Button type="primary" htmlType="submit" loading={busy}>
                {t('resource-reservation.book-resource')}
              </Button>
            </div>
          </form>
        ) : flow.error ? (
          <Trouble error={flow.error} onRetry={() => void flow.mutate()} />
        ) : (
          <Skeleton lines={8} />
        ))}
    </>,
    null,
  )
}

/** What happened and whether anything was saved. */
function WhatWentWrong({ problem, sent }: { problem: unknown; sent: boolean }) {
  const { t } = useTexts()
  const { title, detail } = inWords(problem, t)
  const doubtful = sent && problem instanceof Problem && (problem.status === 0 || problem.status >= 500)
  return (
    <Alert
      type="error"
      role="alert"
      className={css.alert}
      title={title}
      description={doubtful ? t('resource-reservation.doubtful') : detail}
    />
  )
}
