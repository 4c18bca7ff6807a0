import { Button, QRCode } from 'antd'
import { signOwnLine, useOwnLines, type OwnLine } from '../../kernel/api/runs.ts'
import { PageHeader } from '../../kernel/page/page-header.tsx'
import page from '../../kernel/page/page.module.css'
import type { PageProps } from '../../kernel/screens/page.ts'
import { useAction } from '../../kernel/states/act.ts'
import { Empty } from '../../kernel/states/empty.tsx'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './run.module.css'

/** A student's own instalments by month, and how to sign for them. */
export default function OwnLines({ title }: PageProps) {
  const { t } = useTexts()
  const { data, error, mutate } = useOwnLines()
  return (
    <article className={page.page}>
      <PageHeader title={t(title)} />
      {error ? (
        <Trouble error={error} onRetry={() => void mutate()} />
      ) : !data ? (
        <Skeleton lines={4} />
      ) : data.items.length === 0 ? (
        <Empty title={t('platform.run.own-none')}>{t('platform.run.own-none-detail')}</Empty>
      ) : (
        <ul className={css['lines']}>
          {data.items.map((line) => (
            <Own key={line.id} line={line} />
          ))}
        </ul>
      )}
    </article>
  )
}

function Own({ line }: { line: OwnLine }) {
  const { t } = useTexts()
  const { money } = useFormats()
  const attempt = useAction()
  const { id, scheme, month, total, state, reason, signature, code } = line
  return (
    <li>
      <span>
        {scheme} <small>{month}</small>
      </span>
      <span className={css['amount']}>{money(total)}</span>
      <span>
        {[
          t(`platform.run.state.${state}`),
          reason === null ? '' : t(`platform.run.left-out.${reason}`),
          state === 'left-out' ? '' : t(`platform.run.signature.${signature}`),
        ]
          .filter(Boolean)
          .join(' · ')}
      </span>
      {code !== null && (
        <span className={css['code']}>
          <Button type="primary" onClick={() => void attempt(() => signOwnLine(id), t('platform.run.own-signed'))}>
            {t('platform.run.own-sign')}
          </Button>
          {/* People who cannot see the code use the button. */}
          <span aria-hidden>
            <QRCode value={code} size={140} />
          </span>
          <small>{t('platform.run.own-code')}</small>
        </span>
      )}
    </li>
  )
}
