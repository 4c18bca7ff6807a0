import { Button } from 'antd'
import { useFormats } from '../../platform/kernel/texts/formats.ts'
import { useTexts } from '../../platform/kernel/texts/texts.ts'
import css from './catalogue.module.css'
import { Picture } from './picture.tsx'
import { priceLine } from './price.ts'
import { pictureOf, type Resource } from './resources.ts'

interface CardProps {
  resource: Omit<Resource, 'titles'>
  owner: { name: string | undefined; theme: string | undefined }
  /** Above the fold, so its picture loads eagerly. */
  early: boolean
  open(dialog: 'view' | 'calendar' | 'book', id: string): void
}

/** A resource in the list: type, owner, place and price, with its three buttons. */
export function Card({ resource: { id, data }, owner, early, open }: CardProps) {
  const { t } = useTexts()
  const formats = useFormats()
  const price = priceLine(data, t, formats)
  const facts = [
    price,
    data.seating_capacity ? t('resource-reservation.seats', { count: data.seating_capacity }) : undefined,
  ]
  return (
    <li className={css.card} aria-labelledby={`resource-${id}`}>
      <Picture src={pictureOf(data, 'small')} name={data.name} early={early} />
      <div className={css.words}>
        <h2 id={`resource-${id}`}>
          {data.name} <span className={css.reference}>{data.resource_ref_id}</span>
        </h2>
        {owner.name && (
          <p className={css.owner} data-faculty={owner.theme}>
            {owner.name}
          </p>
        )}
        {data.description && <p className={css.description}>{data.description}</p>}
        {data.location && <p className={css.location}>{data.location}</p>}
        <p className={css.facts}>{facts.filter(Boolean).join(' · ')}</p>
      </div>
      <div className={css.actions}>
        <Button type="primary" size="small" onClick={() => open('book', id)}>
          {t('resource-reservation.book-resource')}
        </Button>
        <Button type="link" size="small" onClick={() => open('view', id)}>
          {t('resource-reservation.view-resource')}
        </Button>
        <Button type="link" size="small" onClick={() => open('calendar', id)}>
          {t('resource-reservation.resource-calendar')}
        </Button>
      </div>
    </li>
  )
}

/** Six placeholder cards while loading. */
export function CardSkeleton() {
  const { t } = useTexts()
  return (
    <ul className={css.cards} role="status" aria-label={t('platform.loading')}>
      {Array.from({ length: 6 }, (_, at) => (
        <li key={at} className={css.card} aria-hidden>
          <div className={css.picture} />
          <div className={css.words}>
            <div className={css.bar} style={{ width: '68%' }} />
            <div className={css.bar} style={{ width: '42%' }} />
            <div className={css.bar} style={{ width: '84%' }} />
          </div>
        </li>
      ))}
    </ul>
  )
}
