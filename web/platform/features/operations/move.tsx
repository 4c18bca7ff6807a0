import { Alert, Form, Input, Select } from 'antd'
import { Act } from '../../people/people/act.tsx'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { useTexts } from '../../kernel/texts/texts.ts'
import { move, usePreview, useTokens, type Preview } from './data.ts'
import css from './operations.module.css'

interface Choice {
  reference: string
  from: string
  to: string
}

/** Moves a token of a case; shows what ends and what begins before it is done. */
export default function Move({ reference, onClose }: { reference: string; onClose(): void }) {
  const { t } = useTexts()
  return (
    <Act<Choice>
      title={t('platform.operations-move-title')}
      ok={t('platform.operations-move-ok')}
      danger
      onClose={onClose}
      start={{ reference }}
      send={async ({ reference: typed, from, to, reason }) => {
        await move(typed.trim(), { from, to, reason })
        return t('platform.operations-moved', { reference: typed.trim() })
      }}
      effect={({ reference: typed, from, to }) => typed && <Effect reference={typed.trim()} from={from} to={to} />}
    >
      {({ reference: typed = '' }) => (
        <>
          <Form.Item
            name="reference"
            label={t('platform.operations-move-case')}
            rules={[{ required: true, whitespace: true, message: t('platform.field-required') }]}
          >
            <Input maxLength={60} autoComplete="off" />
          </Form.Item>
          <Places reference={typed.trim()} />
        </>
      )}
    </Act>
  )
}

/** Both ends of the move, as soon as the case is known. */
function Places({ reference }: { reference: string }) {
  const { t } = useTexts()
  // No requests while somebody still types.
  const settled = /^[A-Z]+-[\d-]*\d{3,}$/.test(reference) ? reference : null
  const { data, error } = useTokens(settled)
  if (settled === null) return null
  if (!data)
    return error ? <Alert type="warning" title={t('platform.operations-not-running')} /> : <Skeleton lines={2} />
  const required = [{ required: true, message: t('platform.field-required') }]
  return (
    <>
      {data.moving && <Alert type="info" title={t('platform.operations-moving')} />}
      <Form.Item
        name="from"
        label={t('platform.operations-move-from')}
        rules={required}
        initialValue={data.present.length === 1 ? data.present[0]?.element : undefined}
      >
        <Select
          options={data.present.map(({ element, name }) => ({ value: element, label: name }))}
          notFoundContent={t('platform.operations-not-running')}
        />
      </Form.Item>
      <Form.Item name="to" label={t('platform.operations-move-to')} rules={required}>
        <Select
          showSearch={{ optionFilterProp: 'label' }}
          options={data.targets.map(({ element, name }) => ({ value: element, label: name }))}
        />
      </Form.Item>
    </>
  )
}

/** What ends and what begins. */
function Effect({ reference, from, to }: { reference: string; from: string | undefined; to: string | undefined }) {
  const { data, error } = usePreview(reference, from, to)
  if (!from || !to) return null
  if (!data) return error ? <Trouble error={error} /> : <Skeleton lines={3} />
  return <Both preview={data} />
}

function Both({ preview: { ends, begins } }: { preview: Preview }) {
  const { t } = useTexts()
  return (
    <div className={css.effect}>
      <h3>{t('platform.operations-ends')}</h3>
      <ul>
        {ends.map(({ element, name, holder }) => (
          <li key={element}>
            {name}
            {holder && ` · ${t('platform.operations-with', { name: holder })}`}
          </li>
        ))}
      </ul>
      <h3>{t('platform.operations-begins')}</h3>
      <ul>
        {begins.map(({ element, name, roles, status }) => (
          <li key={element}>
            {name}
            {roles.length > 0 && ` · ${t('platform.operations-offered', { roles: roles.join(', ') })}`}
            {status && ` · ${t('platform.operations-becomes', { status })}`}
          </li>
        ))}
      </ul>
    </div>
  )
}
