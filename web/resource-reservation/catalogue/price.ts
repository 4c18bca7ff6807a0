import type { Formats } from '../../platform/kernel/texts/formats.ts'
import type { Translate } from '../../platform/kernel/texts/texts.ts'
import type { ResourceData } from './resources.ts'

/** The price in one line: `Rs. 10,000.00 for 4 hours`, or that it is free. */
export function priceLine(
  { cost_applicable, base_cost, base_cost_basis, base_hours }: ResourceData,
  t: Translate,
  { money }: Formats,
): string | undefined {
  if (cost_applicable === false) return t('resource-reservation.no-charge')
  if (cost_applicable === undefined || base_cost === undefined) return undefined
  const amount = money(base_cost)
  if (base_cost_basis === 'Per Day') {
    return base_hours
      ? t('resource-reservation.price.per-day-of', { amount, count: base_hours })
      : t('resource-reservation.price.per-day', { amount })
  }
  return base_hours
    ? t('resource-reservation.price.for-hours', { amount, count: base_hours })
    : t('resource-reservation.price.per-hour', { amount })
}

/** The price of further time: `Rs. 2,000.00 for each further 2 hours`. */
export function extraLine(
  { cost_applicable, extra_cost, extra_cost_number = 1, extra_cost_basis }: ResourceData,
  t: Translate,
  { money }: Formats,
): string | undefined {
  if (!cost_applicable || !extra_cost) return undefined
  const unit = extra_cost_basis === 'Per Day' ? 'days' : 'hours'
  return t(`resource-reservation.price.extra-${unit}`, { amount: money(extra_cost), count: extra_cost_number })
}
