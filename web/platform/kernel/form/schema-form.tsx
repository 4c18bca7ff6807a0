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
import type { Beside, FileName, FormRef, FormSchema } from '../client/types.ts'
import { isBlank } from '../record/fields.ts'
import { useTexts } from '../texts/texts.ts'
import { askedFields, missingIn, useAsked } from './asked.ts'
import { sendable, shownFields, withoutDependents, type FormValue } from './conditions.ts'
import { Group } from './field.tsx'
import { FormContext, type Around, type FormCase, type Unavailable } from './form-context.ts'
import { fieldName } from './field-name.ts'
import { useFindings } from './findings.ts'
import css from './form.module.css'
import { useValidator, validatorOf, type FieldError, type Validator } from './validator.ts'

/** The form's methods for the page around it. */
export interface FormHandle {
  /** Checks the visible fields; shows errors and moves the focus to them. */
  check(): boolean
  /** As `check`, after the server's checks of single fields. */
  checked(): Promise<boolean>
  show(errors: readonly { field: string; message: string }[]): void
  /** The value to send: trimmed, without blanks and hidden answers. */
  data(): FormValue
}

interface SchemaFormProps {
  ref?: Ref<FormHandle>
  /** Without `hash` there is no compiled check, as for registers; then only the server knows all the rules. */
  form: Omit<FormRef, 'hash'> & { hash?: string }
  value: FormValue
  onChange(value: FormValue): void
  /** The case that a task's form is about. */
  of?: FormCase
  /** The register entries that its fields cannot name now. */
  unavailable?: readonly Unavailable[]
  /** What the server says beside its fields now. */
  beside?: Beside | undefined
  /** Uploads files elsewhere than to the reader's own files. */
  upload?: (body: FormData) => Promise<FileName>
  /** Focuses the first field, for fields that the reader has just asked for. */
  autoFocus?: boolean
}

const uploadFile = (body: FormData) => request<FileName>('POST', '/api/files', { body })

interface Wrong {
  field: string
  message: string
}

/** Forms with at most this many fields show no error summary. */
const short = 2

const partOf = (pointer: string) => pointer.split('/')[1] ?? ''

/** Fields whose value is still on its way; `onOver` is called when it has come. */
function useAwaited(onOver: (pointer: string) => void) {
  const awaited = useRef<string[]>([])
  return {
    still: (isShown: (pointer: string) => boolean): FieldError[] =>
      awaited.current.filter(isShown).map((field) => ({ field, code: 'platform.form.file.still-sending' })),
    async during(pointer: string, act: () => Promise<void>): Promise<void> {
      awaited.current = [...awaited.current, pointer]
      try {
        await act()
      } finally {
        awaited.current = awaited.current.toSpliced(awaited.current.indexOf(pointer), 1)
        if (!awaited.current.includes(pointer)) onOver(pointer)
      }
    },
  }
}

/** The errors in the order of the fields. */
function inOrderOf(fields: readonly { name: string }[], found: Wrong[]): Wrong[] {
  const place = ({ field }: Wrong) => fields.findIndex(({ name }) => name === partOf(field))
  return found.toSorted((a, b) => place(a) - place(b))
}

/** A form drawn from its JSON Schema and hints, for public pages and desks. The page around it has the buttons. */
export function SchemaForm({
  ref,
  form,
  value,
  onChange,
  of,
  unavailable = [],
  beside,
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
  const awaited = useAwaited((pointer) => setWrong((before) => before.filter(({ field }) => field !== pointer)))
  const asked = useAsked(schema, value)
  const fields = askedFields(shownFields(schema, value), asked)

  const idOf = (pointer: string) => `${prefix}${pointer}`
  const focus = (pointer: string) => {
    // The pointer may name a value inside a field; then focus the nearest focusable ancestor.
    for (let at = pointer; at; at = at.slice(0, at.lastIndexOf('/'))) {
      const element = document.getElementById(idOf(at))
      if (!element) continue
      element.focus()
      element.scrollIntoView({ block: 'center' })
      return
    }
  }

  const inOrder = (found: Wrong[]) => inOrderOf(fields, found)
  const isShown = (pointer: string) => fields.some(({ name }) => name === partOf(pointer))

  const find = (by: Validator | undefined): Wrong[] => {
    const data = sendable(schema, value)
    const broken = (by?.check(data) ?? []).filter(({ field }) => field === '' || isShown(field))
    const first = new Map<string, FieldError>()
    const all = [...awaited.still(isShown), ...missingIn(fields, asked, data), ...broken]
    for (const error of all) if (!first.has(error.field)) first.set(error.field, error)
    const told = [...first.values()].map(({ field, code, values }) => ({ field, message: t(code, values) }))
    return inOrder([...told, ...findings.bad().filter(({ field }) => isShown(field) && !first.has(field))])
  }

  /** Shows errors and moves the focus: to the summary, or in a short form to the field. */
  const lead = (found: Wrong[]) => {
    flushSync(() => setWrong(found))
    if (found.length === 0) return
    if (summary.current) {
      summary.current.focus()
      summary.current.scrollIntoView({ block: 'start' })
    } else focus(found[0]?.field ?? '')
  }

  const check = (by = validator) => {
    const found = find(by)
    // Lists are sent without blank rows, so they are shown without them too: otherwise the errors' indexes would
    // differ.
    const sent = sendable(schema, value)
    const lists = Object.keys(value).filter((name) => Array.isArray(value[name]))
    if (found.length > 0 && lists.length > 0)
      onChange({ ...value, ...Object.fromEntries(lists.map((name) => [name, sent[name]])) })
    lead(found)
    return found.length === 0
  }
  // The server's answer arrives a render or two later, when only the latest `check` is current.
  const later = useRef(check)
  useLayoutEffect(() => void (later.current = check))

  useImperativeHandle(ref, () => ({
    check: () => check(),
    async checked() {
      // It may still be loading: what it finds need not be sent.
      const by = await validatorOf(form.hash)
      const wrongAlready = new Set(find(by).map(({ field }) => partOf(field)))
      await findings.settled((name) => !wrongAlready.has(name))
      return later.current(by)
    },
    show(errors) {
      const ours = errors.filter(({ field }) => field === '' || field === '/' || isShown(field))
      lead(inOrder(ours.map(({ field, message }) => ({ field, message }))))
    },
    data: () => sendable(schema, value),
  }))

  const begin = useEffectEvent(() => autoFocus && focus(`/${fields[0]?.name ?? ''}`))
  useEffect(() => void begin(), [])

  // Findings from a blur join the summary.
  const all = inOrder([...wrong, ...findings.bad().filter((bad) => !wrong.some(({ field }) => field === bad.field))])
  const listed = fields.length > short && wrong.length > 0
  const around: Around = {
    upload,
    awaits: awaited.during,
    whole: { schema, value },
    asked,
    fill: (more) => change({ ...value, ...more }),
    of,
    unavailable,
    beside,
    source: form.hash ? { form: form.hash } : { register: form.key },
    errors: new Map(
      [...Map.groupBy(all, ({ field }) => field)].map(([field, some]) => [
        field,
        some.map(({ message }) => message).join(' · '),
      ]),
    ),
    found: (pointer) => findings.of(partOf(pointer)),
    idOf,
    onLeave: (pointer) => {
      const name = partOf(pointer)
      if (isBlank(value[name])) return
      const others = wrong.filter(({ field }) => partOf(field) !== name)
      const own = find(validator).filter(({ field }) => partOf(field) === name)
      setWrong(inOrder([...others, ...own]))
      if (own.length === 0) void findings.ask(name)
    },
  }

  const change = (changed: FormValue) => {
    const names = Object.keys(changed).filter((name) => changed[name] !== value[name])
    setWrong((before) => before.filter(({ field }) => field !== '' && !names.includes(partOf(field))))
    onChange(withDerived(schema, withoutDependents(schema, value, changed)))
  }

  return (
    <FormContext value={around}>
      {listed && (
        <Summary ref={summary} id={`${prefix}summary`} schema={schema} wrong={all} idOf={idOf} onJump={focus} />
      )}
      <Group schema={schema} pointer="" value={value} onChange={change} />
    </FormContext>
  )
}

interface SummaryProps {
  ref: Ref<HTMLDivElement>
  id: string
  schema: FormSchema
  wrong: readonly Wrong[]
  idOf(pointer: string): string
  onJump(pointer: string): void
}

/** All errors, each with a link to its field. */
function Summary({ ref, id, schema, wrong, idOf, onJump }: SummaryProps) {
  const { t } = useTexts()
  return (
    <div ref={ref} className={css['summary']} role="alert" tabIndex={-1} aria-labelledby={id}>
      <h2 id={id}>{t('platform.form.problems', { count: wrong.length })}</h2>
      <ul>
        {wrong.map(({ field, message }) => {
          const named = fieldName(schema, field, t)
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
                  {named}: {message}
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
