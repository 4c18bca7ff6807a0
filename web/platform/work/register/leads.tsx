import { Button } from 'antd'
import { Link } from 'wouter'
import { mayOpen } from '../../../../forms/platform/may-open.ts'
import { matchScreen } from '../../kernel/screens/screens.ts'
import { useMe } from '../../kernel/session/session.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import type { Item } from './registers.ts'

/** What can be begun for an entry: the pages of these routes that the reader may open. Titles may name the entry. */
export function Leads({
  routes,
  of: { id, title: within },
}: {
  routes: readonly string[]
  of: Pick<Item, 'id' | 'title'>
}) {
  const { t } = useTexts()
  const me = useMe()
  return routes.flatMap((route) => {
    // The page may have another name for the id.
    const screen = matchScreen(route)?.screen
    if (!screen || !mayOpen(me, screen)) return []
    return (
      <Link key={route} href={route.replace('{id}', encodeURIComponent(id))} asChild>
        {/* The name of an entry may be longer than a phone is wide. */}
        <Button style={{ height: 'auto', whiteSpace: 'normal' }}>{t(screen.title, { within })}</Button>
      </Link>
    )
  })
}
