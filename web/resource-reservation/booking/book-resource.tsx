import { Button, Modal } from 'antd'
import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
import { Link } from 'wouter'
import { usePublicForm } from '../../platform/kernel/api/flows.ts'
import type { Me, FormRef } from '../../platform/kernel/client/types.ts'
import { startingValue } from '../../platform/kernel/form/conditions.ts'
import type { FormHandle } from '../../platform/kernel/form/schema-form.tsx'
import { useFormats } from '../../platform/kernel/texts/formats.ts'
import { useTexts } from '../../platform/kernel/texts/texts.ts'
import { Picture } from '../catalogue/picture.tsx'
import { extraLine, priceLine } from '../catalogue/price.ts'
import { pictureOf } from '../catalogue/resources.ts'
import type { ResourceDialogProps } from '../catalogue/view-resource.tsx'
import { useOwnBooker } from './bookers.ts'
import { Booked, GuestBooked } from './booked.tsx'
import { eventForm, ownFields } from './booking-form.ts'
import css from './booking.module.css'
import { DatesStep } from './dates-step.tsx'
import { itemsOf, type Draft } from './draft.ts'
import { EstimateStep } from './estimate-step.tsx'
import { EventStep } from './event-step.tsx'
import { spanOf, type Span } from './slot.ts'
import { TemporaryAccount } from './temporary-account.tsx'
import { useKeptDraft } from './use-kept-draft.ts'
import { useProgress } from './use-progress.ts'
import { useSending, type Made } from './use-sending.ts'
import { WhatWentWrong } from './what-went-wrong.tsx'
import { useWays } from './use-ways.ts'

const startForm = 'resource-reservation/booking-request'

const steps = ['dates', 'estimate', 'event'] as const

interface BookResourceProps extends ResourceDialogProps {
  /** Who books; guests identify themselves in the last step. */
  me: Me | undefined
  /** A guest chooses to sign in. */
  signIn(): void
  /** The time chosen before, on a calendar. */
  wanted?: Span
}

/** Booking in three steps: dates (which hold the slot for some minutes), estimate, event. */
export default function BookResource({ resource, owner, close, open, me, signIn, wanted }: BookResourceProps) {
  const { t } = useTexts()
  const { id, data } = resource
  const guest = me === undefined
  const read = usePublicForm(startForm)
  const kept = useKeptDraft(id, me, wanted)
  const { draft, change } = kept
  const { hold } = draft
  const span = spanOf(draft.slot)
  const [booked, setBooked] = useState<Made>()
  const form = useRef<FormHandle>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const progress = useProgress(hold, booked !== undefined)
  const { step, toStep, busy, lost, problem } = progress
  const sending = useSending({
    ...{ guest, behalf: draft.behalf, form, progress },
    onMade(made) {
      setBooked(made)
      kept.drop()
      kept.empty()
      toStep(0)
    },
  })

  const { beginning, event } = useEvent(read.data, me, draft)

  // Moves the focus to the heading of a new step.
  useEffect(() => heading.current?.focus(), [step, booked])

  const { leave, cancel, take, goOn, toEvent, tried } = useWays({
    resource,
    guest,
    kept,
    progress,
    booked,
    open,
    close,
  })
  const book = () => {
    if (!span || !form.current?.check()) return
    const items = itemsOf(draft.quantities)
    const body = {
      resource: id,
      ...span,
      ...form.current.data(),
      ...(items.length > 0 ? { resource_booking_items: items } : {}),
    }
    void (guest ? sending.ask(body) : sending.send(body))
  }

  if (booked) return <BookedDialog booked={booked} resource={resource} heading={heading} onLeave={leave} />
  const { asked } = sending
  if (asked && span)
    return (
      <TemporaryAccount
        email={String(asked['poc_email'])}
        busy={busy}
        cancel={sending.decline}
        agree={() => void sending.send(asked)}
      />
    )
  return (
    <Dialog heading={heading} onLeave={leave} footer={null}>
      <Head resource={resource} owner={owner} step={step} />
      {hold && step > 0 && <Held until={hold.expiresAt} />}
      <h2 ref={heading} tabIndex={-1} className={css.heading}>
        {t(`resource-reservation.step-heading.${steps[step]}`)}
      </h2>
      {problem !== undefined && <WhatWentWrong problem={problem} sent={step === 2} />}
      {step === 0 && (
        <DatesStep
          resource={id}
          slot={draft.slot}
          event={event}
          own={hold ?? kept.visited?.hold}
          lost={lost}
          take={take}
          onChange={(slot) => {
            progress.clear()
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
            <Button onClick={() => toStep(0)}>{t('resource-reservation.back')}</Button>
            <Button type="primary" onClick={toEvent}>
              {t('resource-reservation.save-and-next')}
            </Button>
          </div>
        </>
      )}
      {step === 2 && (
        <EventStep
          {...{ read, form, me, draft, event, busy, change, signIn }}
          beginning={beginning ?? {}}
          put={kept.put}
          onCancel={cancel}
          onBack={() => toStep(1)}
          onBook={book}
        />
      )}
    </Dialog>
  )
}

function Held({ until }: { until: string }) {
  const { t } = useTexts()
  const { time } = useFormats()
  return (
    <p className={css.held} role="status">
      {t('resource-reservation.held-until', { time: time(until) })}
    </p>
  )
}

/** The event's values: the input, else the form's defaults and the signed-in person's details. */
function useEvent(form: FormRef | undefined, me: Me | undefined, draft: Draft) {
  const ownEntry = useOwnBooker(me)
  const schema = form && eventForm(form).schema
  const beginning = schema && { ...startingValue(schema), ...(me && ownFields(me, ownEntry, schema)) }
  return { beginning, event: Object.keys(draft.event).length > 0 ? draft.event : (beginning ?? {}) }
}

interface DialogProps {
  heading: RefObject<HTMLHeadingElement | null>
  footer: ReactNode
  children: ReactNode
  onLeave(): void
}

function Dialog({ heading, footer, children, onLeave }: DialogProps) {
  const { t } = useTexts()
  return (
    <Modal
      open
      width={820}
      className={css.dialog}
      title={t('resource-reservation.book-resource')}
      onCancel={onLeave}
      mask={{ closable: false }}
      afterOpenChange={() => heading.current?.focus()}
      footer={footer}
    >
      {children}
    </Modal>
  )
}

interface BookedDialogProps extends Pick<DialogProps, 'heading' | 'onLeave'> {
  booked: Made
  resource: ResourceDialogProps['resource']
}

/** The completed booking, with links to continue. */
function BookedDialog({ booked, resource, heading, onLeave }: BookedDialogProps) {
  const { t } = useTexts()
  const [href, next] =
    'guest' in booked
      ? [`/track#${booked.guest.reference}/${booked.guest.trackingSecret}`, t('resource-reservation.track')]
      : [`/cases/${booked.case.id}`, t('resource-reservation.open-case')]
  const footer = (
    <>
      <Button onClick={onLeave}>{t('resource-reservation.close')}</Button>
      <Link href={href} asChild>
        <Button type="primary">{next}</Button>
      </Link>
    </>
  )
  return (
    <Dialog heading={heading} onLeave={onLeave} footer={footer}>
      {'guest' in booked ? (
        <GuestBooked
          made={booked.guest}
          event={String(booked.body['event'])}
          resource={resource.data.name}
          heading={heading}
        />
      ) : (
        <Booked booked={booked.case} resource={resource} heading={heading} />
      )}
    </Dialog>
  )
}

function Head({ resource: { data }, owner, step }: Pick<BookResourceProps, 'resource' | 'owner'> & { step: number }) {
  const { t } = useTexts()
  const formats = useFormats()
  const price = [priceLine(data, t, formats), extraLine(data, t, formats)].filter(Boolean).join(' · ')
  return (
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
    </>
  )
}
