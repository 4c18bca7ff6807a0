import { Button } from 'antd'
import { Link } from 'wouter'
import type { Case } from '../../kernel/client/types.ts'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './case.module.css'

type LinkedCase = Case['linked'][number]

/** What a case follows from, the cases that follow from it with their status, and what can be begun from it now. */
export function Linked({ of: { follows, linked, offers } }: { of: Case }) {
  const { t } = useTexts()
  if (!follows && linked.length === 0 && offers.length === 0) return null
  return (
    <section className={css['part']}>
      <h2>{t(follows ? 'platform.case.follows' : 'platform.case.linked')}</h2>
      <ul className={css['earlier']}>
        {[...(follows ? [follows] : []), ...linked].map((one) => (
          <li key={one.reference}>
            <Line of={one} />
          </li>
        ))}
      </ul>
      {offers.length > 0 && (
        <p className={`${css['next']} no-print`}>
          {offers.map(({ name, title, page }) => (
            <Link key={name} href={page} asChild>
              <Button>{title}</Button>
            </Link>
          ))}
        </p>
      )}
    </section>
  )
}

function Line({ of: { id, reference, flowTitle, status, createdAt } }: { of: LinkedCase }) {
  const { date } = useFormats()
  return (
    <>
      {id === null ? reference : <Link href={`/cases/${id}`}>{reference}</Link>}
      <span>{flowTitle}</span>
      <span>{date(createdAt)}</span>
      <span>{status.text}</span>
    </>
  )
}
