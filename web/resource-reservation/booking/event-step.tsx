import { App, Button } from 'antd'
import type { RefObject } from 'react'
import { isNic } from '../../../forms/platform/nic.ts'
import type { usePublicForm } from '../../platform/kernel/api/flows.ts'
import type { Me } from '../../platform/kernel/client/types.ts'
import type { FormValue } from '../../platform/kernel/form/conditions.ts'
import { SchemaForm, type FormHandle } from '../../platform/kernel/form/schema-form.tsx'
import { isBlank } from '../../platform/kernel/record/fields.ts'
import { Skeleton } from '../../platform/kernel/states/skeleton.tsx'
import { Trouble } from '../../platform/kernel/states/trouble.tsx'
import { useTexts } from '../../platform/kernel/texts/texts.ts'
import { fieldsOfBooker, findBooker } from './bookers.ts'
import { eventForm, mayBookFor, shownFor } from './booking-form.ts'
import css from './booking.module.css'
import type { Draft } from './draft.ts'
import { OnBehalf } from './on-behalf.tsx'

interface EventStepProps {
  read: ReturnType<typeof usePublicForm>
  form: RefObject<FormHandle | null>
  me: Me | undefined
  draft: Draft
  /** The form's value, and its initial value. */
  event: FormValue
  beginning: FormValue
  busy: boolean
  change(part: Partial<Draft>): void
  put(next: (before: Draft) => Draft): void
  signIn(): void
  onCancel(): void
  onBack(): void
  onBook(): void
}

/** The purpose of the booking, and the person. */
export function EventStep({
  read,
  form,
  me,
  draft,
  event,
  beginning,
  busy,
  change,
  put,
  signIn,
  onCancel,
  onBack,
  onBook,
}: EventStepProps) {
  const { t } = useTexts()
  const fillIn = useFillingIn(put)
  if (!read.data)
    return read.error ? <Trouble error={read.error} onRetry={() => void read.mutate()} /> : <Skeleton lines={8} />
  return (
    <>
      {!me && (
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
          beginning={beginning}
        />
      )}
      <form
        noValidate
        onSubmit={(submitted) => {
          submitted.preventDefault()
          onBook()
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
          <Button onClick={onCancel}>{t('resource-reservation.cancel')}</Button>
          <Button onClick={onBack}>{t('resource-reservation.back')}</Button>
          <Button type="primary" htmlType="submit" loading={busy}>
            {t('resource-reservation.book-resource')}
          </Button>
        </div>
      </form>
    </>
  )
}

/** Fills blank fields with what the university knows of the person with this NIC. */
function useFillingIn(put: EventStepProps['put']): (nic: unknown) => Promise<void> {
  const { t } = useTexts()
  const { message } = App.useApp()
  return async (nic) => {
    if (!isNic(nic)) return
    try {
      // If the person is unknown, or not visible to this reader, the reader fills the fields in.
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
}
