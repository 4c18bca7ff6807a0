import { Button, Modal, Progress } from 'antd'
import { useEffect, useEffectEvent, useState } from 'react'
import { Link } from 'wouter'
import { isRunning, stopBulk, undoBulk, useBulk, useBulks, type BulkRow } from '../../kernel/api/bulk.ts'
import { useSecond } from '../../kernel/clock/now.ts'
import { useAction } from '../../kernel/states/act.ts'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { withoutDots } from '../case/outcomes.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './bulk-bar.module.css'
import dialog from './bulk-dialog.module.css'

/** The last bulk act whose end the reader has dismissed, on this device. */
const remembered = 'prakriya.bulk-seen'
/** An older end is not shown, in milliseconds. */
const news = 3_600_000

/**
 * The progress and result of the reader's bulk act. The server keeps it, so every page and device shows it. Calls
 * `onMoved` on progress.
 */
export function BulkCard({ onMoved }: { onMoved(): void }) {
  const { t } = useTexts()
  const attempt = useAction()
  const [seen, setSeen] = useState(() => localStorage.getItem(remembered))
  const [answers, setAnswers] = useState(false)
  const [stopping, setStopping] = useState<string>()
  const latest = useBulks().data?.items[0]
  const moved = useEffectEvent(onMoved)
  const come = latest && latest.done + latest.refused
  useEffect(() => {
    if (come) moved()
  }, [come])
  // Fixed while shown, so that the card does not disappear while it is read.
  const [opened] = useState(() => Date.now())
  if (!latest || latest.id === seen || (latest.endedAt && Date.parse(latest.endedAt) < opened - news)) return null
  const going = isRunning(latest)
  const note = () => {
    localStorage.setItem(remembered, latest.id)
    setSeen(latest.id)
  }
  return (
    <>
      <aside className={css['card']} aria-label={t('platform.inbox.bulk.card')}>
        <h2>
          <output>{headingOf(latest, t)}</output>
        </h2>
        {going ? (
          <Progress
            percent={Math.round(((latest.done + latest.refused) / latest.total) * 100)}
            showInfo={false}
            size="small"
            aria-label={t('platform.inbox.bulk.card')}
          />
        ) : (
          latest.refused + latest.stopped > 0 && (
            <p>
              {[
                latest.refused > 0 && t('platform.inbox.bulk.refused', { count: latest.refused }),
                latest.stopped > 0 && t('platform.inbox.bulk.left', { count: latest.stopped }),
              ]
                .filter(Boolean)
                .join(' ')}
            </p>
          )
        )}
        <footer>
          {going && (
            <Button
              size="small"
              loading={stopping === latest.id}
              onClick={() => {
                setStopping(latest.id)
                void attempt(() => stopBulk(latest.id)).then(() => setStopping(undefined))
              }}
            >
              {t('platform.inbox.bulk.stop')}
            </Button>
          )}
          <UndoAll bulk={latest} />
          <Button size="small" onClick={() => setAnswers(true)}>
            {t('platform.inbox.bulk.answers')}
          </Button>
          {!going && (
            <Button size="small" type="text" onClick={note}>
              {t('platform.inbox.bulk.close')}
            </Button>
          )}
        </footer>
      </aside>
      <Answers id={latest.id} open={answers} close={() => setAnswers(false)} />
    </>
  )
}

/** Undoes the whole act while that is possible. */
function UndoAll({ bulk: { id, undoUntil, done } }: { bulk: BulkRow }) {
  const { t } = useTexts()
  const attempt = useAction()
  const now = useSecond()
  const [undoing, setUndoing] = useState(false)
  if (undoUntil === null || done === 0 || Date.parse(undoUntil) <= now) return null
  return (
    <Button
      size="small"
      loading={undoing}
      onClick={() => {
        setUndoing(true)
        void attempt(() => undoBulk(id)).then(() => setUndoing(false))
      }}
    >
      {t('platform.inbox.bulk.undo', { count: done })}
    </Button>
  )
}

function headingOf(
  { kind, outcome, state, done, refused, total }: BulkRow,
  t: ReturnType<typeof useTexts>['t'],
): string {
  const act = outcome === null ? t(`platform.inbox.bulk.${kind}`) : withoutDots(outcome)
  if (state === 'running') return t('platform.inbox.bulk.running', { act, done: done + refused, total })
  return t(state === 'stopped' ? 'platform.inbox.bulk.stopped' : 'platform.inbox.bulk.done', { count: done, total })
}

/** The result for each task. */
function Answers({ id, open, close }: { id: string; open: boolean; close(): void }) {
  const { t } = useTexts()
  const { data, error, mutate } = useBulk(open ? id : undefined)
  return (
    <Modal open={open} title={t('platform.inbox.bulk.answers-title')} width={600} footer={null} onCancel={close}>
      {error && !data ? (
        <Trouble error={error} onRetry={() => void mutate()} />
      ) : !data ? (
        <Skeleton lines={6} />
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a list that is scrolled by keyboard as well
        <ul className={dialog['answers']} tabIndex={0} aria-label={t('platform.inbox.bulk.answers-title')}>
          {data.items.map(({ task, reference, title, state, message }) => (
            <li key={task} data-state={state}>
              <Link href={`/tasks/${encodeURIComponent(task)}`}>{title}</Link>
              <p>
                <b>{t(`platform.inbox.bulk.item.${state}`)}</b>
                {message ?? reference}
              </p>
            </li>
          ))}
        </ul>
      )}
    </Modal>
  )
}
