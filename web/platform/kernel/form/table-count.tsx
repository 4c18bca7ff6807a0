import type { FormSchema } from '../client/types.ts'
import { isRecord } from '../record/fields.ts'
import { useTexts } from '../texts/texts.ts'
import type { FormValue } from './conditions.ts'
import { useForm } from './form-context.ts'
import css from './form.module.css'

interface TableCountProps {
  /** The field of the table. */
  pointer: string
  counts: NonNullable<FormSchema['x-counts']>
  rows: readonly FormValue[]
}

/** What the chosen rows add up to, against the limits, while they are chosen. */
export function TableCount({ pointer, counts: { of, when, with: sibling, text }, rows }: TableCountProps) {
  const { t } = useTexts()
  const { beside, whole } = useForm()
  const limits = beside?.limits.find(({ field }) => field === pointer)
  if (!limits) return null
  const { least, most } = limits
  const others = sibling === undefined ? [] : whole.value[sibling]
  const chosen = rows.filter((row) => Object.entries(when).every(([name, value]) => row[name] === value))
  const count = [...chosen, ...(Array.isArray(others) ? others.filter(isRecord) : [])].reduce((all, row) => {
    const one = row[of]
    return typeof one === 'number' ? all + one : all
  }, 0)
  const missing = least - count
  const over = count - most
  return (
    <p aria-live="polite" className={css['total']} data-short={missing > 0 || over > 0 || undefined}>
      {missing > 0
        ? t(`${text}.few`, { count, missing, least, most })
        : over > 0
          ? t(`${text}.many`, { count, over, least, most })
          : t(text, { count, least, most })}
    </p>
  )
}
