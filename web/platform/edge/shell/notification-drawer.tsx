import {
  BellOutlined,
  CalendarOutlined,
  CloseOutlined,
  FileTextOutlined,
  InboxOutlined,
  MailOutlined,
  UserOutlined,
  WarningOutlined,
} from '@ant-design/icons'
import { App, Button, Drawer } from 'antd'
import { useEffect, useState, type ComponentType } from 'react'
import { Link } from 'wouter'
import {
  deleteNotification,
  deleteNotifications,
  seeNotifications,
  useNotifications,
  type Notification,
} from '../../kernel/api/notifications.ts'
import { useNow } from '../../kernel/clock/now.ts'
import { Empty } from '../../kernel/states/empty.tsx'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { inWords, Trouble } from '../../kernel/states/trouble.tsx'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { useConfirm } from '../../kernel/states/confirm.ts'
import css from './notifications.module.css'

/** By the icon names of the API; an unknown name shows a bell. */
const icons: Record<string, ComponentType> = {
  account: UserOutlined,
  calendar: CalendarOutlined,
  file: FileTextOutlined,
  mail: MailOutlined,
  task: InboxOutlined,
  warning: WarningOutlined,
}

/** The colours an icon may have; any other name shows the text colour. */
const colours = new Map([
  ['primary', 'primary-ink'],
  ...['waiting', 'with-you', 'done', 'returned', 'ended', 'wrong'].map((name) => [name, name] as const),
])

const day = 86_400_000

/** The reader's notifications, newest first; each links to its subject and can be deleted. */
export default function NotificationDrawer({ open, close }: { open: boolean; close(): void }) {
  const { t } = useTexts()
  const { message } = App.useApp()
  const confirm = useConfirm()
  const { data, error, mutate } = useNotifications()
  // Notifications that were new when the drawer opened stay marked until it closes.
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set())
  const unseen = data?.unseen ?? 0

  const report = (problem: unknown) => {
    const words = inWords(problem, t)
    void message.error(`${words.title}. ${words.detail}`, 6)
  }
  useEffect(() => {
    if (!open || unseen === 0) return
    setFresh((before) => new Set([...before, ...(data?.items.slice(0, unseen).map(({ id }) => id) ?? [])]))
    seeNotifications().catch(report)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each arrival, whatever else is rendered again
  }, [open, unseen])

  const leave = () => {
    setFresh(new Set())
    close()
  }
  const deleteAll = () =>
    confirm({
      title: t('platform.notifications.delete-all-question'),
      consequence: t('platform.notifications.delete-all-detail'),
      verb: t('platform.notifications.delete-all'),
      danger: true,
      keep: t('platform.notifications.keep'),
      act: () => deleteNotifications().catch(report),
    })

  return (
    <Drawer
      open={open}
      onClose={leave}
      title={t('platform.notifications')}
      size={400}
      styles={{ wrapper: { maxWidth: '100vw' }, body: { padding: 0 } }}
    >
      {error && !data ? (
        <Trouble error={error} onRetry={() => void mutate()} />
      ) : !data ? (
        <div className={css['loading']}>
          <Skeleton lines={6} />
        </div>
      ) : data.items.length === 0 ? (
        <Empty title={t('platform.notifications.none')}>{t('platform.notifications.none-detail')}</Empty>
      ) : (
        <>
          <div className={css['bar']}>
            <Button type="text" size="small" onClick={deleteAll}>
              {t('platform.notifications.delete-all')}
            </Button>
          </div>
          <ul className={css['list']}>
            {data.items.map((each) => (
              <Item
                key={each.id}
                of={each}
                fresh={fresh.has(each.id)}
                leave={leave}
                remove={() => void deleteNotification(each.id).catch(report)}
              />
            ))}
          </ul>
        </>
      )}
    </Drawer>
  )
}

interface ItemProps {
  of: Notification
  fresh: boolean
  leave(): void
  remove(): void
}

function Item({ of, fresh, leave, remove }: ItemProps) {
  const { t } = useTexts()
  const { waited, day: dayOf } = useFormats()
  const now = useNow()
  const colour = colours.get(of.icon.color)
  const Icon = icons[of.icon.name] ?? BellOutlined
  const words = (
    <>
      <i className={css['icon']} style={colour ? { color: `var(--${colour})` } : undefined}>
        <Icon />
      </i>
      <span className={css['heading']}>
        {fresh && <b>{t('platform.notifications.new')}</b>}
        {of.heading}
      </span>
      <time dateTime={of.timestamp}>
        {now - Date.parse(of.timestamp) < day ? waited(of.timestamp, now) : dayOf(of.timestamp)}
      </time>
      <strong>{of.title}</strong>
      {of.subtitle && <span className={css['subtitle']}>{of.subtitle}</span>}
    </>
  )
  return (
    <li data-fresh={fresh || undefined}>
      {of.path ? (
        <Link href={of.path} className={css['words']} onClick={leave}>
          {words}
        </Link>
      ) : (
        <div className={css['words']}>{words}</div>
      )}
      <Button
        type="text"
        size="small"
        icon={<CloseOutlined />}
        aria-label={t('platform.notifications.delete', { title: of.title })}
        onClick={remove}
      />
    </li>
  )
}
