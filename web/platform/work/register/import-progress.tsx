import { Progress } from 'antd'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './import.module.css'
import { useImportProgress } from './registers.ts'

/** How many parts of an import are told to screen readers. */
const SPOKEN_PARTS = 4

/** How many rows are checked or added, of how many; nothing is in the register before all are. */
export function Reading({ register, csv, id }: { register: string; csv: string; id: string }) {
  const { t } = useTexts()
  const progress = useImportProgress(register, id)
  const lines = csv.split('\n').filter((line) => line.trim() !== '').length - 1
  const { step, done, total } = progress ?? { step: 'check', done: 0, total: lines }
  const words = (count: number) => t(`platform.register-import.progress.${step}`, { done: count, total })
  // A screen reader reads out each change, so that it hears of some only.
  const spoken = Math.floor((Math.floor((done / total) * SPOKEN_PARTS) * total) / SPOKEN_PARTS)
  return (
    <div className={css.progress}>
      <p aria-hidden="true">{words(done)}</p>
      <p className="visually-hidden" role="status" aria-live="polite">
        {words(total > 0 ? spoken : 0)}
      </p>
      <Progress
        percent={total > 0 ? Math.round((done / total) * 100) : 0}
        aria-label={t('platform.entry-batch.progress')}
      />
      <p className={css.help}>{t('platform.register-import.progress.whole')}</p>
    </div>
  )
}
