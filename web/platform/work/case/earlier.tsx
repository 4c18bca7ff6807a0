import { Alert } from 'antd'
import { Link } from 'wouter'
import { useEarlier } from '../../kernel/api/cases.ts'
import type { Case, EarlierCase, Flow } from '../../kernel/client/types.ts'
import { at } from '../../kernel/record/fields.ts'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './case.module.css'

/** Earlier cases about the same item; first, those that are alike in all that counts. */
export function Earlier({ of, flow }: { of: Case; flow: Flow }) {
  return flow.manifest.earlier ? <Told of={of} by={flow.manifest.earlier} /> : null
}

function Told({ of, by }: { of: Case; by: NonNullable<Flow['manifest']['earlier']> }) {
  const { t } = useTexts()
  const items = useEarlier(of.id).data?.items ?? []
  const area = of.flow.split('/')[0]
  const alike = items.filter((one) => one.alike)
  const page = by.page?.replace('{id}', encodeURIComponent(String(at(of.data, by.by))))
  return (
    <section className={css['part']}>
      <h2>{t(`${area}.earlier`)}</h2>
      {alike.length > 0 && (
        <Alert
          type="warning"
          showIcon
          title={t(`${area}.alike`, { references: alike.map(({ reference }) => reference).join(', ') })}
        />
      )}
      {items.length === 0 ? (
        <p>{t('platform.case.none-earlier')}</p>
      ) : (
        <ul className={css['earlier']}>
          {items.map((one) => (
            <li key={one.reference}>
              <Line of={one} />
            </li>
          ))}
        </ul>
      )}
      {page && items.length > 0 && <Link href={page}>{t('platform.case.all-earlier')}</Link>}
    </section>
  )
}

function Line({ of: { id, reference, status, amount, createdAt } }: { of: EarlierCase }) {
  const { money, date } = useFormats()
  return (
    <>
      {id === null ? reference : <Link href={`/cases/${id}`}>{reference}</Link>}
      <span>{date(createdAt)}</span>
      <span>{amount === null ? '' : money(amount)}</span>
      <span>{status.text}</span>
    </>
  )
}
