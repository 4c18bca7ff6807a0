import { Button } from 'antd'
import { useState, type Ref } from 'react'
import { useCase } from '../../platform/kernel/api/cases.ts'
import type { GuestCase } from '../../platform/kernel/api/guests.ts'
import type { Case } from '../../platform/kernel/client/types.ts'
import { wallClock } from '../../platform/kernel/clock/colombo.ts'
import { useFormats } from '../../platform/kernel/texts/formats.ts'
import { useTexts } from '../../platform/kernel/texts/texts.ts'
import type { Resource } from '../catalogue/resources.ts'
import css from './booking.module.css'

/** The displayed id: the resource's reference id and the day of the start. */
const reservationId = (reference: string, from: string) => `${reference}/${wallClock(from).date.replaceAll('-', '/')}`

interface BookedProps {
  booked: Case
  resource: Omit<Resource, 'titles'>
  heading: Ref<HTMLHeadingElement>
}

/** The booking is made or requested: its ids, and what happens next. */
export function Booked({ booked, resource, heading }: BookedProps) {
  const { t } = useTexts()
  const { moment } = useFormats()
  // Without an approval it is confirmed moments after sending; otherwise it goes to its first desk.
  const { status, waitsWith } = useCase(booked.id).data ?? booked
  const [first] = waitsWith
  const confirmed = status.key === 'confirmed_booking'
  const told = booked.facts['reservationId']
  const reservation =
    typeof told === 'string' ? told : reservationId(resource.data.resource_ref_id, String(booked.subject['from'] ?? ''))
  return (
    <div className={css.booked}>
      <h2 ref={heading} tabIndex={-1} className={css.heading}>
        {t(confirmed ? 'resource-reservation.created' : 'resource-reservation.requested')}
      </h2>
      <p>{booked.title}</p>
      <dl className={css.names}>
        <Name label={t('resource-reservation.reference')} value={booked.reference} />
        <Name label={t('resource-reservation.reservation-id')} value={reservation} />
      </dl>
      <h3>{t('resource-reservation.next')}</h3>
      <p role="status">
        {!confirmed &&
          first?.dueAt &&
          `${t('resource-reservation.created-with', { who: first.assignee?.name ?? first.principals.join(', '), desk: first.name, moment: moment(first.dueAt) })} `}
        {t(confirmed ? 'resource-reservation.created-confirmed' : 'resource-reservation.created-next')}
      </p>
    </div>
  )
}

interface GuestBookedProps {
  made: GuestCase
  event: string
  resource: string
  heading: Ref<HTMLHeadingElement>
}

/** A guest's booking is made: the secret, which is shown only now, and a reminder to use the mailed link. */
export function GuestBooked({ made, event, resource, heading }: GuestBookedProps) {
  const { t } = useTexts()
  const { moment } = useFormats()
  return (
    <div className={css.booked}>
      <h2 ref={heading} tabIndex={-1} className={css.heading}>
        {t('resource-reservation.requested')}
      </h2>
      <p>
        {t('resource-reservation.temporary.thanks')} {event} · {resource}
        {made.reservationId && ` · ${t('resource-reservation.reservation-id')} ${made.reservationId}`}
      </p>
      <dl className={css.names}>
        <Name label={t('resource-reservation.reference')} value={made.reference} />
        <Name label={t('resource-reservation.tracking-secret')} value={made.trackingSecret} />
      </dl>
      <h3>{t('resource-reservation.next')}</h3>
      <ol className={css.next}>
        <li>
          {t('resource-reservation.guest-next.confirm', { email: made.emailedTo, moment: moment(made.expiresAt) })}
        </li>
        <li>{t('resource-reservation.guest-next.answer')}</li>
        <li>{t('resource-reservation.guest-next.track', { address: `${window.location.origin}/track` })}</li>
      </ol>
    </div>
  )
}

function Name({ label, value }: { label: string; value: string }) {
  const { t } = useTexts()
  const [copied, setCopied] = useState<boolean>()
  const copy = () =>
    navigator.clipboard.writeText(value).then(
      () => setCopied(true),
      () => setCopied(false),
    )
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <strong>{value}</strong>{' '}
        <Button
          size="small"
          onClick={() => void copy()}
          aria-label={t('resource-reservation.copy-named', { name: label })}
        >
          {t('resource-reservation.copy')}
        </Button>{' '}
        <span role="status" className={css.soft}>
          {copied === true && t('resource-reservation.copied')}
          {copied === false && t('resource-reservation.not-copied')}
        </span>
      </dd>
    </div>
  )
}
