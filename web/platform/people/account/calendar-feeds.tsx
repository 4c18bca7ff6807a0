import { useCalendarFeeds } from '../../kernel/api/calendar-feeds.ts'
import { CalendarFeed } from '../calendar-feed/calendar-feed.tsx'
import { useTexts } from '../../kernel/texts/texts.ts'

/** The reader's calendar addresses: their own bookings, and public calendars that they follow. */
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
