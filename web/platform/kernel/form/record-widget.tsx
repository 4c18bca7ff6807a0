import { Link } from 'wouter'
import { ownStepState, useOwnRecord } from '../api/own-records.ts'
import { screens } from '../screens/screens.ts'
import { Skeleton } from '../states/skeleton.tsx'
import { Trouble } from '../states/trouble.tsx'
import { useTexts } from '../texts/texts.ts'
import css from './form.module.css'
import { described, type WidgetProps } from './widget.ts'

/** The reader's own record, which is sent as it is: the state of each step, and the way to it. */
export default function RecordWidget(props: WidgetProps) {
  const { t } = useTexts()
  const key = props.schema['x-record'] ?? ''
  const { data, error, mutate } = useOwnRecord(key)
  const page = screens.find(({ page: name, parameters }) => name === 'own-record' && parameters?.['record'] === key)
  if (error) return <Trouble error={error} onRetry={() => void mutate()} />
  if (!data) return <Skeleton lines={3} />
  const addressOf = (step: string) => `${page?.route ?? ''}?step=${step}`
  return (
    <div id={props.id} tabIndex={-1} {...described(props)}>
      <p className={css['help']}>{t('platform.steps.copied')}</p>
      <ul className={css['steps']}>
        {data.steps.map((step) => (
          <li key={step.name}>
            <Link href={addressOf(step.name)}>{t(step.title)}</Link>{' '}
            <small>{t(`platform.steps.state.${ownStepState(step)}`)}</small>
          </li>
        ))}
      </ul>
    </div>
  )
}
