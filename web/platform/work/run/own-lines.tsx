import { Button, QRCode } from 'antd'
import { type ReactNode, useId } from 'react'
import { signOwnLine, useOwnAwards, useOwnLines, type OwnLine } from '../../kernel/api/runs.ts'
import type { Problem } from '../../kernel/client/client.ts'
import { PageHeader } from '../../kernel/page/page-header.tsx'
import page from '../../kernel/page/page.module.css'
import type { PageProps } from '../../kernel/screens/page.ts'
import { useAction } from '../../kernel/states/act.ts'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { OwedMonths } from './line.tsx'
import { Accounts, Applications, Awards } from './own-awards.tsx'
import css from './run.module.css'

/** What a student applied for and was awarded, and each instalment with how to sign for it. */
export default function OwnLines({ title }: PageProps) {
  const { t } = useTexts()
  const lines = useOwnLines()
  const awards = useOwnAwards()
  return (
    <article className={page.page}>
      <PageHeader title={t(title)} />
      <Part title={t('platform.run.applied')} of={awards}>
        {({ applications }) => <Applications of={applications} />}
      </Part>
      <Part title={t('platform.run.awarded')} of={awards}>
        {(data) => <Awards of={data.awards} />}
      </Part>
      <Part title={t('platform.run.account')} of={awards}>
        {(data) => <Accounts of={data.accounts} />}
      </Part>
      <Part title={t('platform.run.instalments')} of={lines}>
        {({ items }) =>
          items.length === 0 ? (
            <p className={css['none']}>{t('platform.run.own-none')}</p>
          ) : (
            <ul className={css['lines']}>
              {items.map((line) => (
                <Own key={line.id} line={line} />
              ))}
            </ul>
          )
        }
      </Part>
    </article>
  )
}

interface PartProps<T> {
  title: string
  of: { data?: T | undefined; error?: Problem | undefined; mutate(): Promise<unknown> }
  children(data: T): ReactNode
}

function Part<T>({ title, of: { data, error, mutate }, children }: PartProps<T>) {
  const id = useId()
  return (
    <section className={css['part']} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {data ? children(data) : error ? <Trouble error={error} onRetry={() => void mutate()} /> : <Skeleton lines={2} />}
    </section>
  )
}

function Own({ line }: { line: OwnLine }) {
  const { t } = useTexts()
  const { money, month: inWords } = useFormats()
  const attempt = useAction()
  const { id, scheme, month, total, state, reason, said, signature, code, owed, owedAfterAll } = line
  return (
    <li>
      <span>
        {scheme} <small>{inWords(month)}</small>
      </span>
      <span className={css['amount']}>
        {money(total)}
        <OwedMonths of={owed} />
      </span>
      <span>
        {[
          t(`platform.run.state.${state}`),
          reason === null ? '' : t(`platform.run.left-out.${reason}`),
          said ?? '',
          owedAfterAll ? t('platform.run.owed-after-all') : '',
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
