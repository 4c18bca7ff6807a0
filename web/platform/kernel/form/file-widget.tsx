import { Button } from 'antd'
import { lazy, Suspense, useId, useLayoutEffect, useRef, useState, type DragEvent } from 'react'
import { flushSync } from 'react-dom'
import { PhotoButton } from '../camera/photo-button.tsx'
import { Problem } from '../client/client.ts'
import type { FileName, FormSchema } from '../client/types.ts'
import { fileNames, useFileNames } from '../api/files.ts'
import { FileLink, sizeInWords } from '../files/file-link.tsx'
import { Picture } from '../files/picture.tsx'
import { SignatureButton } from '../files/signature-button.tsx'
import { isRecord } from '../record/fields.ts'
import { inWords } from '../states/trouble.tsx'
import { useTexts, type Translate } from '../texts/texts.ts'
import { useForm, type Around } from './form-context.ts'
import css from './form.module.css'
import type { WidgetProps } from './widget.ts'

const CropDialog = lazy(() => import('../files/crop-dialog.tsx'))

/** Types of files whose own word is not what people call them. */
const called: Readonly<Record<string, string>> = { document: 'DOCX', sheet: 'XLSX', plain: 'TXT' }

/** `PDF` of `application/pdf`. */
function extension(type: string): string {
  const word = type.replace(/^.*[/.]/, '')
  return called[word] ?? word.toUpperCase()
}

const idsIn = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string')

/** Why a file cannot be sent; undefined if it can. */
function refusalOf(file: File, rules: FormSchema, t: Translate): string | undefined {
  const { 'x-accept': accept = [], 'x-max-size': largest, 'x-messages': own } = rules
  if (accept.length > 0 && !accept.includes(file.type))
    return t('platform.form.file.wrong-type', { name: file.name, types: accept.map(extension).join(', ') })
  if (!largest || file.size <= largest) return undefined
  if (own?.['x-max-size']) return `${file.name}: ${t(own['x-max-size'])}`
  return t('platform.form.file.too-large', { name: file.name, size: sizeInWords(largest) })
}

/** The list at the top of the form that a file belongs to, and the ids of all of its files. */
function listOf({ whole }: Around, pointer: string): { list: FormSchema; ids: string[] } {
  const top = pointer.split('/')[1] ?? ''
  const list = whole.schema.properties?.[top] ?? {}
  const names = Object.entries(list.items?.properties ?? {}).filter(([, field]) => field['x-widget'] === 'file')
  const held = whole.value[top]
  const ofRow = (row: unknown) => (isRecord(row) ? names.map(([name]) => row[name]) : [row])
  return { list, ids: idsIn((Array.isArray(held) ? held : []).flatMap(ofRow)) }
}

/** Why files cannot be sent beside the others of their list; undefined if they can. */
async function heavyOf(
  adding: readonly File[],
  { list, ids }: ReturnType<typeof listOf>,
  names: Readonly<Record<string, FileName>>,
  t: Translate,
): Promise<string | undefined> {
  const { 'x-max-total': most, 'x-messages': own, title } = list
  if (!most) return undefined
  const found = await fileNames(ids.filter((id) => !(id in names)))
  const sizes = [...adding, ...ids.map((id) => names[id] ?? found.find((file) => file.id === id))]
  if (sizes.reduce((sum, file) => sum + (file?.size ?? 0), 0) <= most) return undefined
  if (own?.['x-max-total']) return t(own['x-max-total'])
  const heavy = t('platform.form.file.too-large-together', { size: sizeInWords(most) })
  return title ? `${t(title)}: ${heavy}` : heavy
}

/** Chosen files; of a field with a shape, the picture is cut first. */
function useCutting(rules: FormSchema, add: (files: File[]) => void) {
  const { t } = useTexts()
  const [toCut, setToCut] = useState<{ file: File; address: string }>()
  const size = rules['x-crop']
  return {
    choose(files: File[]) {
      const [file] = files
      if (!file || !size || !file.type.startsWith('image/') || refusalOf(file, rules, t)) add(files)
      else setToCut({ file, address: URL.createObjectURL(file) })
    },
    dialog: toCut && size && (
      <Suspense fallback={null}>
        <CropDialog
          {...toCut}
          size={size}
          onDone={(cut) => {
            URL.revokeObjectURL(toCut.address)
            setToCut(undefined)
            if (cut) add([cut])
          }}
        />
      </Suspense>
    ),
  }
}

/** What is known of the files that a field holds; those of a draft or a record were sent before this page was opened. */
function useNames(held: string[]) {
  const [sent, setSent] = useState<Record<string, FileName>>({})
  const earlier = useFileNames(held.filter((file) => !(file in sent)))
  return {
    names: { ...Object.fromEntries(earlier.map((file) => [file.id, file])), ...sent },
    note: (file: FileName) => setSent((before) => ({ ...before, [file.id]: file })),
  }
}

/** An upload ends later than it began: by then other fields of the form, and this one, may have changed or be gone. */
function usePresent(props: WidgetProps) {
  const present = useRef<WidgetProps | undefined>(props)
  useLayoutEffect(() => {
    present.current = props
    return () => void (present.current = undefined)
  })
  return present
}

/** Files, chosen or dropped; each is uploaded at once and the form holds its id. */
export default function FileWidget(props: WidgetProps) {
  const { t } = useTexts()
  const form = useForm()
  const { source, upload } = form
  const { id, pointer, schema, value } = props
  const rules: FormSchema = (schema.type === 'array' ? schema.items : schema) ?? {}
  const many = schema.type === 'array'
  const own = rules['x-messages']
  const accept = rules['x-accept'] ?? []
  const largest = rules['x-max-size']
  const most = many ? (schema.maxItems ?? Infinity) : 1
  const held = idsIn(value)
  const pictures = accept.length > 0 && accept.every((type) => type.startsWith('image/'))
  const present = usePresent(props)

  const input = useRef<HTMLInputElement>(null)
  const rulesId = useId()
  const { names, note } = useNames(held)
  const [sending, setSending] = useState<string[]>([])
  const [problems, setProblems] = useState<string[]>([])
  const [over, setOver] = useState(false)

  // At once, so that another field whose upload ends in the same moment adds to it.
  const keep = (ids: string[]) =>
    flushSync(() => present.current?.onChange(many ? (ids.length > 0 ? ids : undefined) : ids[0]))

  const add = (files: File[]) => form.awaits(pointer, () => send(files))

  const send = async (files: File[]) => {
    const room = files.slice(0, most - held.length)
    const refused = [
      ...room.map((file) => refusalOf(file, rules, t)).filter((each) => each !== undefined),
      ...(room.length < files.length ? [t(own?.['maxItems'] ?? 'platform.form.file.too-many', { count: most })] : []),
    ]
    const fitting = room.filter((file) => refusalOf(file, rules, t) === undefined)
    setSending(fitting.map(({ name }) => name))
    const heavy = await heavyOf(fitting, listOf(form, pointer), names, t)
    const good = heavy === undefined ? fitting : []
    setProblems([...refused, ...(heavy === undefined ? [] : [heavy])])
    setSending(good.map(({ name }) => name))
    for (const file of good) {
      const body = bodyOf(file, source, pointer)
      try {
        const stored = await upload(body)
        note(stored)
        keep([...idsIn(present.current?.value), stored.id])
      } catch (error) {
        const { title, detail } = inWords(error, t)
        const answered = error instanceof Problem && error.status > 0
        const problem =
          !answered && own?.['upload']
            ? t(own['upload'])
            : t('platform.form.file.not-sent', { name: file.name, reason: detail || title })
        setProblems((before) => [...before, problem])
      } finally {
        setSending((before) => before.filter((name) => name !== file.name))
      }
    }
  }

  const { choose, dialog } = useCutting(rules, (files) => void add(files))
  const dropped = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    if (sending.length === 0) choose([...event.dataTransfer.files])
  }

  return (
    <div
      className={css['files']}
      data-over={over || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={dropped}
    >
      {(accept.length > 0 || largest) && (
        <p id={rulesId} className={css['help']}>
          {[
            accept.map(extension).join(', '),
            largest && t('platform.form.file.largest', { size: sizeInWords(largest) }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
      )}
      {held.length > 0 && (
        <Held
          files={held.map((file) => names[file] ?? { id: file })}
          pictures={pictures}
          onRemove={(file) => keep(held.filter((each) => each !== file))}
        />
      )}
      <Progress sending={sending} problems={problems} />
      {dialog}
      {held.length < most && (
        <div className={css['choices']}>
          <input
            ref={input}
            type="file"
            hidden
            multiple={many}
            accept={accept.join(',')}
            onChange={(event) => {
              choose([...(event.target.files ?? [])])
              event.target.value = ''
            }}
          />
          {rules['x-drawn'] && <SignatureButton disabled={sending.length > 0} onSigned={(one) => choose([one])} />}
          <Button
            id={id}
            disabled={sending.length > 0}
            aria-describedby={[props.describedBy, rulesId].filter(Boolean).join(' ')}
            onClick={() => input.current?.click()}
          >
            {t(many ? 'platform.form.file.choose-many' : 'platform.form.file.choose')}
          </Button>
          {pictures && <PhotoButton disabled={sending.length > 0} onTaken={(photo) => choose([photo])} />}
          <span className={css['drop']}>{t('platform.form.file.or-drop')}</span>
        </div>
      )}
    </div>
  )
}

/** The upload's form data: the server needs the limits before the file that they apply to. */
function bodyOf(file: File, source: Readonly<Record<string, string>>, pointer: string): FormData {
  const body = new FormData()
  const limits = Object.entries(source)
  for (const [name, text] of limits.length > 0 ? [...limits, ['field', pointer] as const] : []) body.append(name, text)
  body.append('file', file)
  return body
}

interface HeldProps {
  files: (Pick<FileName, 'id'> & Partial<FileName>)[]
  /** All of them are pictures, and shown as such. */
  pictures: boolean
  onRemove(id: string): void
}

function Held({ files, pictures, onRemove }: HeldProps) {
  const { t } = useTexts()
  return (
    <ul>
      {files.map((file) => (
        <li key={file.id}>
          {pictures && (
            <span className={css['picture']}>
              <Picture id={file.id} alt="" />
            </span>
          )}
          <FileLink {...file} />
          {file.contentType !== undefined && <span className={css['type']}>{extension(file.contentType)}</span>}
          <Button
            type="text"
            size="small"
            onClick={() => onRemove(file.id)}
            aria-label={t('platform.form.file.remove', { name: file.name ?? t('platform.file') })}
          >
            {t('platform.form.remove')}
          </Button>
        </li>
      ))}
    </ul>
  )
}

/** Uploads in progress, and why others were rejected. */
function Progress({ sending, problems }: { sending: readonly string[]; problems: readonly string[] }) {
  const { t } = useTexts()
  return (
    <>
      {sending.map((name) => (
        <p key={name} role="status" className={css['help']}>
          {t('platform.form.file.sending', { name })}
        </p>
      ))}
      {problems.map((problem) => (
        <p key={problem} role="alert" className={css['error']}>
          {problem}
        </p>
      ))}
    </>
  )
}
