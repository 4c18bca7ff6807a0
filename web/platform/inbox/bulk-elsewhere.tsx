import { lazy, Suspense } from 'react'
import { useBulks } from '../api/bulk.ts'
import { matchScreen } from '../router/screens.ts'
import css from './bulk-bar.module.css'

const BulkCard = lazy(async () => ({ default: (await import('./bulk-card.tsx')).BulkCard }))

/** Where lists of tasks stand, the card stands beside them. */
const withCard: readonly (string | undefined)[] = ['inbox', 'team']

/** The reader's act on many tasks, where there is one. */
export function Bulk({ onMoved }: { onMoved(): void }) {
  if (!useBulks(true).data?.items.length) return null
  return (
    <Suspense fallback={null}>
      <BulkCard onMoved={onMoved} />
    </Suspense>
  )
}

/** The reader's act on many tasks on every other page: it goes on, and can be stopped, wherever they are. */
export function BulkElsewhere({ path }: { path: string }) {
  const elsewhere = !withCard.includes(matchScreen(path)?.screen.page)
  const some = useBulks(elsewhere).data?.items.length
  if (!elsewhere || !some) return null
  return (
    <div className={`${css['elsewhere']} no-print`}>
      <Suspense fallback={null}>
        <BulkCard onMoved={nothing} />
      </Suspense>
    </div>
  )
}

function nothing(): void {}
