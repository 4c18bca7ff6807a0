import { Alert } from 'antd'
import type { Case, FormSchema } from '../../kernel/client/types.ts'
import { at } from '../../kernel/record/fields.ts'
import { Record } from '../../kernel/record/record.tsx'
import { useItem, useRegister } from '../register/registers.ts'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './task.module.css'

interface AnswersForProps {
  of: Case
  /** The form that started the case: its field says which register the item is in. */
  asked: FormSchema
  /** The desk form's `x-shows`. */
  shows: NonNullable<FormSchema['x-shows']>
}

/** The register entry that a desk is responsible for, with the fields that its form names, in their present values. */
export default function AnswersFor({ of, asked, shows }: AnswersForProps) {
  const { t } = useTexts()
  const { moment } = useFormats()
  const field = asked.properties?.[shows.item.slice(1)]
  const id = at(of.data, shows.item)
  const register = useRegister(field?.['x-register'] ?? '')
  const item = useItem(field?.['x-register'] ?? '', typeof id === 'string' ? id : undefined)
  const problem = register.error ?? item.error
  if (problem)
    return (
      <Trouble
        error={problem}
        onRetry={() => {
          void register.mutate()
          void item.mutate()
        }}
      />
    )
  if (!register.data || !item.data) return <Skeleton lines={3} />
  const { data, title, changedAt } = item.data
  const isLater = Date.parse(changedAt) > Date.parse(of.submissions[0]?.at ?? changedAt)
  return (
    <section className={css['part']}>
      <h2>{t('platform.task.answers-for', { field: t(field?.title ?? ''), item: title })}</h2>
      {isLater && (
        <Alert
          className={css['problem']}
          type="warning"
          title={t('platform.task.item-changed', { when: moment(changedAt) })}
        />
      )}
      <Record schema={register.data.item} data={data} only={({ name }) => shows.fields.includes(`/${name}`)} />
    </section>
  )
}
