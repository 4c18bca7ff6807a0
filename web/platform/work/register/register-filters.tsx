import type { Flow } from '../../kernel/client/types.ts'
import { Choice } from '../../kernel/list/choice.tsx'
import { statusName } from '../../kernel/status/item-status.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { statesOf } from '../case/statuses.ts'
import { FieldFilter } from './field-filter.tsx'
import type { Register } from './registers.ts'

const nameOf = (pointer: string) => pointer.slice(1)

interface RegisterFiltersProps {
  of: Register
  /** Name of a field, `status`, `ending` or `case` → what is chosen. */
  chosen: Readonly<Record<string, string | undefined>>
  /** The flow whose cases the table shows. */
  flow: Flow | undefined
  /** The status that is shown until the reader chooses another, or `all`. */
  usual: string
  onChange(changed: Record<string, string>): void
}

/** The filters of a register: its fields, its statuses, whether an entry ends, and the state of cases. */
export function RegisterFilters({ of, chosen, flow, usual, onChange }: RegisterFiltersProps) {
  const { t } = useTexts()
  return (
    <>
      <FieldFilters of={of} values={chosen} onChange={onChange} />
      <Choice
        label={t('platform.register-page.status')}
        value={chosen['status'] ?? ''}
        options={of.statuses.map((each) => ({ value: each, label: statusName(each, t) }))}
        onChange={(value) => onChange({ status: (value || 'all') === usual ? '' : value || 'all' })}
      />
      {of.expires && (
        <Choice
          label={t('platform.ending.filter')}
          value={chosen['ending'] ?? ''}
          options={[{ value: 'soon', label: t('platform.ending.only') }]}
          onChange={(value) => onChange({ ending: value })}
        />
      )}
      {flow && <CaseFilter flow={flow} value={chosen['case'] ?? ''} onChange={(value) => onChange({ case: value })} />}
    </>
  )
}

interface FieldFiltersProps {
  of: Register
  /** Name of a field → what is chosen. */
  values: Readonly<Record<string, string | undefined>>
  onChange(changed: Record<string, string>): void
}

function FieldFilters({ of: { filters, item }, values, onChange }: FieldFiltersProps) {
  const { t } = useTexts()
  return filters.map((pointer) => {
    const name = nameOf(pointer)
    const schema = item.properties?.[name] ?? {}
    return (
      <FieldFilter
        key={pointer}
        label={t(schema.title ?? name)}
        schema={schema}
        value={values[name] ?? ''}
        onChange={(value) => onChange({ [name]: value })}
      />
    )
  })
}

interface CaseFilterProps {
  flow: Flow
  value: string
  onChange(value: string): void
}

function CaseFilter({ flow, value, onChange }: CaseFilterProps) {
  const { t } = useTexts()
  return (
    <Choice
      label={t(flow.title)}
      value={value}
      options={[
        ...statesOf(flow.manifest.statusLists?.['status']).map(({ state, text }) => ({ value: state, label: t(text) })),
        { value: 'none', label: t('platform.register-page.no-case') },
      ]}
      onChange={onChange}
    />
  )
}
