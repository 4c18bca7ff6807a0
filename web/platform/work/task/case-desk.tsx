import { Link, Redirect, useLocation, useSearch } from 'wouter'
import { useCase } from '../../kernel/api/cases.ts'
import { useTask } from '../../kernel/api/tasks.ts'
import CasePage from '../case/case.tsx'
import { namesIn, type PageProps } from '../../kernel/screens/page.ts'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { useTexts } from '../../kernel/texts/texts.ts'
import { TaskView } from './task-view.tsx'
import css from './task.module.css'

/**
 * The task of a case at one of some desks, by the address of the case, or by `?id=` if the route has no id; without
 * either it leads to `list`.
 */
export default function CaseDesk(props: PageProps) {
  const query = new URLSearchParams(useSearch())
  const id = props.params['id'] ?? query.get('id') ?? ''
  const { list } = props.parameters
  return id === '' && typeof list === 'string' ? <Redirect to={list} replace /> : <Desk {...props} id={id} />
}

/** If the case is at none of the desks, shows the case and says so. */
function Desk({ id, ...props }: PageProps & { id: string }) {
  const { t } = useTexts()
  const [, navigate] = useLocation()
  const { parameters } = props
  const { data, error, mutate } = useCase(id)
  const desks = namesIn(parameters['desks']) ?? []
  const outcome = typeof parameters['outcome'] === 'string' ? parameters['outcome'] : undefined
  const waiting = data?.waitsWith.find(({ desk }) => desks.includes(desk))
  // Others who may see the case see it as it is.
  const isOthers = useTask(waiting?.taskId).error !== undefined
  if (!data)
    return (
      <article className={css['view']} data-page>
        {error ? <Trouble error={error} onRetry={() => void mutate()} /> : <Skeleton lines={8} />}
      </article>
    )
  if (waiting && !isOthers)
    return (
      <TaskView
        key={waiting.taskId}
        id={waiting.taskId}
        onDone={() => navigate(`/cases/${id}`)}
        back={`/cases/${id}`}
        {...(outcome === undefined ? {} : { outcome })}
        page
      />
    )
  return (
    <>
      {!waiting && (
        <p className={css['elsewhere']} role="note">
          {t('platform.task.not-at-desk')} <Link href={`/cases/${id}`}>{data.reference}</Link>
        </p>
      )}
      <CasePage {...props} />
    </>
  )
}
