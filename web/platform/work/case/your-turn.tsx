import { Button } from 'antd'
import { Link } from 'wouter'
import { useNow } from '../../kernel/clock/now.ts'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './your-turn.module.css'

interface YourTurnProps {
  task: string
  title: string
  /** The accessible name; the title by default. */
  label?: string
  /** What is to be done. */
  what: string
  dueAt: string | null
  action: string
}

/** A task of the requester, its due time, and a link to it. */
export function YourTurn({ task, title, label = title, what, dueAt, action }: YourTurnProps) {
  const { t } = useTexts()
  const { moment, due } = useFormats()
  const now = useNow()
  return (
    <section className={`${css['turn']} no-print`} aria-label={label}>
      <div>
        <h2>{title}</h2>
        <p>
          {what}
          {dueAt && ` · ${t('platform.case.your-turn-until', { moment: moment(dueAt), due: due(dueAt, now).text })}`}
        </p>
      </div>
      <Link href={`/tasks/${encodeURIComponent(task)}`} asChild>
        <Button type="primary">{action}</Button>
      </Link>
    </section>
  )
}
