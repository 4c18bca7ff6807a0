import { memo, useMemo } from 'react'
import type { Vocabulary } from '../../kernel/api/studio.ts'
import { useTexts, type Translate } from '../../kernel/texts/texts.ts'
import type { Element } from './model/element.ts'
import { differences, type Change, type Difference } from './model/differences.ts'
import { namingOf } from './model/naming.ts'
import type { TableDifference } from './model/tables.ts'
import css from './studio.module.css'

/** Differences of two documents in the reader's language; undefined until both are parsed. */
export function useDifferences(
  before: Element | undefined,
  after: Element | undefined,
  vocabulary: Vocabulary | undefined,
): Difference[] | undefined {
  const { t } = useTexts()
  return useMemo(
    () => before && after && differences(before, after, namingOf(vocabulary, t)),
    [before, after, vocabulary, t],
  )
}

interface DifferencesProps {
  of: readonly Difference[]
  /** The element last jumped to. */
  at?: string | undefined
  onJump?: ((difference: Difference) => void) | undefined
}

/**
 * Differences one by one, in words: added, removed, changed or moved. There may be hundreds: with a stable `onJump`,
 * only changed lines render again.
 */
export const Differences = memo(function Differences({ of, at, onJump }: DifferencesProps) {
  const { t } = useTexts()
  if (of.length === 0) return <p className={css['note']}>{t('platform.studio.no-differences')}</p>
  const [said, moved] = [of.filter(({ how }) => how !== 'moved'), of.filter(({ how }) => how === 'moved')]
  return (
    <>
      <List of={said} at={at} onJump={onJump} />
      {moved.length > 0 && (
        <details className={css['moved']}>
          <summary>{t('platform.studio.moved-count', { count: moved.length })}</summary>
          <List of={moved} at={at} onJump={onJump} />
        </details>
      )}
    </>
  )
})

/** Decision tables that differ, each with its changed rows. */
export function TableDifferences({ of }: { of: readonly TableDifference[] }) {
  const { t } = useTexts()
  const nothing = t('platform.studio.nothing')
  return (
    <ul className={css['differences']}>
      {of.map(({ key, how, policy, rows }) => (
        <li key={key}>
          <span className={css['how']} data-how={how}>
            {t(`platform.studio-how.${how}`)}
          </span>{' '}
          <strong>{key.replace(/^.*\//, '')}</strong> <small>{t('platform.studio.table')}</small>
          {policy && (
            <span className={css['change']}>
              {t('platform.studio.change', {
                name: t('platform.studio.table-policy'),
                before: policiesInWords(policy.before, t),
                after: policiesInWords(policy.after, t),
              })}
            </span>
          )}
          {how === 'changed' && !policy && rows.length === 0 && (
            <span className={css['change']}>{t('platform.studio.changed-otherwise')}</span>
          )}
          {rows.map(({ how: done, row, before, after }) => (
            <span key={`${done} ${row}`} className={css['change']}>
              {done === 'moved'
                ? t('platform.studio.table-row-moved', { row, before, words: after })
                : t('platform.studio.change', {
                    name: t('platform.studio.table-row', { row }),
                    before: before ?? nothing,
                    after: after ?? nothing,
                  })}
            </span>
          ))}
        </li>
      ))}
    </ul>
  )
}

function policiesInWords(policies: readonly string[], t: Translate): string {
  return policies.map((policy) => t(`platform.studio-policy.${policy}`)).join(', ')
}

function List({ of, at, onJump }: DifferencesProps) {
  return (
    <ul className={css['differences']}>
      {of.map((difference) => (
        <Line key={difference.element} difference={difference} present={at === difference.element} onJump={onJump} />
      ))}
    </ul>
  )
}

interface LineProps {
  difference: Difference
  present: boolean
  onJump: DifferencesProps['onJump']
}

const Line = memo(function Line({ difference, present, onJump }: LineProps) {
  const { t } = useTexts()
  const words = (
    <>
      <span className={css['how']} data-how={difference.how}>
        {t(`platform.studio-how.${difference.how}`)}
      </span>{' '}
      <strong>{difference.title}</strong> <small>{t(`platform.studio-kind.${difference.kind}`)}</small>
      {difference.changes.map((change) => (
        <span key={change.about} className={css['change']}>
          {changeInWords(change, t)}
        </span>
      ))}
    </>
  )
  return (
    <li>
      {onJump ? (
        <button type="button" aria-current={present ? 'true' : undefined} onClick={() => onJump(difference)}>
          {words}
        </button>
      ) : (
        words
      )}
    </li>
  )
})

function changeInWords({ about, before, after }: Change, t: Translate): string {
  if (about === 'other') return t('platform.studio.changed-otherwise')
  const [, list] = /^status\.(.+)$/.exec(about) ?? []
  const [, input] = /^input\.(.+)$/.exec(about) ?? []
  const name = list
    ? t('platform.studio.status-of', { list })
    : input
      ? t('platform.studio.input', { name: input })
      : t(`platform.studio-fact.${about}`)
  const nothing = t('platform.studio.nothing')
  const words = (value: string | null) => (about === 'kind' && value ? t(`platform.studio-kind.${value}`) : value)
  return t('platform.studio.change', { name, before: words(before) ?? nothing, after: words(after) ?? nothing })
}
