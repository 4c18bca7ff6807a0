import { useTexts } from '../texts/texts.ts'
import css from './states.module.css'

const widths = ['72%', '48%', '86%', '61%', '39%', '78%']

/** Grey lines while content loads. */
export function Skeleton({ lines = 4 }: { lines?: number }) {
  const { t } = useTexts()
  return (
    <output className={css['skeleton']} data-loading aria-label={t('platform.loading')}>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} className={css['bar']} style={{ width: widths[line % widths.length] }} />
      ))}
    </output>
  )
}
