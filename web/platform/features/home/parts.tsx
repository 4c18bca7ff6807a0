import { Link } from 'wouter'
import { isMeant, mayOpen } from '../../../../forms/platform/may-open.ts'
import { withQuery } from '../../kernel/client/client.ts'
import { useRead } from '../../kernel/api/read.ts'
import type { ListAnnouncements, ListWaitingEntries } from '../../kernel/client/operations.generated.ts'
import type { Count, Me } from '../../kernel/client/types.ts'
import type { FrontPart, Screen } from '../../kernel/screens/match.ts'
import { screens } from '../../kernel/screens/screens.ts'
import { useMe } from '../../kernel/session/session.ts'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { WaitingNumber } from '../../kernel/states/waiting-number.tsx'
import { statusName } from '../../kernel/status/item-status.ts'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { countIn, countPath } from '../../kernel/screens/counts.ts'
import { Owed } from '../../work/register/owed.tsx'
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
      <Announced />
      <ToCertify />
      <Owed path="/api/owed" title="platform.owed.title" about="platform.owed.about" quiet className={css['part']} />
      {lists.length > 0 && (
        <section className={`${css['part']} ${css['lists']}`}>
          <h2>{t('dashboard.part.lists')}</h2>
          <ul>
            {lists.map((part) => (
              <WaitingNumber
                key={part.route}
                title={part.front.title}
                path={countPath(part)}
                countIn={(answer) => countIn(part, answer)}
                leadsTo={part.front.leadsTo ?? part.route}
                className={css['counted']}
                none="dashboard.part.nothing"
                whenSome={part.front.whenSome}
              />
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

/** What is open to the reader before they have a case about it, and until when; nothing if there is nothing. */
function Announced() {
  const { t } = useTexts()
  const { day } = useFormats()
  const { data } = useRead<ListAnnouncements['answer']>('/api/announcements')
  if (!data?.items.length) return null
  return (
    <section className={css['part']}>
      <h2>{t('platform.front.announced')}</h2>
      <ul>
        {data.items.flatMap(({ flow, title, words, startPage, items }) =>
          items.map((one) => (
            <li key={`${flow} ${one.id}`}>
              <Link href={startPage}>
                <strong>{t(title)}</strong>
                <span>{one.title}</span>
                {one.closesAt && <em>{t(words, { until: day(one.closesAt) })}</em>}
              </Link>
            </li>
          )),
        )}
      </ul>
    </section>
  )
}

/** The entries that wait for the reader to certify them, by register; nothing if there are none. */
function ToCertify() {
  const { t } = useTexts()
  const { count } = useFormats()
  const { data } = useRead<ListWaitingEntries['answer']>('/api/waiting-entries')
  if (!data?.items.length) return null
  return (
    <section className={css['part']}>
      <h2>{t('platform.front.to-certify')}</h2>
      <ul>
        {data.items.map(({ register, title, status, count: number }) => (
          <li key={register}>
            <Link href={withQuery(`/registers/${register}`, { status })} className={css['counted']}>
              <strong>{t(title)}</strong>
              <em>{number.more ? count(number) : number.value}</em>
            </Link>
          </li>
        ))}
      </ul>
    </section>
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
  const { count } = useFormats()
  const { data, error, mutate } = useRead<{ items: OwnEntry[]; count: Count }>(
    withQuery(`/api/registers/${register}/items`, { mine: true, statuses: front.statuses?.join(), limit: SHOWN }),
  )
  const items = data?.items
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
          {items.map(({ id, title, status }) => (
            <li key={id}>
              <Link href={front.leadsTo ?? route} className={css['counted']}>
                <strong>{title}</strong>
                <em>{statusName(status, t)}</em>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {data && data.count.value > SHOWN && (
        <p className={css['all']}>
          <Link href={front.leadsTo ?? route}>{t('dashboard.part.all', { count: count(data.count) })}</Link>
        </p>
      )}
    </section>
  )
}
