import { useVariables } from '../../kernel/api/cases.ts'
import { Empty } from '../../kernel/states/empty.tsx'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './case.module.css'

/** The process variables that route a case. */
export function Variables({ caseId }: { caseId: string }) {
  const { t } = useTexts()
  const { data, error, mutate } = useVariables(caseId)
  if (error && !data) return <Trouble error={error} onRetry={() => void mutate()} />
  if (!data) return <Skeleton lines={3} />
  if (data.items.length === 0) return <Empty title={t('platform.case.no-variables')} />
  return (
    <table className={css['variables']}>
      <thead>
        <tr>
          <th scope="col">{t('platform.variable.name')}</th>
          <th scope="col">{t('platform.variable.value')}</th>
          <th scope="col">{t('platform.variable.type')}</th>
        </tr>
      </thead>
      <tbody>
        {data.items.map(({ name, value, type }) => (
          <tr key={name}>
            <td>{name}</td>
            <td>{value === null ? '–' : String(value)}</td>
            <td>{type}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
