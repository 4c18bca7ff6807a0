import { Link } from 'wouter'
import { isMeant, mayOpen } from '../../../../forms/platform/may-open.ts'
import { withQuery } from '../../kernel/client/client.ts'
import { useRead } from '../../kernel/api/read.ts'
import type { Me } from '../../kernel/client/types.ts'
import type { FrontPart, Screen } from '../../kernel/screens/match.ts'
import { screens } from '../../kernel/screens/screens.ts'
import { useMe } from '../../kernel/session/session.ts'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { statusName } from '../../kernel/status/item-status.ts'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { countIn, countPath } from './counts.ts'
import css from './front.module.css'

/** The reader's own entries that a part shows at most. */
const SHOWN = 4

type Part = Screen & { front: FrontPart }

/** The parts of the start page that screens declare for one of the reader's roles (`front`). */
const partsFor = (me: Me): Part[] =>
  screens.filter(
    (screen): screen is Part =>
      typeof screen.front === 'object' &&
      screen.built &&
      mayOpen(me, screen) &&
      screen.front.for.some((entry) => me.grants.some((grant) => isMeant(entry, grant))),
  )

/** What waits in the reader's lists, and the entries about themselves. */
export function Parts() {
  const { t } = useTexts()
  const parts = partsFor(useMe())
  const [own, lists] = [parts.filter(({ front }) => front.own), parts.filter(({ front }) => !front.own)]
  return (
    <>
      {lists.length > 0 && (
        <section className={css['part']}>
          <h2>{t('dashboard.part.lists')}</h2>
          <ul>
            {lists.map((part) => (
              <Counted key={part.route} part={part} />
            ))}
          </ul>
        </section>
      )}
      {own.map((part) => (
        <Own key={part.route} part={part} />
      ))}
    </>
  )
}

/** A list, and how much of it waits for the reader. */
function Counted({ part }: { part: Part }) {
  const { t } = useTexts()
  const { count } = useFormats()
  const { data, error } = useRead<unknown>(countPath(part))
  const found = data === undefined ? undefined : countIn(part, data)
  return (
    <li>
      <Link href={part.front.leadsTo ?? part.route} className={css['counted']}>
        <strong>{t(part.front.title)}</strong>
        <em>{found ? (found.more ? count(found) : found.value) : error ? '–' : '…'}</em>
        {found?.value === 0 && <span>{t('dashboard.part.nothing')}</span>}
      </Link>
    </li>
  )
}

interface OwnEntry {
  id: string
  title: string
  status: string
}

/** The reader's own entries of a register, with their status. */
function Own({ part: { route, parameters, front } }: { part: Part }) {
  const { t } = useTexts()
  const register = String(parameters?.['register'])
  const { data, error, mutate } = useRead<{ items: OwnEntry[] }>(
    withQuery(`/api/registers/${register}/items`, { mine: true, limit: 50 }),
  )
  const items = data?.items.filter(({ status }) => front.statuses?.includes(status) ?? true)
  return (
    <section className={css['part']}>
      <h2>
        <Link href={front.leadsTo ?? route}>{t(front.title)}</Link>
      </h2>
      {error && !items ? (
        <Trouble error={error} onRetry={() => void mutate()} />
      ) : !items ? (
        <Skeleton lines={1} />
      ) : items.length === 0 ? (
        <p className={css['nothing']}>{t(`${front.title}.none`)}</p>
      ) : (
        <ul>
          {items.slice(0, SHOWN).map(({ id, title, status }) => (
            <li key={id}>
              <Link href={front.leadsTo ?? route} className={css['counted']}>
                <strong>{title}</strong>
                <em>{statusName(status, t)}</em>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {items && items.length > SHOWN && (
        <p className={css['all']}>
          <Link href={front.leadsTo ?? route}>{t('dashboard.part.all', { count: items.length })}</Link>
        </p>
      )}
    </section>
  )
}
