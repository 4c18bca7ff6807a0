import { Button } from 'antd'
import { Link } from 'wouter'
import { mayOpen } from '../../../../forms/platform/may-open.ts'
import { screens } from '../../kernel/screens/screens.ts'
import { useMe } from '../../kernel/session/session.ts'
import { useTexts } from '../../kernel/texts/texts.ts'

/** What can be begun for an entry: the pages of these routes that the reader may open. */
export function Leads({ routes, id }: { routes: readonly string[]; id: string }) {
  const { t } = useTexts()
  const me = useMe()
  const open = screens.filter((screen) => routes.includes(screen.route) && mayOpen(me, screen))
  return open.map(({ route, title }) => (
    <Link key={route} href={route.replace('{id}', encodeURIComponent(id))} asChild>
      <Button>{t(title)}</Button>
    </Link>
  ))
}
