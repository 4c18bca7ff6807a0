import { Radio } from 'antd'
import { useRead } from '../api/read.ts'
import { at, fieldsOf } from '../record/fields.ts'
import { useSession } from '../session/session.ts'
import { useTexts } from '../texts/texts.ts'
import { useForm } from './form-context.ts'
import { PlainSelect } from './plain-select.tsx'
import { described, type WidgetProps } from './widget.ts'

/** Who the case returns to: the requester, or a desk that decided before, with the person who decided there. */
export function DeskWidget({ id, value, onChange, describedBy }: WidgetProps) {
  const { t } = useTexts()
  const { of } = useForm()
  const places = [
    { value: 'requester', words: t('platform.form.desk.requester', { name: of?.requester.name ?? '' }) },
    ...(of?.earlierDesks ?? []).map((desk) => ({
      value: desk.id,
      words: t('platform.form.desk.earlier', { desk: desk.name, name: desk.by.name }),
    })),
  ]
  return (
    <Radio.Group value={value} vertical onChange={(event) => onChange(event.target.value)}>
      {places.map((place, index) => (
        <Radio key={place.value} value={place.value} {...(index === 0 ? { id } : {})} aria-describedby={describedBy}>
          {place.words}
        </Radio>
      ))}
    </Radio.Group>
  )
}

/** An entry in a list of the register entry chosen in another field, such as an amenity of the resource. */
export function EntryWidget(props: WidgetProps) {
  const { id, schema, value, onChange, wrong } = props
  const { t } = useTexts()
  const { whole } = useForm()
  const of = schema['x-entry-of']
  const register = fieldsOf(whole.schema).find(({ name }) => `/${name}` === of?.item)?.schema['x-register']
  const item = of && at(whole.value, of.item)
  // Visitors read what the register publishes.
  const signedIn = useSession().state === 'in'
  const { data } = useRead<{ data: { [name: string]: unknown } }>(
    register && typeof item === 'string'
      ? `/api/${signedIn ? 'registers' : 'public/registers'}/${register}/items/${encodeURIComponent(item)}${signedIn ? '?sensitive=false' : ''}`
      : null,
  )
  const held = of && at(data?.data, of.list)
  const entries = Array.isArray(held) ? held : []
  return (
    <PlainSelect
      id={id}
      value={typeof value === 'string' ? value : ''}
      wrong={wrong}
      {...described(props)}
      onChange={(event) => onChange(event.target.value || undefined)}
    >
      <option value="">{t('platform.form.choose')}</option>
      {of &&
        entries.map((entry) => (
          <option key={String(at(entry, of.id))} value={String(at(entry, of.id))}>
            {String(at(entry, of.title))}
          </option>
        ))}
    </PlainSelect>
  )
}
