import { Button } from 'antd'
import { Link } from 'wouter'
import { useTexts } from '../../kernel/texts/texts.ts'
import { useSession } from '../../kernel/session/session.ts'

/** A link from a dead end: to the dashboard, or for visitors to the public home. */
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
