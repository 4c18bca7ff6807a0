import { useState } from 'react'
import { Link } from 'wouter'
import { MoreButton } from '../../kernel/list/more-button.tsx'
import { useMailbox } from '../../kernel/api/mailbox.ts'
import type { Mail } from '../../kernel/client/types.ts'
import type { PageProps } from '../../kernel/screens/page.ts'
import { Empty } from '../../kernel/states/empty.tsx'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './mailbox.module.css'

/** In a demonstration without a mail server: the emails that the reader would have got. */
export default function Mailbox({ title }: PageProps) {
  const { t } = useTexts()
  const mails = useMailbox()
  const [open, setOpen] = useState<string>()
  return (
    <div className={css['mailbox']}>
      <h1>{t(title)}</h1>
      <p>{t('platform.mailbox.detail')}</p>
      {mails.error && !mails.items ? (
        <Trouble error={mails.error} onRetry={mails.reload} />
      ) : !mails.items ? (
        <Skeleton lines={6} />
      ) : mails.items.length === 0 ? (
        <Empty title={t('platform.mailbox.none')}>{t('platform.mailbox.none-detail')}</Empty>
      ) : (
        <ul>
          {mails.items.map((mail) => (
            <li key={mail.id}>
              <Letter
                mail={mail}
                open={mail.id === open}
                onToggle={() => setOpen(mail.id === open ? undefined : mail.id)}
              />
            </li>
          ))}
        </ul>
      )}
      <MoreButton list={mails} />
    </div>
  )
}

function Letter({ mail, open, onToggle }: { mail: Mail; open: boolean; onToggle(): void }) {
  const { t } = useTexts()
  const { moment } = useFormats()
  return (
    <>
      <button type="button" aria-expanded={open} onClick={onToggle}>
        <strong>{mail.subject}</strong>
        <span>{mail.to}</span>
        <time dateTime={mail.createdAt}>{moment(mail.createdAt)}</time>
      </button>
      {open && (
        <div>
          <p>{linked(mail.body)}</p>
          {mail.attachments.map(({ name, type, content }) => (
            <p key={name}>
              <a download={name} href={`data:${type.replaceAll(' ', '')},${encodeURIComponent(content)}`}>
                {t('platform.mailbox.attachment', { name })}
              </a>
            </p>
          ))}
          {mail.caseId && <Link href={`/cases/${mail.caseId}`}>{t('platform.task.sent-case')}</Link>}
        </div>
      )}
    </>
  )
}

/** Turns the addresses in an email into links. */
const linked = (body: string) =>
  body.split(/(https?:\/\/\S+)/).map((part, at) =>
    at % 2 === 1 ? (
      <a key={at} href={part}>
        {part}
      </a>
    ) : (
      part
    ),
  )
