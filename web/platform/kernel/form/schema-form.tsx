import {
  useEffect,
  useEffectEvent,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
  type Ref,
} from 'react'
import { flushSync } from 'react-dom'
import { withDerived } from '../../../../forms/platform/derived.ts'
import { request } from '../client/client.ts'
import type { FileName, FormRef } from '../client/types.ts'
import { isBlank } from '../record/fields.ts'
import { useTexts } from '../texts/texts.ts'
import { sendable, shownFields, type FormValue } from './conditions.ts'
import { Group } from './field.tsx'
import { FormContext, type Around, type FormCase } from './form-context.ts'
import { useFindings } from './findings.ts'
import css from './form.module.css'
import { useValidator, type FieldError } from './validator.ts'

/** What the page around a form may ask of it. */
export interface FormHandle {
  /** Checks what is shown; if something is wrong, says so at the fields and takes the reader there. */
  check(): boolean
  /** As `check`, once the server has answered for the fields that it checks by themselves. */
  checked(): Promise<boolean>
  /** Shows what the server found wrong. */
  show(errors: readonly { field: string; message: string }[]): void
  /** What is to be sent: trimmed, without blanks and without what is hidden. */
  data(): FormValue
}

interface SchemaFormProps {
  ref?: Ref<FormHandle>
  /** `hash` may be missing where no check is compiled, as for registers; then the server alone knows all the rules. */
  form: Omit<FormRef, 'hash'> & { hash?: string }
  value: FormValue
  onChange(value: FormValue): void
  /** The case that a task's form is about. */
  of?: FormCase
  /** Where files go, if not to the signed-in reader's own. */
  upload?: (body: FormData) => Promise<FileName>
  /** Puts the cursor into the first field, for fields that the reader has just asked for. */
  autoFocus?: boolean
}

const uploadFile = (body: FormData) => request<FileName>('POST', '/api/files', { body })

interface Wrong {
  field: string
  message: string
}

/** A form so short that its errors are seen without a list of them. */
const short = 2

const partOf = (pointer: string) => pointer.split('/')[1] ?? ''

/** A form drawn from its JSON Schema and hints, the same for the public and for desks. Buttons belong to the page around it. */
export function SchemaForm({
  ref,
  form,
  value,
  onChange,
  of,
  autoFocus = false,
  upload = uploadFile,
}: SchemaFormProps) {
  const { t } = useTexts()
  const prefix = useId()
  const { schema } = form
  const validator = useValidator(form.hash)
  const [wrong, setWrong] = useState<Wrong[]>([])
  const findings = useFindings(schema, value)
  const summary = useRef<HTMLDivElement>(null)
  const fields = shownFields(schema, value)

  const idOf = (pointer: string) => `${prefix}${pointer}`
  const focus = (pointer: string) => {
    // The pointer may name a thing inside a field; then the nearest that can take the focus is meant.
    for (let at = pointer; at; at = at.slice(0, at.lastIndexOf('/'))) {
      const element = document.getElementById(idOf(at))
      if (!element) continue
      element.focus()
      element.scrollIntoView({ block: 'center' })
      return
    }
  }

  const inOrder = (found: Wrong[]) => {
    const place = ({ field }: Wrong) => fields.findIndex(({ name }) => name === partOf(field))
    return found.toSorted((a, b) => place(a) - place(b))
  }
  const isShown = (pointer: string) => fields.some(({ name }) => name === partOf(pointer))

  const find = (): Wrong[] => {
    const data = sendable(schema, value)
    const missing: FieldError[] = fields
      .filter(({ name, required }) => required && isBlank(data[name]))
      .map(({ name, schema: field }) => ({
        field: `/${name}`,
        code: (field['x-messages'] as Record<string, string> | undefined)?.['required'] ?? 'platform.field-required',
      }))
    const broken = (validator?.check(data) ?? []).filter(({ field }) => field === '' || isShown(field))
    const first = new Map<string, FieldError>()
    for (const error of [...missing, ...broken]) if (!first.has(error.field)) first.set(error.field, error)
    const told = [...first.values()].map(({ field, code, values }) => ({ field, message: t(code, values) }))
    const found = findings.bad().filter(({ field }) => isShown(field) && !first.has(field))
    return inOrder([...told, ...found])
  }

  /** Says what is wrong and takes the reader there: to the list of it, or in a short form to the field. */
  const lead = (found: Wrong[]) => {
    flushSync(() => setWrong(found))
    if (found.length === 0) return
    if (summary.current) {
      summary.current.focus()
      summary.current.scrollIntoView({ block: 'start' })
    } else focus(found[0]?.field ?? '')
  }

  const check = () => {
    const found = find()
    // Lists are sent without their blank places, so they are shown without them: else the messages' places would differ.
    const sent = sendable(schema, value)
    const lists = Object.keys(value).filter((name) => Array.isArray(value[name]))
    if (found.length > 0 && lists.length > 0)
      onChange({ ...value, ...Object.fromEntries(lists.map((name) => [name, sent[name]])) })
    lead(found)
    return found.length === 0
  }
  // What the server answers arrives after a render or two; the check then is the one of that time.
  const later = useRef(check)
  useLayoutEffect(() => void (later.current = check))

  useImperativeHandle(ref, () => ({
    check,
    async checked() {
      const wrongAlready = new Set(find().map(({ field }) => partOf(field)))
      await findings.settled((name) => !wrongAlready.has(name))
      return later.current()
    },
    show(errors) {
      const ours = errors.filter(({ field }) => field === '' || field === '/' || isShown(field))
      lead(inOrder(ours.map(({ field, message }) => ({ field, message }))))
    },
    data: () => sendable(schema, value),
  }))

  const begin = useEffectEvent(() => autoFocus && focus(`/${fields[0]?.name ?? ''}`))
  useEffect(() => void begin(), [])

  // What the server finds when a field is left joins the list that stands.
  const all = inOrder([...wrong, ...findings.bad().filter((bad) => !wrong.some(({ field }) => field === bad.field))])
  const listed = fields.length > short && wrong.length > 0
  const around: Around = {
    upload,
    whole: { schema, value },
    of,
    source: form.hash ? { form: form.hash } : { register: form.key },
    errors: new Map(all.map(({ field, message }) => [field, message])),
    found: (pointer) => findings.of(partOf(pointer)),
    idOf,
    onLeave: (pointer) => {
      const name = partOf(pointer)
      if (isBlank(value[name])) return
      const others = wrong.filter(({ field }) => partOf(field) !== name)
      const own = find().filter(({ field }) => partOf(field) === name)
      setWrong(inOrder([...others, ...own]))
      if (own.length === 0) void findings.ask(name)
    },
  }

  const change = (changed: FormValue) => {
    const names = Object.keys(changed).filter((name) => changed[name] !== value[name])
    setWrong((before) => before.filter(({ field }) => field !== '' && !names.includes(partOf(field))))
    onChange(withDerived(schema, changed))
  }

  return (
    <FormContext value={around}>
      {listed && (
        <Summary ref={summary} id={`${prefix}summary`} fields={fields} wrong={all} idOf={idOf} onJump={focus} />
      )}
      <Group schema={schema} pointer="" value={value} onChange={change} />
    </FormContext>
  )
}

interface SummaryProps {
  ref: Ref<HTMLDivElement>
  id: string
  fields: ReturnType<typeof shownFields>
  wrong: readonly Wrong[]
  idOf(pointer: string): string
  onJump(pointer: string): void
}

/** All that is wrong, each with the way to its field. */
function Summary({ ref, id, fields, wrong, idOf, onJump }: SummaryProps) {
  const { t } = useTexts()
  return (
    <div ref={ref} className={css['summary']} role="alert" tabIndex={-1} aria-labelledby={id}>
      <h2 id={id}>{t('platform.form.problems', { count: wrong.length })}</h2>
      <ul>
        {wrong.map(({ field, message }) => {
          const named = fields.find(({ name }) => name === partOf(field))?.schema.title
          return (
            <li key={field}>
              {named ? (
                <a
                  href={`#${idOf(field)}`}
                  onClick={(event) => {
                    event.preventDefault()
                    onJump(field)
                  }}
                >
                  {t(named)}: {message}
                </a>
              ) : (
                message
              )}
            </li>
          )
        })}
      </ul>
    </div>
  )
}
