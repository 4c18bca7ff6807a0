import { Button } from 'antd'
import { Link } from 'wouter'
import type { PublicFlow } from '../../kernel/client/types.ts'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './catalogue.module.css'

/** Entries by which one applies, each naming its entry of the register in the field `by`. */
export interface Offered {
  flow: PublicFlow
  by: string
  apply: string
}

/** What one can apply for now, or next. */
export function Offers({ of: { flow, by, apply }, entry }: { of: Offered; entry: string }) {
  const { t } = useTexts()
  const { day } = useFormats()
  const all = flow.items.filter(({ data }) => data[by] === entry)
  const own = all.filter(({ state }) => state !== 'closed')
  const [last] = all.toSorted((a, b) => b.closes.localeCompare(a.closes))
  if (own.length === 0)
    return (
      <p className={css['closed']}>
        {t(`${flow.title}.none`)}{' '}
        {last && `${last.title}: ${t(`${flow.title}.closed-on`, { closes: day(last.closes) })}`}
      </p>
    )
  return (
    <ul className={css['offers']}>
      {own.map((one) => (
        <li key={one.id}>
          <p>
            <strong>{one.title}</strong>
            <span>
              {t(`${flow.title}.${one.state === 'open' ? 'until' : 'opens'}`, {
                opens: day(one.opens),
                closes: day(one.closes),
              })}
            </span>
            {one.state === 'open' && one.places && (
              <span>
                {one.places.free > 0
                  ? t(`${flow.title}.free`, { count: one.places.free, there: one.places.there })
                  : t(`${flow.title}.full`, { there: one.places.there })}
              </span>
            )}
          </p>
          {one.state === 'open' && (
            <Link href={apply.replace('{id}', encodeURIComponent(one.id))} asChild>
              <Button type="primary">{t(`${flow.title}.apply`)}</Button>
            </Link>
          )}
        </li>
      ))}
    </ul>
  )
}
