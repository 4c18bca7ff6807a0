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
  /** Name of a field, `status`, `ending`, `lacks` or `case` → what is chosen. */
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
  const wanted = of.related.filter((one) => one.wanted)
  return (
    <>
      <FieldFilters of={of} values={chosen} onChange={onChange} />
      <Choice
        label={t('platform.register-page.status')}
        value={chosen['status'] ?? ''}
        options={of.statuses.map((each) => ({ value: each, label: statusName(each, t) }))}
        onChange={(value) => onChange({ status: (value || 'all') === usual ? '' : value || 'all' })}
      />
      {wanted.length > 0 && (
        <Choice
          label={t('platform.register-page.lacks')}
          value={chosen['lacks'] ?? ''}
          options={wanted.map(({ register, title }) => ({ value: register, label: t(title) }))}
          onChange={(value) => onChange({ lacks: value })}
        />
      )}
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
    const schema = fieldAt(item, name)
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

// The field of this name; that of the rows of a list has a star in its name: `subjects/*/subject`.
function fieldAt(schema: Register['item'], name: string): Register['item'] {
  return name.split('/').reduce((at, part) => (part === '*' ? (at.items ?? {}) : (at.properties?.[part] ?? {})), schema)
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
