import { Select } from 'antd'
import { inWords } from '../states/trouble.tsx'
import { useTexts } from '../texts/texts.ts'
import { useItemSearch } from './item-search.ts'
import { described, type WidgetProps } from './widget.ts'

/** A register entry, found by typing a part of its name. */
export default function RegisterWidget(props: WidgetProps) {
  const { t } = useTexts()
  const { id, schema, value, onChange, wrong } = props
  const chosen = typeof value === 'string' ? value : ''
  const { options, error, isLoading, onSearch } = useItemSearch(schema['x-register'] ?? '', chosen, (search) => ({
    search,
    inUse: true,
    limit: 20,
  }))
  return (
    <Select
      id={id}
      allowClear={!props.required}
      value={chosen || null}
      showSearch={{ filterOption: false, onSearch }}
      loading={isLoading}
      placeholder={t('platform.form.search-and-choose')}
      notFoundContent={
        isLoading ? t('platform.loading') : error ? inWords(error, t).title : t('platform.form.none-found')
      }
      options={options}
      style={{ width: '100%', maxWidth: 480 }}
      {...(wrong ? { status: 'error' as const } : {})}
      {...described(props)}
      onChange={(item) => onChange(item ?? undefined)}
    />
  )
}
