import { lazy, Suspense } from 'react'
import { useBulks } from '../../kernel/api/bulk.ts'
import { matchScreen } from '../../kernel/screens/screens.ts'
import css from './bulk-bar.module.css'

const BulkCard = lazy(async () => ({ default: (await import('./bulk-card.tsx')).BulkCard }))

/** Pages with task lists show the card themselves. */
const withCard: readonly (string | undefined)[] = ['inbox', 'team']

/** The reader's bulk act, if there is one. */
export function Bulk({ onMoved, className }: { onMoved(): void; className?: string }) {
  if (!useBulks().data?.items.length) return null
  const card = (
    <Suspense fallback={null}>
      <BulkCard onMoved={onMoved} />
    </Suspense>
  )
  return className === undefined ? card : <div className={className}>{card}</div>
}

/** The reader's bulk act on every other page: it runs on the server and can be stopped anywhere. */
export function BulkElsewhere({ path }: { path: string }) {
  if (withCard.includes(matchScreen(path)?.screen.page)) return null
  return <Bulk onMoved={nothing} className={`${css['elsewhere']} no-print`} />
}

function nothing(): void {}
