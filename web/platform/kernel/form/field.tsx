import { Button } from 'antd'
import { lazy, Suspense, useState, type ComponentType, type FocusEvent } from 'react'
import type { FormSchema } from '../client/types.ts'
import { isBlank, isRecord } from '../record/fields.ts'
import { Value } from '../record/record.tsx'
import { hasText, useTexts } from '../texts/texts.ts'
import { askedFields } from './asked.ts'
import { BooleanWidget, RadioWidget, SelectWidget } from './choice-widgets.tsx'
import { shownFields, type FormValue } from './conditions.ts'
import { DayWidget, MomentWidget, MonthWidget } from './day-widgets.tsx'
import { DeskWidget, EntryWidget } from './case-widgets.tsx'
import { FoundOut } from './found-out.tsx'
import { useForm } from './form-context.ts'
import css from './form.module.css'
import { Moves } from './moves.tsx'
import { PasswordWidget } from './password-widget.tsx'
import { MoneyWidget, NumberWidget, TextareaWidget, TextWidget } from './text-widgets.tsx'
import { isFixed, isGroup, kindOf, type Kind, type WidgetProps } from './widget.ts'

const widgets: Record<Exclude<Kind, 'list' | 'group' | 'checkbox'>, ComponentType<WidgetProps>> = {
  text: TextWidget,
  textarea: TextareaWidget,
  password: PasswordWidget,
  number: NumberWidget,
  money: MoneyWidget,
  date: DayWidget,
  month: MonthWidget,
  moment: MomentWidget,
  radio: RadioWidget,
  select: SelectWidget,
  boolean: BooleanWidget,
  register: lazy(() => import('./register-widget.tsx')),
  record: lazy(() => import('./record-widget.tsx')),
  nic: lazy(() => import('./nic-widget.tsx')),
  scan: lazy(() => import('./scan-widget.tsx')),
  age: lazy(() => import('./age-widget.tsx')),
  file: lazy(() => import('./file-widget.tsx')),
  desk: DeskWidget,
  entry: EntryWidget,
  table: lazy(() => import('./table-widget.tsx')),
  asked: lazy(() => import('./asked-widget.tsx')),
  week: lazy(() => import('./week-widget.tsx')),
}

const Tick = lazy(() => import('./tick.tsx'))

/** A message that appears on blur would move a pressed button or box away from the pointer. */
const isPressed = (target: EventTarget | null) =>
  target instanceof HTMLButtonElement ||
  (target instanceof HTMLInputElement && (target.type === 'checkbox' || target.type === 'radio'))

interface FieldProps {
  pointer: string
  schema: FormSchema
  required: boolean
  value: unknown
  onChange(value: unknown): void
}

/** One field: label, help, error, widget. The error comes before the widget, so that it is read first. */
function Field({ pointer, schema, required, value, onChange }: FieldProps) {
  const { t } = useTexts()
  const form = useForm()
  const kind = kindOf(schema)
  const id = form.idOf(pointer)
  const error = form.errors.get(pointer)
  const help = schema.description && hasText(schema.description) ? t(schema.description) : undefined
  const checked = schema['x-check'] !== undefined
  const found = form.found(pointer)
  const describedBy =
    [help && `${id}-help`, error && `${id}-error`, checked && `${id}-found`].filter(Boolean).join(' ') || undefined
  const props: WidgetProps = { id, pointer, schema, value, onChange, wrong: error !== undefined, required, describedBy }
  const label = (
    <>
      {schema.title ? t(schema.title) : pointer.slice(pointer.lastIndexOf('/') + 1)}
      {!required && kind !== 'boolean' && kind !== 'record' && (
        <span className={css['optional']}> {t('platform.form.optional')}</span>
      )}
    </>
  )
  if (isFixed(schema, form.whole, pointer)) return <Fixed id={id} schema={schema} value={value} error={error} />
  const leave = (event: FocusEvent<HTMLElement>) => {
    if (event.currentTarget.contains(event.relatedTarget) || isPressed(event.relatedTarget)) return
    form.onLeave(pointer)
  }
  const between = (
    <>
      {help && (
        <p id={`${id}-help`} className={css['help']}>
          {help}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className={css['error']}>
          <span className="visually-hidden">{t('platform.form.error')} </span>
          {error}
        </p>
      )}
    </>
  )

  return (
    <div
      className={css['field']}
      data-wrong={error !== undefined || undefined}
      data-checked={checked || undefined}
      onBlur={leave}
    >
      {kind === 'checkbox' ? (
        <>
          {between}
          <Suspense fallback={<span className={css['coming']} />}>
            <Tick {...props}>{label}</Tick>
          </Suspense>
        </>
      ) : isGroup(kind) ? (
        <fieldset aria-describedby={describedBy}>
          <legend>{label}</legend>
          {between}
          {kind === 'list' ? (
            <List {...props} />
          ) : kind === 'group' ? (
            <Group schema={schema} pointer={pointer} value={isRecord(value) ? value : undefined} onChange={onChange} />
          ) : (
            <Widget kind={kind} {...props} />
          )}
        </fieldset>
      ) : (
        <>
          <label htmlFor={id}>{label}</label>
          {between}
          {kind !== 'list' && kind !== 'group' && <Widget kind={kind} {...props} />}
          {checked && <FoundOut id={id} found={found} wrong={error !== undefined} />}
        </>
      )}
    </div>
  )
}

interface FixedProps {
  id: string
  schema: FormSchema
  value: unknown
  error: string | undefined
}

/** A read-only field. */
function Fixed({ id, schema, value, error }: FixedProps) {
  const { t } = useTexts()
  return (
    <div className={css['field']}>
      <p className={css['label']}>{schema.title && t(schema.title)}</p>
      <div>{isBlank(value) ? '–' : <Value schema={schema} value={value} />}</div>
      {error && (
        <p id={id} tabIndex={-1} className={css['error']}>
          {error}
        </p>
      )}
    </div>
  )
}

type Plain = keyof typeof widgets

/** The widget of a single value in a list or table, which has no lists or groups itself. */
export function plainKindOf(schema: FormSchema): Plain {
  const kind = kindOf(schema)
  if (kind === 'list' || kind === 'group' || kind === 'checkbox') throw new Error(`a list has no widget for a ${kind}`)
  return kind
}

/** The widget of a single value. */
export function Widget({ kind, ...props }: WidgetProps & { kind: Plain }) {
  const Found = widgets[kind]
  return (
    <Suspense fallback={<span className={css['coming']} />}>
      <Found {...props} />
    </Suspense>
  )
}

interface GroupProps {
  schema: FormSchema
  pointer: string
  value: FormValue | undefined
  onChange(value: FormValue): void
}

/** The visible fields of an object; a long form has headings. */
export function Group({ schema, pointer, value = {}, onChange }: GroupProps) {
  const { t } = useTexts()
  const { asked } = useForm()
  const all = shownFields(schema, value)
  const shown = pointer === '' ? askedFields(all, asked) : all
  const fields = (some: typeof shown) => (
    <>
      {some.map(({ name, schema: field, required }) => (
        <Field
          key={name}
          pointer={`${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`}
          schema={field}
          required={required}
          value={value[name]}
          onChange={(changed) => onChange({ ...value, [name]: changed })}
        />
      ))}
    </>
  )
  const groups = schema['x-groups']
  if (!groups) return fields(shown)
  return groups.map(({ title, fields: names }) => {
    const some = shown.filter(({ name }) => names.includes(name))
    return (
      some.length > 0 && (
        <section key={title} className={css['group']}>
          <h2>{t(title)}</h2>
          {fields(some)}
        </section>
      )
    )
  })
}

/** A list of values, with a button to add one and to remove each. */
function List({ id, schema, value, onChange, pointer }: WidgetProps) {
  const { t } = useTexts()
  const form = useForm()
  const [unfilled, setUnfilled] = useState<number>()
  const each = schema.items ?? {}
  const held = Array.isArray(value) ? value : []
  const most = schema.maxItems ?? Infinity
  const name = each.title ? t(each.title) : ''
  const say = each['x-messages']

  const put = (changed: unknown[]) => {
    setUnfilled(undefined)
    onChange(changed.length > 0 ? changed : undefined)
  }
  const add = () => {
    const blank = held.findIndex((one) => isBlank(one) || (isRecord(one) && Object.values(one).every(isBlank)))
    if (blank >= 0) {
      setUnfilled(blank)
      document.getElementById(form.idOf(`${pointer}/${blank}`))?.focus()
      return
    }
    put([...held, each.type === 'object' ? {} : ''])
    requestAnimationFrame(() => document.getElementById(form.idOf(`${pointer}/${held.length}`))?.focus())
  }
  const remove = (at: number) => {
    put(held.filter((_, index) => index !== at))
    requestAnimationFrame(() => document.getElementById(id)?.focus())
  }
  const moves = (at: number) =>
    schema['x-ordered'] && <Moves rows={held} at={at} name={`${name} ${at + 1}`} onMove={put} />

  return (
    <div className={css['list']}>
      {held.map((one, at) => {
        const place = `${pointer}/${at}`
        const placeId = form.idOf(place)
        const error =
          form.errors.get(place) ?? (unfilled === at ? t(say?.['required'] ?? 'platform.form.fill-first') : undefined)
        const told = error && (
          <p id={`${placeId}-error`} className={css['error']} role="alert">
            {error}
          </p>
        )
        const change = (changed: unknown) => put(held.map((old, index) => (index === at ? changed : old)))
        const removal = (
          <Button
            type="text"
            onClick={() => remove(at)}
            aria-label={t('platform.form.remove-named', { name: `${name} ${at + 1}` })}
          >
            {t('platform.form.remove')}
          </Button>
        )
        if (each.type === 'object') {
          return (
            <fieldset key={at} id={placeId} tabIndex={-1} className={css['item']}>
              <legend>{`${name} ${at + 1}`}</legend>
              {told}
              <Group schema={each} pointer={place} value={isRecord(one) ? one : undefined} onChange={change} />
              {moves(at)}
              {removal}
            </fieldset>
          )
        }
        return (
          <div key={at}>
            {told}
            <div className={css['row']}>
              <label className="visually-hidden" htmlFor={placeId}>{`${name} ${at + 1}`}</label>
              <Widget
                kind={plainKindOf(each)}
                id={placeId}
                pointer={place}
                schema={each}
                value={one}
                wrong={error !== undefined}
                required={false}
                describedBy={error && `${placeId}-error`}
                onChange={(changed) => change(changed ?? '')}
              />
              {moves(at)}
              {removal}
            </div>
          </div>
        )
      })}
      {held.length < most && (
        <Button id={id} onClick={add}>
          {t(schema['x-add'] ?? 'platform.form.add')}
        </Button>
      )}
    </div>
  )
}
