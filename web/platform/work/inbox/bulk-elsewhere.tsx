import { lazy, Suspense } from 'react'
import { useBulks } from '../../kernel/api/bulk.ts'
import { matchScreen } from '../../kernel/screens/screens.ts'
import css from './bulk-bar.module.css'

const BulkCard = lazy(async () => ({ default: (await import('./bulk-card.tsx')).BulkCard }))

/** Where lists of tasks stand, the card stands beside them. */
const withCard: readonly (string | undefined)[] = ['inbox', 'team']

/** The reader's act on many tasks, where there is one. */
export function Bulk({ onMoved, className }: { onMoved(): void; className?: string }) {
  if (!useBulks().data?.items.length) return null
  const card = (
    <Suspense fallback={null}>
      <BulkCard onMoved={onMoved} />
    </Suspense>
  )
  return className === undefined ? card : <div className={className}>{card}</div>
}

/** The reader's act on many tasks on every other page: it goes on, and can be stopped, wherever they are. */
export function BulkElsewhere({ path }: { path: string }) {
  if (withCard.includes(matchScreen(path)?.screen.page)) return null
  return <Bulk onMoved={nothing} className={`${css['elsewhere']} no-print`} />
}

function nothing(): void {}
