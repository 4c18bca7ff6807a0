import { App, Button, Input, type InputRef } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { endCalendarFeed, makeCalendarFeed, useCalendarFeeds } from '../../kernel/api/calendar-feeds.ts'
import { useAction } from '../../kernel/states/act.ts'
import { useConfirm } from '../../kernel/states/confirm.ts'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './calendar-feed.module.css'

interface CalendarFeedProps {
  /** A public item; null means the reader's own bookings. */
  item: string | null
  /** What the calendar shows, in words. */
  name: string
}

/** One calendar address: shown only once, with buttons to replace and to revoke it. */
export function CalendarFeed({ item, name }: CalendarFeedProps) {
  const { t } = useTexts()
  const { moment } = useFormats()
  const { message } = App.useApp()
  const confirm = useConfirm()
  const attempt = useAction()
  const { data, error, mutate } = useCalendarFeeds()
  const [address, setAddress] = useState<string>()
  const field = useRef<InputRef>(null)
  // Selects the address for copying.
  useEffect(() => field.current?.focus({ cursor: 'all' }), [address])
  if (error && !data) return <Trouble error={error} onRetry={() => void mutate()} />
  if (!data) return <Skeleton lines={2} />
  const feed = data.items.find((each) => (each.item?.id ?? null) === item)

  const make = () => attempt(async () => setAddress(await makeCalendarFeed(item)))
  const renew = () =>
    confirm({
      title: t('platform.calendar-feed.renew-question'),
      consequence: t('platform.calendar-feed.renew-detail'),
      verb: t('platform.calendar-feed.renew'),
      keep: t('platform.calendar-feed.keep'),
      act: make,
    })
  const stop = async (id: string) => {
    if (await attempt(() => endCalendarFeed(id), t('platform.calendar-feed.stopped'))) setAddress(undefined)
  }
  const copy = async (text: string) => {
    await navigator.clipboard.writeText(text)
    void message.success(t('platform.calendar-feed.copied'))
  }

  return (
    <section className={css['feed']} aria-label={t('platform.calendar-feed.of-item', { name })}>
      <div className={css['line']}>
        <p>
          <strong>{name}</strong>
          <span>
            {feed
              ? t('platform.calendar-feed.made', { moment: moment(feed.createdAt) })
              : t('platform.calendar-feed.none')}
          </span>
        </p>
        {feed ? (
          <>
            <Button size="small" aria-label={t('platform.calendar-feed.renew-of', { name })} onClick={renew}>
              {t('platform.calendar-feed.renew')}
            </Button>
            <Button
              size="small"
              aria-label={t('platform.calendar-feed.stop-of', { name })}
              onClick={() => void stop(feed.id)}
            >
              {t('platform.calendar-feed.stop')}
            </Button>
          </>
        ) : (
          <Button size="small" onClick={() => void make()}>
            {t('platform.calendar-feed.get')}
          </Button>
        )}
      </div>
      {feed && address && (
        <div className={css['address']}>
          <Input ref={field} readOnly value={address} aria-label={t('platform.calendar-feed.address')} />
          <Button type="primary" onClick={() => void attempt(() => copy(address))}>
            {t('platform.calendar-feed.copy')}
          </Button>
          <p role="status">{t('platform.calendar-feed.once')}</p>
        </div>
      )}
    </section>
  )
}
