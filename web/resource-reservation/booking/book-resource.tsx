import { Alert, App, Button, Modal } from 'antd'
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react'
import { Link } from 'wouter'
import { mutate } from 'swr'
import { isNic } from '../../../forms/platform/nic.ts'
import { submitCase } from '../../platform/kernel/api/cases.ts'
import { Problem } from '../../platform/kernel/client/client.ts'
import { usePublicForm } from '../../platform/kernel/api/flows.ts'
import { checkAsGuest, submitAsGuest, type GuestAccount, type GuestCase } from '../../platform/kernel/api/guests.ts'
import type { Case, FormRef, FormSchema, Me } from '../../platform/kernel/client/types.ts'
import { startingValue, type FormValue } from '../../platform/kernel/form/conditions.ts'
import { SchemaForm, type FormHandle } from '../../platform/kernel/form/schema-form.tsx'
import { optionsOf } from '../../platform/kernel/form/widget.ts'
import { isBlank } from '../../platform/kernel/record/fields.ts'
import { Skeleton } from '../../platform/kernel/states/skeleton.tsx'
import { inWords, Trouble } from '../../platform/kernel/states/trouble.tsx'
import { useFormats } from '../../platform/kernel/texts/formats.ts'
import { useTexts } from '../../platform/kernel/texts/texts.ts'
import { Picture } from '../catalogue/picture.tsx'
import { extraLine, priceLine } from '../catalogue/price.ts'
import { bookingFlow, holdSlot, pictureOf, releaseHold, type Alternative, type Hold } from '../catalogue/resources.ts'
import type { ResourceDialogProps } from '../catalogue/view-resource.tsx'
import { accountFor, fieldsOfBooker, fieldsOfOneself, findBooker, useOwnBooker, type OwnBooker } from './bookers.ts'
import css from './booking.module.css'
import { Booked, GuestBooked } from './booked.tsx'
import { DatesStep } from './dates-step.tsx'
import { adoptDraft, draftOf, dropDraft, emptyDraft, itemsOf, keepDraft, visitor, type Draft } from './draft.ts'
import { EstimateStep, quantitiesAreRight } from './estimate-step.tsx'
import { OnBehalf } from './on-behalf.tsx'
import { slotOf, spanOf, type Span } from './slot.ts'
import { TemporaryAccount } from './temporary-account.tsx'

const startForm = 'resource-reservation/booking-request'
const steps = ['dates', 'estimate', 'event'] as const
/** How long a message passes by on this page, in seconds. */
const shownFor = 5

/** A booking that is made: as a case one may open, or with what a guest is told of it. */
type Made = { case: Case } | { guest: GuestCase; body: FormValue }

/** Of the form, what the first two steps ask. */
const askedBefore: readonly string[] = ['resource', 'from', 'until', 'resource_booking_items']

/** Fields that are answered by choosing the slot, so that what is wrong with them is said there. */
const ofSlot = ['/resource', '/from', '/until']

/** The event step's part of the booking form; its check is the whole form's, told at the fields that are shown. */
function eventForm(form: FormRef): FormRef {
  const { schema } = form
  const rest = Object.entries(schema.properties ?? {}).filter(([name]) => !askedBefore.includes(name))
  return {
    ...form,
    schema: {
      ...schema,
      properties: Object.fromEntries(rest),
      required: (schema.required ?? []).filter((name) => !askedBefore.includes(name)),
    },
  }
}

interface BookResourceProps extends ResourceDialogProps {
  /** Who books; a guest says who they are at the end. */
  me: Me | undefined
  /** A guest would rather sign in. */
  signIn(): void
  /** The time that was chosen before, on a calendar. */
  wanted?: Span
}

/** Booking in three steps: when (which holds the slot for some minutes), what it costs, what it is for. */
export default function BookResource({ resource, owner, close, open, me, signIn, wanted }: BookResourceProps) {
  const { t } = useTexts()
  const { message } = App.useApp()
  const formats = useFormats()
  const { id, data } = resource
  const guest = me === undefined
  const who = me?.id ?? visitor
  const read = usePublicForm(startForm)
  const ownEntry = useOwnBooker(me)
  const [step, setStep] = useState(0)
  /** The hold that one had as a visitor; until it is given back, it is in one's own way alone. */
  const [visited] = useState(() => {
    const hold = me && adoptDraft(id, me.id)
    return hold && { hold, givenBack: giveBack(hold, true) }
  })
  const [draft, setDraft] = useState<Draft>(() => {
    const kept = draftOf(id, who) ?? emptyDraft
    return wanted ? { ...kept, slot: slotOf(wanted) } : kept
  })
  const [busy, setBusy] = useState(false)
  /** Why one is back at the dates. */
  const [lost, setLost] = useState<string>()
  const [problem, setProblem] = useState<unknown>()
  const [tried, setTried] = useState(false)
  const [booked, setBooked] = useState<Made>()
  /** A guest is asked whether a temporary account may be made, with this booking. */
  const [asked, setAsked] = useState<FormValue>()
  const form = useRef<FormHandle>(null)
  const sent = useRef<{ body: string; key: string }>(undefined)
  const heading = useRef<HTMLHeadingElement>(null)

  const put = (next: (before: Draft) => Draft) =>
    setDraft((before) => {
      const after = next(before)
      keepDraft(id, who, after)
      return after
    })
  const change = (part: Partial<Draft>) => put((before) => ({ ...before, ...part }))

  const { hold } = draft
  const schema = read.data && eventForm(read.data).schema
  // Until something is typed, the event begins with the form's defaults and with who is signed in.
  const beginning = schema && { ...startingValue(schema), ...(me && ownFields(me, ownEntry, schema)) }
  const event = Object.keys(draft.event).length > 0 ? draft.event : (beginning ?? {})

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
    if (step > 0 && !booked) backToDates(t('resource-reservation.hold-lapsed'))
  })
  useEffect(() => {
    if (!hold) return
    const timer = setTimeout(() => lapse(), Math.max(0, Date.parse(hold.expiresAt) - Date.now()))
    return () => clearTimeout(timer)
  }, [hold])

  const giveUp = () => {
    if (hold) void giveBack(hold, guest)
  }
  /** Closes, and keeps what was typed for another time. */
  const leave = () => {
    giveUp()
    if (!booked) keepDraft(id, who, { ...draft, hold: undefined })
    close()
  }
  const cancel = () => {
    giveUp()
    dropDraft(id, who)
    close()
  }
  const take = ({ resource: other, from, until }: Alternative) => {
    setLost(undefined)
    setProblem(undefined)
    if (other.id === id) return change({ slot: slotOf({ from, until }) })
    giveUp()
    keepDraft(id, who, { ...draft, hold: undefined })
    keepDraft(other.id, who, { ...emptyDraft, slot: slotOf({ from, until }), event: draft.event, behalf: draft.behalf })
    open('book', other.id)
  }

  const refused = (error: unknown) => {
    const slot = error instanceof Problem && error.status < 500 && slotRefusal(error)
    if (slot) backToDates(slot)
    else setProblem(error)
    return Boolean(slot)
  }

  const span = spanOf(draft.slot)

  /** What the university knows of the person with this NIC goes into the fields that are still blank. */
  const fillIn = async (nic: unknown) => {
    if (!isNic(nic)) return
    try {
      // Somebody whom the university does not know, or of whom it does not tell this reader, fills it in by hand.
      const booker = await findBooker({ nic })
      if (!booker) return
      const fields = fieldsOfBooker(booker)
      put((before) => {
        const typed = Object.entries(before.event).filter(([, value]) => !isBlank(value))
        return { ...before, event: { ...fields, ...Object.fromEntries(typed) } }
      })
    } catch {
      void message.error(t('platform.error'), shownFor)
    }
  }

  const goOn = async () => {
    if (!span) return
    setBusy(true)
    setProblem(undefined)
    setLost(undefined)
    try {
      await visited?.givenBack
      change({ hold: await holdSlot({ resource: id, ...span }, guest) })
      setStep(1)
    } catch (error) {
      if (!refused(error)) void message.error(t('platform.error'), shownFor)
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

  const book = () => {
    if (!span || !form.current?.check()) return
    const items = itemsOf(draft.quantities)
    const body = {
      resource: id,
      ...span,
      ...form.current.data(),
      ...(items.length > 0 ? { resource_booking_items: items } : {}),
    }
    if (guest) void ask(body)
    else void send(body)
  }

  /** Asks a guest for their word once nothing speaks against the booking. */
  const ask = async (body: FormValue) => {
    setBusy(true)
    setProblem(undefined)
    try {
      await checkAsGuest(bookingFlow, body, accountOf(body))
      setAsked(body)
    } catch (error) {
      failed(error)
    } finally {
      setBusy(false)
    }
  }

  /** Says why a booking was refused, where one can mend it. */
  const failed = (error: unknown) => {
    const told = guest && error instanceof Problem && error.status > 0 && error.status < 500
    void message.error((told && (error.errors[0]?.message ?? error.detail)) || t('platform.error'), shownFor)
    // The booking dialog comes back as it was left.
    setAsked(undefined)
    if (refused(error)) return
    if (!(error instanceof Problem)) return
    const found = error.errors.map(({ field, ...rest }) => ({ ...rest, field: inBooking(field) }))
    if (found.some(({ field }) => field.startsWith('/resource_booking_items'))) setStep(1)
    else requestAnimationFrame(() => form.current?.show(found))
  }

  const send = async (body: FormValue) => {
    const text = JSON.stringify([body, draft.behalf])
    // The same booking sent again, after a line that broke, is still one booking.
    if (sent.current?.body !== text) sent.current = { body: text, key: crypto.randomUUID() }
    const { key } = sent.current
    setBusy(true)
    setProblem(undefined)
    try {
      if (guest) {
        const made = await submitAsGuest(bookingFlow, body, accountOf(body), key)
        void message.success(t('resource-reservation.account-created'), shownFor)
        setBooked({ guest: made, body })
      } else {
        const other = draft.behalf && (draft.behalf.accountId ?? (await accountFor(accountOf(body))))
        setBooked({ case: await submitCase(bookingFlow, body, key, other) })
      }
      void message.success(t('resource-reservation.created'), shownFor)
      dropDraft(id, who)
      setDraft(emptyDraft)
      setTried(false)
      setStep(0)
      void mutate(
        (path) =>
          typeof path === 'string' && (path.startsWith('/api/public/allocations') || path.startsWith('/api/cases')),
      )
    } catch (error) {
      // What was refused is another booking when it is sent again; what got lost on its way is the same.
      if (error instanceof Problem && error.status > 0 && error.status < 500) sent.current = undefined
      failed(error)
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
      'guest' in booked ? (
        <GuestBooked made={booked.guest} event={String(booked.body['event'])} resource={data.name} heading={heading} />
      ) : (
        <Booked booked={booked.case} resource={resource} heading={heading} />
      ),
      <>
        <Button onClick={leave}>{t('resource-reservation.close')}</Button>
        {'guest' in booked ? (
          <Link href={`/track#${booked.guest.reference}/${booked.guest.trackingSecret}`} asChild>
            <Button type="primary">{t('resource-reservation.track')}</Button>
          </Link>
        ) : (
          <Link href={`/cases/${booked.case.id}`} asChild>
            <Button type="primary">{t('resource-reservation.open-case')}</Button>
          </Link>
        )}
      </>,
    )
  }

  if (asked && span) {
    return (
      <TemporaryAccount
        email={String(asked['poc_email'])}
        busy={busy}
        cancel={() => setAsked(undefined)}
        agree={() => void send(asked)}
      />
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
          event={event}
          own={hold ?? visited?.hold}
          lost={lost}
          take={take}
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
        (read.data ? (
          <>
            {guest && (
              <p className={css.note}>
                {t('resource-reservation.as-guest')}{' '}
                <Button type="link" className={css.inline} onClick={signIn}>
                  {t('resource-reservation.rather-sign-in')}
                </Button>
              </p>
            )}
            {me && mayBookFor(me) && (
              <OnBehalf
                behalf={draft.behalf}
                choose={(behalf, fields) => change({ behalf, event: { ...event, ...fields } })}
                beginning={beginning ?? {}}
              />
            )}
            <form
              noValidate
              onSubmit={(submitted) => {
                submitted.preventDefault()
                book()
              }}
            >
              <SchemaForm
                ref={form}
                form={eventForm(read.data)}
                value={event}
                onChange={(value) => {
                  change({ event: value })
                  if (me && value['poc_nic'] !== event['poc_nic']) void fillIn(value['poc_nic'])
                }}
              />
              <div className={css.buttons}>
                <Button onClick={cancel}>{t('resource-reservation.cancel')}</Button>
                <Button onClick={() => setStep(1)}>{t('resource-reservation.back')}</Button>
                <Button type="primary" htmlType="submit" loading={busy}>
                  {t('resource-reservation.book-resource')}
                </Button>
              </div>
            </form>
          </>
        ) : read.error ? (
          <Trouble error={read.error} onRetry={() => void read.mutate()} />
        ) : (
          <Skeleton lines={8} />
        ))}
    </>,
    null,
  )
}

/** A hold that cannot be given up ends by itself; nothing is lost for the person. */
function giveBack(hold: Hold, guest: boolean): Promise<void> {
  return releaseHold(hold.id, guest).catch((error: unknown) => console.warn('the hold stays until it ends', error))
}

/** What the server says against the slot itself, if it does. */
function slotRefusal({ code, errors, detail }: Problem): string | undefined {
  const found = errors.find(({ field }) => ofSlot.includes(inBooking(field)))
  return found?.message ?? (code === 'resource-reservation.slot-taken' ? detail : undefined)
}

/** What the form can know of whoever is signed in. */
function ownFields({ name, email, grants }: Me, entry: OwnBooker | undefined, schema: FormSchema): FormValue {
  const kinds = optionsOf(schema.properties?.['associated_as'] ?? {}) ?? []
  const student = kinds.find(
    ({ value }) => /student$/i.test(String(value)) && grants.some(({ role }) => role === value),
  )
  const association = student ? { association_to_uni: 'current', associated_as: student.value } : {}
  const salutations = (optionsOf(schema.properties?.['salutation'] ?? {}) ?? []).map(({ value }) => value)
  return { poc_name: name, poc_email: email, ...(entry && fieldsOfOneself(entry, salutations)), ...association }
}

const mayBookFor = ({ seesAll, groups }: Me) => seesAll || groups.includes('ResourceReservationViews')

/** Of a guest's account, which of the form's fields it is made of. */
const accountFields: Record<keyof GuestAccount, string> = {
  salutation: 'salutation',
  full_name: 'poc_name',
  email: 'poc_email',
  contact_no: 'poc_contact_no',
  nic: 'poc_nic',
  designation: 'poc_designation',
  employee_id: 'employee_id',
}

function accountOf(body: FormValue): GuestAccount {
  const given = Object.entries(accountFields).filter(([, field]) => !isBlank(body[field]))
  const account = Object.fromEntries(given.map(([name, field]) => [name, body[field]])) as unknown as GuestAccount
  // Accounts write titles without a dot.
  return { ...account, salutation: account.salutation.replace(/\.$/, '') }
}

/** Where in the booking form something stands that the server names. */
function inBooking(field: string): string {
  const [, part, name = ''] = field.split('/')
  if (part === 'account') return `/${accountFields[name as keyof GuestAccount] ?? name}`
  return field.replace(/^\/data(?=\/)/, '')
}

/** What happened and whether anything was saved. */
function WhatWentWrong({ problem, sent }: { problem: unknown; sent: boolean }) {
  const { t } = useTexts()
  const { title, detail } = inWords(problem, t)
  const named = problem instanceof Problem ? problem.errors.map(({ message }) => message).join(' ') : ''
  const doubtful = sent && problem instanceof Problem && (problem.status === 0 || problem.status >= 500)
  return (
    <Alert
      type="error"
      role="alert"
      className={css.alert}
      title={title}
      description={doubtful ? t('resource-reservation.doubtful') : named || detail}
    />
  )
}
