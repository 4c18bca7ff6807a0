import { Radio, Select } from 'antd'
import { useId, useState } from 'react'
import { useRead } from '../../kernel/api/read.ts'
import { useItemSearch } from '../../kernel/form/item-search.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './start.module.css'

interface OnBehalfProps {
  /** The registers of people. */
  from: readonly string[]
  /** Whether the reader never starts it for themselves. */
  only: boolean
  /** The chosen entry; undefined for the reader. */
  value: string | undefined
  /** What is wrong with it. */
  problem: string | undefined
  onChange(entry: string | undefined): void
}

/** Who somebody starts a flow for: themselves, or a person of one of the registers that it names. */
export function OnBehalf({ from, only, value, problem, onChange }: OnBehalfProps) {
  const { t } = useTexts()
  const label = useId()
  const [register, setRegister] = useState(only ? from[0] : undefined)
  const choose = (next: string | undefined) => {
    setRegister(next)
    onChange(undefined)
  }
  return (
    <fieldset className={css['onBehalf']}>
      <legend id={label}>{t('platform.start.for')}</legend>
      {(from.length > 1 || !only) && (
        <Radio.Group aria-labelledby={label} value={register} onChange={({ target }) => choose(target.value)}>
          {!only && <Radio value={undefined}>{t('platform.start.for-oneself')}</Radio>}
          {from.map((key) => (
            <Kind key={key} register={key} />
          ))}
        </Radio.Group>
      )}
      {register !== undefined && <Person key={register} {...{ register, label, value, problem, onChange }} />}
    </fieldset>
  )
}

function Kind({ register }: { register: string }) {
  const { t } = useTexts()
  const { data } = useRead<{ item: { title: string } }>(`/api/registers/${register}`)
  return <Radio value={register}>{data && t(data.item.title)}</Radio>
}

interface PersonProps extends Pick<OnBehalfProps, 'value' | 'problem' | 'onChange'> {
  register: string
  label: string
}

function Person({ register, label, value, problem, onChange }: PersonProps) {
  const { t } = useTexts()
  const help = useId()
  const { options, isLoading, onSearch } = useItemSearch(register, value ?? '', (search) => ({
    search,
    inUse: true,
    limit: 20,
  }))
  return (
    <>
      <Select
        aria-labelledby={label}
        aria-describedby={help}
        value={value ?? null}
        showSearch={{ filterOption: false, onSearch }}
        loading={isLoading}
        placeholder={t('platform.form.search-and-choose')}
        notFoundContent={t(isLoading ? 'platform.loading' : 'platform.form.none-found')}
        options={options}
        style={{ width: '100%', maxWidth: 480 }}
        {...(problem ? { status: 'error' as const } : {})}
        onChange={(item) => onChange(item ?? undefined)}
      />
      <p id={help} role={problem ? 'alert' : undefined} className={css['next']}>
        {problem ?? t('platform.start.for-help')}
      </p>
    </>
  )
}
