import { App, Button, Progress } from 'antd'
import { useRef, useState } from 'react'
import { Fold } from '../../kernel/states/fold.tsx'
import { useConfirm } from '../../kernel/states/confirm.ts'
import { inWords } from '../../kernel/states/trouble.tsx'
import { statusName } from '../../kernel/status/item-status.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './entry-batch.module.css'
import { setItemStatus, settingDetail, type Item, type Register } from './registers.ts'

interface StatusOfManyProps {
  register: Register
  /** The chosen rows, as their reader has seen them. */
  chosen: readonly Item[]
  /** All of them were tried, or it was stopped. */
  onDone(): void
}

interface Run {
  status: string
  total: number
  done: number
  refused: { id: string; title: string; message: string }[]
  running: boolean
}

/**
 * Sets the status of chosen entries, one after another, each on the version that its reader has seen: a refusal of one
 * leaves the others alone.
 */
export function StatusOfMany({ register, chosen, onDone }: StatusOfManyProps) {
  const { t } = useTexts()
  const { message } = App.useApp()
  const confirm = useConfirm()
  const [run, setRun] = useState<Run>()
  const stopped = useRef(false)

  const setAll = async (status: string, rows: readonly Item[]) => {
    stopped.current = false
    let now: Run = { status, total: rows.length, done: 0, refused: [], running: true }
    for (const row of rows) {
      if (stopped.current) break
      setRun(now)
      now = await setItemStatus(register.register, row, status).then(
        () => ({ ...now, done: now.done + 1 }),
        (error: unknown) => {
          const { title, detail } = inWords(error, t)
          return { ...now, refused: [...now.refused, { id: row.id, title: row.title, message: `${title}. ${detail}` }] }
        },
      )
    }
    setRun({ ...now, running: false })
    if (now.done > 0) void message.success(t('platform.many.done', wordsOf(now)))
    onDone()
  }
  const wordsOf = ({ status, done, total }: Run) => ({ status: statusName(status, t), done, total })
  const ask = (status: string, rows: readonly Item[]) =>
    confirm({
      title: t('platform.many.question', { count: rows.length, status: statusName(status, t) }),
      consequence: t(settingDetail(register, status)),
      verb: statusName(status, t),
      // The dialog closes at once; the progress is on the page.
      act: () => void setAll(status, rows),
    })

  return (
    <div className={css['bar']}>
      {Object.entries(register.inBulk).map(([status, from]) => {
        const rows = chosen.filter((row) => from.includes(row.status))
        return (
          <Button key={status} disabled={rows.length === 0 || run?.running === true} onClick={() => ask(status, rows)}>
            {t('platform.many.set', { count: rows.length, status: statusName(status, t) })}
          </Button>
        )
      })}
      {run && (
        <div className={css['progress']}>
          <output>{t(run.running ? 'platform.many.running' : 'platform.many.done', wordsOf(run))}</output>
          {run.running && (
            <>
              <Progress
                percent={Math.round(((run.done + run.refused.length) / run.total) * 100)}
                size="small"
                aria-label={t('platform.entry-batch.progress')}
              />
              <Button size="small" onClick={() => (stopped.current = true)}>
                {t('platform.entry-batch.stop')}
              </Button>
            </>
          )}
          {run.refused.length > 0 && (
            <Fold title={t('platform.many.refused', { count: run.refused.length })}>
              <ul className={css['results']}>
                {run.refused.map(({ id, title, message: why }) => (
                  <li key={id}>
                    <span>{title}</span>
                    <span>{why}</span>
                  </li>
                ))}
              </ul>
            </Fold>
          )}
        </div>
      )}
    </div>
  )
}
