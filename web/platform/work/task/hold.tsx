import { DownOutlined } from '@ant-design/icons'
import { Button, Dropdown, type MenuProps } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { claimTask, releaseTask } from '../../kernel/api/tasks.ts'
import { followUpTask, prioritiseTask, type Priority } from '../../kernel/api/task-acts.ts'
import type { Task } from '../../kernel/client/types.ts'
import { addDays, momentOf, wallClock } from '../../kernel/clock/colombo.ts'
import { useNow } from '../../kernel/clock/now.ts'
import { useMe } from '../../kernel/session/session.ts'
import { useAction } from '../../kernel/states/act.ts'
import { useFormats, type Formats } from '../../kernel/texts/formats.ts'
import { useTexts, type Translate } from '../../kernel/texts/texts.ts'
import type { TaskDialog } from './act-dialogs.tsx'
import css from './task.module.css'

const ActDialogs = lazy(() => import('./act-dialogs.tsx'))

/** The time of day at which a task that was put off returns. */
const morning = '08:00'
const priorities: readonly Priority[] = [75, 50, 25]

function nextMonday(today: string): string {
  const weekday = new Date(`${today}T12:00:00Z`).getUTCDay()
  return addDays(today, (8 - weekday) % 7 || 7)
}

/** The assignee and state of a task, and all acts other than deciding. */
export function Hold({ of }: { of: Task }) {
  const { t } = useTexts()
  const formats = useFormats()
  const me = useMe()
  const attempt = useAction()
  const [busy, setBusy] = useState(false)
  const [dialog, setDialog] = useState<TaskDialog>()
  const { task, may } = of
  if (task.state === 'done' || task.state === 'void') return null

  const act = async (what: () => Promise<unknown>, done?: string) => {
    setBusy(true)
    await attempt(what, done)
    setBusy(false)
  }
  return (
    <div className={`${css['hold']} no-print`}>
      <ul className={css['holder']}>
        {holderTexts(of, me.id, t, formats).map((words) => (
          <li key={words}>{words}</li>
        ))}
      </ul>
      {may.claim && (
        <Button size="small" disabled={busy} onClick={() => void act(() => claimTask(task.id))}>
          {t(task.delegatedBy?.id === me.id ? 'platform.task.take-back' : 'platform.task.claim')}
        </Button>
      )}
      {may.release && (
        <Button size="small" type="text" disabled={busy} onClick={() => void act(() => releaseTask(task.id))}>
          {t('platform.task.release')}
        </Button>
      )}
      <More of={of} disabled={busy} act={act} open={setDialog} />
      {dialog && (
        <Suspense fallback={null}>
          <ActDialogs dialog={dialog} of={of} onClose={() => setDialog(undefined)} />
        </Suspense>
      )}
    </div>
  )
}

/** The state of a task in short sentences. */
function holderTexts({ task, questions }: Task, me: string, t: Translate, { moment, day }: Formats): string[] {
  const { assignee, delegatedBy, heldFor, followUpAt } = task
  const mine = assignee?.id === me
  const held = !assignee
    ? t('platform.task.free')
    : delegatedBy
      ? mine
        ? t('platform.task.asks-opinion', { name: delegatedBy.name })
        : t('platform.task.gives-opinion', { name: assignee.name, asker: delegatedBy.name })
      : mine
        ? heldFor
          ? t('platform.task.mine-for', { name: heldFor.name })
          : t('platform.task.mine')
        : heldFor
          ? t('platform.task.taken-for', { name: assignee.name, absent: heldFor.name })
          : t('platform.task.taken-by', { name: assignee.name })
  const asked = questions.find(({ answer }) => answer === null)
  return [
    held,
    ...(task.for ? [t('platform.task.for', { name: task.for.name })] : []),
    ...(task.priority > 50 ? [t('platform.task.priority.high')] : []),
    ...(task.priority < 50 ? [t('platform.task.priority.low')] : []),
    ...(asked
      ? [t('platform.task.waits-for-answer', { moment: moment(asked.askedAt) })]
      : followUpAt && Date.parse(followUpAt) > Date.now()
        ? [t('platform.task.put-off', { day: day(followUpAt) })]
        : []),
  ]
}

interface MoreProps {
  of: Task
  disabled: boolean
  act(what: () => Promise<unknown>, done?: string): Promise<void>
  open(dialog: TaskDialog): void
}

/** The menu of less common acts; acts that the reader may not do are left out. */
function More({ of: { task, may }, disabled, act, open }: MoreProps) {
  const { t } = useTexts()
  const { day } = useFormats()
  const today = wallClock(useNow()).date
  const putOff = (date: string) =>
    void act(
      () => followUpTask(task.id, momentOf({ date, time: morning })),
      t('platform.task.put-off', { day: day(date) }),
    )
  const entry = (key: Exclude<TaskDialog, 'resolve'>, shown: boolean) =>
    shown ? [{ key, label: t(`platform.task.act.${key}`), onClick: () => open(key) }] : []
  const isPutOff = task.followUpAt !== null

  const groups: NonNullable<MenuProps['items']>[] = [
    [
      ...entry('assign', may.assign || may.reassign),
      ...entry('delegate', may.delegate),
      ...entry('question', may.question),
      ...entry('due', may.due),
    ],
    may.followUp
      ? [
          {
            key: 'follow-up',
            type: 'group',
            label: t('platform.task.act.follow-up'),
            children: [
              { key: 'tomorrow', label: t('platform.task.tomorrow'), onClick: () => putOff(addDays(today, 1)) },
              {
                key: 'monday',
                label: t('platform.task.next-monday', { day: day(nextMonday(today)) }),
                onClick: () => putOff(nextMonday(today)),
              },
              { key: 'date', label: t('platform.task.a-date'), onClick: () => open('follow-up') },
              ...(isPutOff
                ? [
                    {
                      key: 'now',
                      label: t('platform.task.bring-back'),
                      onClick: () => void act(() => followUpTask(task.id, null)),
                    },
                  ]
                : []),
            ],
          },
        ]
      : [],
    may.priority
      ? [
          {
            key: 'priority',
            type: 'group',
            label: t('platform.task.act.priority'),
            children: priorities.map((priority) => ({
              key: `priority ${priority}`,
              label: t(`platform.task.priority.${priority}`),
              disabled: task.priority === priority,
              onClick: () => void act(() => prioritiseTask(task.id, priority)),
            })),
          },
        ]
      : [],
  ]
  const items = groups
    .filter((group) => group.length > 0)
    .flatMap((group, at) => (at === 0 ? group : [{ key: `line ${at}`, type: 'divider' as const }, ...group]))
  if (items.length === 0) return null
  return (
    <Dropdown trigger={['click']} menu={{ items, className: css['menu'] ?? '' }} disabled={disabled}>
      <Button size="small" type="text" data-more="">
        {t('platform.task.more')} <DownOutlined aria-hidden />
      </Button>
    </Dropdown>
  )
}
