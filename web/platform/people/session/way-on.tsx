import { Button } from 'antd'
import { Link } from 'wouter'
import { useTexts } from '../../kernel/texts/texts.ts'
import { useSession } from '../../kernel/session/session.ts'

/** The way on from a page that leads nowhere else: to the dashboard, or for visitors to the public front page. */
export function WayOn({ primary = false }: { primary?: boolean }) {
  const { t } = useTexts()
  const visitor = useSession().state === 'out'
  return (
    <Link href={visitor ? '/public/home' : '/dashboard'} asChild>
      <Button type={primary ? 'primary' : 'default'}>
        {t(visitor ? 'platform.not-found.home' : 'platform.not-found.back')}
      </Button>
    </Link>
  )
}
