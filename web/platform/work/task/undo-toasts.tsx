import { App, Button } from 'antd'
import { useEffect, useState } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { mutate } from 'swr'
import { withQuery } from '../../kernel/client/client.ts'
import { sendTask, undoTask } from '../../kernel/api/tasks.ts'
import { undoablePath, useUndoable, type Undoable } from '../../kernel/api/task-acts.ts'
import { useSecond } from '../../kernel/clock/now.ts'
import { useShortcuts } from '../../kernel/keyboard/shortcuts.ts'
import { matchScreen } from '../../kernel/screens/screens.ts'
import { inWords } from '../../kernel/states/trouble.tsx'
import { useTexts } from '../../kernel/texts/texts.ts'
import { withoutDots } from '../case/outcomes.ts'
import css from './undo-toasts.module.css'

/**
 * The reader's unsent decisions, each with an undo button. The server keeps them, so every page and tab shows them,
 * also after a reload.
 */
export function UndoToasts() {
  const { data: items = [] } = useUndoable()
  if (items.length === 0) return null
  return <Toasts items={items} />
}

function Toasts({ items }: { items: Undoable[] }) {
  const { t } = useTexts()
  const now = useSecond()
  const [all, setAll] = useState(false)
  // Newest first, as the server returns them.
  const left = items.filter(({ until }) => Date.parse(until) > now)
  const over = items.length - left.length
  useEffect(() => {
    // The server no longer lists decisions that have been sent.
    if (over > 0) void mutate(undoablePath)
  }, [over])
  const [newest, ...others] = left
  if (!newest) return null
  return (
    <section className={`${css['toasts']} no-print`} aria-label={t('platform.undo.list')}>
      {/* Announced once per decision; the countdown is only visual. */}
      <p className="visually-hidden" role="status">
        {t('platform.undo.said', { outcome: withoutDots(newest.outcome?.text ?? ''), reference: newest.reference })}
      </p>
      {others.length > 0 && (
        <button type="button" className={css['others']} aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? t('platform.undo.fewer') : t('platform.undo.others', { count: others.length })}
        </button>
      )}
      <ul>
        {(all ? left.toReversed() : [newest]).map((item) => (
          <Toast
            key={item.task}
            item={item}
            seconds={Math.ceil((Date.parse(item.until) - now) / 1000)}
            newest={item === newest}
          />
        ))}
      </ul>
    </section>
  )
}

interface ToastProps {
  item: Undoable
  seconds: number
  /** The undo key applies to this one. */
  newest: boolean
}

function Toast({ item, seconds, newest }: ToastProps) {
  const { t } = useTexts()
  const { message } = App.useApp()
  const [path, navigate] = useLocation()
  const search = useSearch()
  const [busy, setBusy] = useState<'undo' | 'send'>()
  const outcome = withoutDots(item.outcome?.text ?? '')

  const act = async (which: 'undo' | 'send', run: () => Promise<void>) => {
    setBusy(which)
    try {
      await run()
    } catch (error) {
      setBusy(undefined)
      void message.error(inWords(error, t).detail, 6)
    } finally {
      void mutate(undoablePath)
    }
  }

  const undo = () =>
    act('undo', async () => {
      await undoTask(item.task)
      // Opens the task beside the list in the inbox, elsewhere on its own page.
      navigate(
        matchScreen(path)?.screen.page === 'inbox'
          ? withQuery(path, { ...Object.fromEntries(new URLSearchParams(search)), task: item.task })
          : `/tasks/${encodeURIComponent(item.task)}`,
      )
    })

  useShortcuts('platform.keyboard.everywhere', [
    { key: 'z', title: 'platform.undo.key', run: () => void undo(), when: newest && busy === undefined },
  ])

  return (
    <li className={css['toast']}>
      <p>
        <span>
          <strong>{outcome}</strong> {item.title}
        </span>
        <small>
          <Link href={`/tasks/${encodeURIComponent(item.task)}`}>{item.reference}</Link>
        </small>
      </p>
      <span className={css['seconds']} aria-hidden>
        {t('platform.undo.seconds', { count: Math.max(0, seconds) })}
      </span>
      <Button
        type="text"
        data-send=""
        loading={busy === 'send'}
        disabled={busy === 'undo'}
        aria-label={t('platform.undo.send-named', { outcome, reference: item.reference })}
        onClick={() => void act('send', () => sendTask(item.task))}
      >
        {t('platform.undo.send')}
      </Button>
      <Button
        data-undo=""
        loading={busy === 'undo'}
        disabled={busy === 'send'}
        aria-label={t('platform.undo.named', { outcome, reference: item.reference })}
        onClick={() => void undo()}
      >
        {t('platform.task.undo')}
      </Button>
    </li>
  )
}
