import { Alert, Button, Modal } from 'antd'
import { useState } from 'react'
import useSWR from 'swr'
import { openEntries, previewEntries, type EntryChoice, type EntryPreview } from '../../kernel/api/entry-batches.ts'
import { useAct } from '../../kernel/states/act.ts'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './entry-batch.module.css'
import { LeftOut } from './left-out.tsx'

interface EntryDialogProps {
  flow: string
  title: string
  choice: EntryChoice
  /** Called when the dialog has closed; `begun` says whether the batch was started. */
  onClose(begun: boolean): void
}

/** Before a flow is opened for many: the mail of each person in their language, who is left out, one confirmation. */
export default function EntryDialog({ flow, title, choice, onClose }: EntryDialogProps) {
  const { t } = useTexts()
  const [open, setOpen] = useState(true)
  const [begun, setBegun] = useState(false)
  // The choice is fixed for the dialog, whatever the list does behind it.
  const [fixed] = useState(choice)
  const { data, error, mutate } = useSWR<EntryPreview, unknown>(
    ['entries', flow, fixed],
    () => previewEntries(flow, fixed),
    // No reload while somebody reads it: each entry is checked again when its turn comes.
    { revalidateOnFocus: false, revalidateOnReconnect: false },
  )
  const { run, busy, refusal } = useAct()
  const count = data?.ready ?? 0
  const begin = () =>
    void run(async () => {
      await openEntries(flow, fixed, data?.stamp ?? '')
      setBegun(true)
      setOpen(false)
    })
  return (
    <Modal
      open={open}
      title={t(title)}
      width={720}
      okText={t('platform.entry-batch.send', { count })}
      okButtonProps={{ disabled: count === 0, loading: busy }}
      cancelText={t('platform.cancel')}
      onOk={begin}
      onCancel={() => setOpen(false)}
      afterClose={() => onClose(begun)}
    >
      <div className={css['body']}>
        {error !== undefined && <Trouble error={error} onRetry={() => void mutate()} />}
        {!data && error === undefined && <Skeleton lines={6} />}
        {data && (
          <>
            <p role="status">{t('platform.entry-batch.ready', { count, total: data.total })}</p>
            {data.mails.length > 0 && <Mails mails={data.mails} count={count} />}
            {data.leftOut.length > 0 && <LeftOut of={data} />}
          </>
        )}
        {refusal && <Alert type="error" role="alert" title={refusal} />}
      </div>
    </Modal>
  )
}

/** One mail at a time, each with its recipient and language. */
function Mails({ mails, count }: { mails: EntryPreview['mails']; count: number }) {
  const { t } = useTexts()
  const [at, setAt] = useState(0)
  const mail = mails[at]
  if (!mail) return null
  return (
    <section className={css['mail']} aria-label={t('platform.entry-batch.preview')}>
      {count > mails.length && <p>{t('platform.entry-batch.first', { count: mails.length })}</p>}
      <div className={css['turn']}>
        <span>{t('platform.entry-batch.mail-of', { at: at + 1, count: mails.length })}</span>
        <span>
          <Button size="small" disabled={at === 0} onClick={() => setAt(at - 1)}>
            {t('platform.entry-batch.previous')}
          </Button>{' '}
          <Button size="small" disabled={at === mails.length - 1} onClick={() => setAt(at + 1)}>
            {t('platform.entry-batch.next')}
          </Button>
        </span>
      </div>
      <p className={css['to']}>
        {t('platform.entry-batch.to', { name: mail.title, email: mail.to })}
        <small>{t(`platform.language.${mail.language}`)}</small>
      </p>
      <h2 lang={mail.language}>{mail.subject}</h2>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a long mail is scrolled by keyboard as well */}
      <div className={css['text']} lang={mail.language} tabIndex={0} role="group" aria-label={mail.subject}>
        {mail.body}
      </div>
    </section>
  )
}
