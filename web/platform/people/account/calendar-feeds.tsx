import { useCalendarFeeds } from '../../kernel/api/calendar-feeds.ts'
import { CalendarFeed } from '../calendar-feed/calendar-feed.tsx'
import { useTexts } from '../../kernel/texts/texts.ts'

/** The calendars that programs of the reader read: their own bookings, and what they follow besides. */
export function CalendarFeeds() {
  const { t } = useTexts()
  const { data } = useCalendarFeeds()
  return (
    <>
      <CalendarFeed item={null} name={t('platform.calendar-feed.mine')} />
      {data?.items.map(({ id, item }) => item && <CalendarFeed key={id} item={item.id} name={item.title} />)}
    </>
  )
}
