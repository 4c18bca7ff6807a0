import { Radio } from 'antd'
import { useTexts } from '../texts/texts.ts'
import { PlainSelect } from './plain-select.tsx'
import { described, optionsOf, type WidgetProps } from './widget.ts'

export function RadioWidget(props: WidgetProps) {
  const { t } = useTexts()
  return (
    <Radio.Group value={props.value} vertical onChange={(event) => props.onChange(event.target.value)}>
      {optionsOf(props.schema)?.map(({ value, title }, at) => (
        <Radio
          key={String(value)}
          value={value}
          {...(at === 0 ? { id: props.id } : {})}
          aria-describedby={props.describedBy}
        >
          {t(title)}
        </Radio>
      ))}
    </Radio.Group>
  )
}

export function BooleanWidget(props: WidgetProps) {
  const { t } = useTexts()
  return (
    <Radio.Group value={props.value} onChange={(event) => props.onChange(event.target.value)}>
      <Radio value={true} id={props.id} aria-describedby={props.describedBy}>
        {t('platform.yes')}
      </Radio>
      <Radio value={false}>{t('platform.no')}</Radio>
    </Radio.Group>
  )
}

export function SelectWidget(props: WidgetProps) {
  const { t } = useTexts()
  const options = optionsOf(props.schema) ?? []
  return (
    <PlainSelect
      id={props.id}
      value={options.findIndex(({ value }) => value === props.value)}
      wrong={props.wrong}
      {...described(props)}
      onChange={(event) => props.onChange(options[Number(event.target.value)]?.value)}
    >
      <option value={-1}>{t('platform.form.choose')}</option>
      {options.map(({ value, title }, at) => (
        <option key={String(value)} value={at}>
          {t(title)}
        </option>
      ))}
    </PlainSelect>
  )
}
