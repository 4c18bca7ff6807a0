import { useHistory } from '../../kernel/api/cases.ts'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { useFormats } from '../../kernel/texts/formats.ts'
import css from './case.module.css'

/** The history of a case in words, newest first. */
export function Timeline({ caseId }: { caseId: string }) {
  const { day, time } = useFormats()
  const { data, error, mutate } = useHistory(caseId)
  if (error && !data) return <Trouble error={error} onRetry={() => void mutate()} />
  if (!data) return <Skeleton lines={4} />
  const days = new Map<string, typeof data.items>()
  for (const entry of [...data.items].sort((a, b) => b.at.localeCompare(a.at))) {
    const name = day(entry.at)
    days.set(name, [...(days.get(name) ?? []), entry])
  }
  return (
    <ol className={css['timeline']}>
      {[...days].map(([name, entries]) => (
        <li key={name}>
          <h3>{name}</h3>
          <ol>
            {entries.map((entry, at) => (
              <li key={at} data-kind={entry.kind}>
                <time dateTime={entry.at}>{time(entry.at)}</time>
                <span>
                  {entry.text}
                  {entry.reason && <q>{entry.reason}</q>}
                </span>
              </li>
            ))}
          </ol>
        </li>
      ))}
    </ol>
  )
}
