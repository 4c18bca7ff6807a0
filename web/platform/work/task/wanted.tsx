import { useForm } from '../../kernel/api/flows.ts'
import type { Case } from '../../kernel/client/types.ts'
import facts from '../case/case.module.css'
import { at, fieldsOf, isBlank } from '../../kernel/record/fields.ts'
import { Value } from '../../kernel/record/record.tsx'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './task.module.css'

/** The requester's last act, until a desk has answered; shown beside what it would change. */
export function Wanted({ of }: { of: Case }) {
  const { t } = useTexts()
  const last = of.submissions
    .filter(({ effect }) => effect !== 'void')
    .toSorted((a, b) => a.at.localeCompare(b.at))
    .at(-1)
  const act = last?.act ? last : undefined
  const form = useForm(act?.formHash).data
  if (!act || !form) return null
  const fields = fieldsOf(form.schema).filter(({ name }) => !isBlank(act.data[name]))
  const before = (pointer: unknown) =>
    typeof pointer === 'string' && pointer.startsWith('/data/') ? at(of, pointer) : undefined
  const changes = fields.filter(({ schema }) => before(schema['x-prefill']) !== undefined)
  const rest = fields.filter((field) => !changes.includes(field))
  return (
    <section className={css['part']}>
      <h2>{t('platform.task.wanted')}</h2>
      {changes.length > 0 && (
        <table className={css['change']}>
          <thead>
            <tr>
              <th scope="col">
                <span className="visually-hidden">{t('platform.task.wanted')}</span>
              </th>
              <th scope="col">{t('platform.task.wanted-now')}</th>
              <th scope="col">{t('platform.task.wanted-then')}</th>
            </tr>
          </thead>
          <tbody>
            {changes.map(({ name, schema }) => (
              <tr key={name}>
                <th scope="row">{schema.title ? t(schema.title) : name}</th>
                <td>
                  <Value schema={schema} value={before(schema['x-prefill'])} />
                </td>
                <td>
                  <strong>
                    <Value schema={schema} value={act.data[name]} />
                  </strong>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <dl className={facts['facts']}>
        {rest.map(({ name, schema }) => (
          <div key={name}>
            <dt>{schema.title ? t(schema.title) : name}</dt>
            <dd>
              <Value schema={schema} value={act.data[name]} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
