import { Button } from 'antd'
import { Link } from 'wouter'
import { mayOpen } from '../../../../forms/platform/may-open.ts'
import { screens } from '../../kernel/screens/screens.ts'
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
  const open = screens.filter((screen) => routes.includes(screen.route) && mayOpen(me, screen))
  return open.map(({ route, title, parameters }) => (
    <Link key={route} href={route.replace(`{${parameters?.['hole'] ?? 'id'}}`, encodeURIComponent(id))} asChild>
      <Button>{t(title, { within })}</Button>
    </Link>
  ))
}
