import { Alert } from 'antd'
import type { ReactNode } from 'react'
import useSWR from 'swr'
import type { Problem } from '../../kernel/client/client.ts'
import type { Count } from '../../kernel/client/types.ts'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { inWords } from '../../kernel/states/trouble.tsx'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import type { Effect, GroupEffect, PostEffect, Warning } from './people.ts'
import css from './people.module.css'

interface EffectProps<T> {
  /** The request's key; null while too little is chosen to ask. */
  of: readonly unknown[] | null
  read(): Promise<T>
  children(effect: T): ReactNode
}

/** A preview of an act's effect; requested again when the choice changes. */
export function EffectOf<T>({ of, read, children }: EffectProps<T>) {
  const { t } = useTexts()
  const { data, error } = useSWR<T, Problem>(of && ['effect', ...of], read, { revalidateOnFocus: false })
  if (!of) return null
  return (
    <section className={css.effect} aria-live="polite" aria-label={t('platform.people.effect')}>
      <h3>{t('platform.people.effect')}</h3>
      {error ? <p>{inWords(error, t).detail}</p> : data ? children(data) : <Skeleton lines={2} />}
    </section>
  )
}

/** Warnings before an act. */
function Warnings({ of }: { of: Warning[] }) {
  return of.map(({ code, text }) => <Alert key={code} type="warning" showIcon title={text} />)
}

const some = ({ value }: Count) => value > 0

/** The permissions and tasks that somebody gains or loses, as sentences. */
export function EffectOnPerson({
  name,
  effect,
  none = true,
}: {
  name: string
  effect: Effect
  /** Whether to say that nothing changes. */
  none?: boolean
}) {
  const { t } = useTexts()
  const { count } = useFormats()
  const { pages, tasks } = effect
  const told = (key: string, of: Count) =>
    t(`platform.people.effect.${key}`, { name, count: of.value, shown: count(of) })
  const lines = [
    ...(['gained', 'lost'] as const).flatMap((way) =>
      pages[way].length > 0
        ? [
            <>
              {t(`platform.people.effect.pages-${way}`, { name, count: pages[way].length })}{' '}
              <span className={css.soft}>{inOneLine([...new Set(pages[way].map(({ title }) => title))])}</span>
            </>,
          ]
        : [],
    ),
    ...(some(tasks.gained) ? [told('tasks-gained', tasks.gained)] : []),
    ...(some(tasks.lost) ? [told('tasks-lost', tasks.lost)] : []),
    ...(some(tasks.released) ? [told('tasks-released', tasks.released)] : []),
  ]
  return (
    <>
      {lines.length > 0 ? (
        <ul>
          {lines.map((line, at) => (
            <li key={at}>{line}</li>
          ))}
        </ul>
      ) : (
        none && <p>{t('platform.people.effect.none', { name })}</p>
      )}
      <Warnings of={effect.warnings} />
    </>
  )
}

/** What happens to a post's waiting tasks when its holder changes. */
export function EffectOfAppointing({ name, effect }: { name: string; effect: PostEffect }) {
  const { t } = useTexts()
  const { count } = useFormats()
  const { successor, predecessor } = effect
  return (
    <>
      <ul>
        <li>
          {some(successor.tasksTaken)
            ? t('platform.posts.effect.taken', {
                name,
                count: successor.tasksTaken.value,
                shown: count(successor.tasksTaken),
              })
            : t('platform.posts.effect.none-waits')}
        </li>
        {predecessor && (
          <li>
            {t('platform.posts.effect.predecessor', { name: predecessor.name })}{' '}
            {some(predecessor.released) &&
              t('platform.posts.effect.released', {
                count: predecessor.released.value,
                shown: count(predecessor.released),
              })}
          </li>
        )}
      </ul>
      <Warnings of={effect.warnings} />
    </>
  )
}

/** How many people a change of a group gives or takes access, with the first names. */
export function EffectOfGroup({ effect: { gaining, losing, people } }: { effect: GroupEffect }) {
  const { t } = useTexts()
  const { count } = useFormats()
  const names = (gains: boolean) => inOneLine(people.filter((each) => each.gains === gains).map(({ name }) => name))
  if (!some(gaining) && !some(losing)) return <p>{t('platform.groups.effect.none')}</p>
  return (
    <ul>
      {some(gaining) && (
        <li>
          {t('platform.groups.effect.gaining', { count: gaining.value, shown: count(gaining) })}{' '}
          <span className={css.soft}>{names(true)}</span>
        </li>
      )}
      {some(losing) && (
        <li>
          {t('platform.groups.effect.losing', { count: losing.value, shown: count(losing) })}{' '}
          <span className={css.soft}>{names(false)}</span>
        </li>
      )}
    </ul>
  )
}

/** The first of many names, and that there are more. */
function inOneLine(names: string[]): string {
  return names.length > 8 ? `${names.slice(0, 8).join(', ')} …` : names.join(', ')
}
