import { Input } from 'antd'
import { estimate, type Prices } from '../../../forms/resource-reservation/estimate.ts'
import { useFormats } from '../../platform/kernel/texts/formats.ts'
import { useTexts } from '../../platform/kernel/texts/texts.ts'
import type { Amenity, ResourceData } from '../catalogue/resources.ts'
import css from './booking.module.css'
import { itemsOf } from './draft.ts'
import type { Span } from './slot.ts'

/** The most rows of a resource's table. */
const rows = 20

/** Blank, or a whole number within what is available. */
const isRight = (typed: string | undefined, available: number) =>
  !typed || (/^\d+$/.test(typed) && Number(typed) <= available)

export const quantitiesAreRight = (amenities: readonly Amenity[], quantities: Record<string, string>): boolean =>
  amenities.every(({ id, quantity }) => isRight(quantities[id], quantity))

interface EstimateStepProps {
  data: ResourceData
  span: Span
  quantities: Record<string, string>
  /** Whether somebody has tried to continue, so that errors are shown. */
  tried: boolean
  onChange(quantities: Record<string, string>): void
}

/** The cost of the chosen time and amenities, by the same function that makes the invoice. */
export function EstimateStep({ data, span, quantities, tried, onChange }: EstimateStepProps) {
  const { t } = useTexts()
  const { money, range, duration } = useFormats()
  const amenities = (data.amenities ?? []).slice(0, rows)
  const prices: Prices = { ...data, cost_applicable: data.cost_applicable ?? false }
  // Unavailable quantities are not priced.
  const right = amenities
    .filter(({ id, quantity }) => isRight(quantities[id], quantity))
    .map(({ id }) => [id, quantities[id] ?? ''])
  const costs = estimate(prices, { ...span, items: itemsOf(Object.fromEntries(right)) })
  const free = !prices.cost_applicable
  const amount = (cents: number) => (free ? t('resource-reservation.no-charge') : money(cents))

  const lines: [string, string][] = [
    [t('resource-reservation.estimate.days'), String(costs.days)],
    [t('resource-reservation.estimate.duration'), duration(Date.parse(span.until) - Date.parse(span.from))],
    [t('resource-reservation.estimate.base'), amount(costs.base)],
    [t('resource-reservation.estimate.extra'), amount(costs.extra)],
    [t('resource-reservation.estimate.deposit'), amount(costs.deposit)],
  ]
  return (
    <>
      <p className={css.chosen}>{range(span.from, span.until)}</p>
      <dl className={css.costs}>
        {lines.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {amenities.length > 0 && (
        <table className={css.amenities}>
          <caption>{t('resource-reservation.estimate.amenities')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('resource-reservation.field.amenity.type')}</th>
              <th scope="col">{t('resource-reservation.field.amenity.quantity')}</th>
              <th scope="col">{t('resource-reservation.field.amenity.amount')}</th>
              <th scope="col">{t('resource-reservation.field.required_quantity')}</th>
              <th scope="col">{t('resource-reservation.estimate.cost')}</th>
            </tr>
          </thead>
          <tbody>
            {amenities.map(({ id, type, quantity, amount: each }) => {
              const typed = quantities[id] ?? ''
              const wrong = !isRight(typed, quantity) && (tried || typed !== '')
              return (
                <tr key={id}>
                  <th scope="row">{type}</th>
                  <td data-label={t('resource-reservation.field.amenity.quantity')}>{quantity}</td>
                  <td data-label={t('resource-reservation.field.amenity.amount')}>{amount(each)}</td>
                  <td data-label={t('resource-reservation.field.required_quantity')}>
                    <Input
                      data-quantity
                      inputMode="numeric"
                      autoComplete="off"
                      value={typed}
                      placeholder="0"
                      disabled={quantity === 0}
                      style={{ width: 72 }}
                      aria-label={t('resource-reservation.quantity-of', { name: type })}
                      aria-invalid={wrong}
                      {...(wrong ? { status: 'error' as const, 'aria-describedby': `quantity-${id}` } : {})}
                      onChange={(event) => onChange({ ...quantities, [id]: event.target.value.trim() })}
                    />
                    {wrong && (
                      <p id={`quantity-${id}`} role="alert" className={css.wrong}>
                        {t('resource-reservation.quantity-not-available', { available: quantity })}
                      </p>
                    )}
                  </td>
                  <td data-label={t('resource-reservation.estimate.cost')}>
                    {isRight(typed, quantity) ? amount(each * Number(typed || 0)) : ''}
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      )}
      <p className={css.note} role="status">
        {free
          ? t('resource-reservation.estimate.free')
          : t('resource-reservation.estimate.note', { amount: money(costs.total) })}
      </p>
    </>
  )
}
