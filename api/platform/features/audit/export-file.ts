import { createReadStream } from 'node:fs'
import { type TProperties, Type } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { messageIn } from '../../kernel/objects.ts'
import { known } from '../../kernel/known.ts'
import type { AuditLine } from './export.ts'
import type { AuditHeader } from './verify.ts'

/** A line that is not part of the format: the file is no export, or was changed. */
export class NotTheFormat extends Error {}

const Strict = <P extends TProperties>(properties: P) => Type.Object(properties, { additionalProperties: false })
const Place = Type.String({ pattern: '^[1-9][0-9]{0,18}$' })
const Hash = Type.String({ pattern: '^[0-9a-f]{64}$' })
const KeyId = Type.String({ pattern: '^[0-9a-f]{16}$' })
const Moment = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3,6}Z$' })
/** PostgreSQL breaks long base64 into lines. */
const Base64 = Type.String({ pattern: '^[A-Za-z0-9+/\\n]*={0,2}$' })
const Text = Type.String()
const TextOrNull = Type.Union([Text, Type.Null()])
const EntryId = Type.String({ pattern: '^-?(0|[1-9][0-9]{0,18})$' })

const Entry = Strict({
  id: EntryId,
  at: Type.String({ pattern: '^-?\\d{4,6}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}Z$' }),
  ...{ actor: Text, actedAs: TextOrNull, action: Text, caseId: TextOrNull, object: TextOrNull },
  commitment: Type.String({ pattern: '^([0-9a-f]{2})*$' }),
})
const details = { salt: Type.Optional(Base64), payload: Type.Optional(Type.Unknown()) }

const Link = Strict({
  link: Strict({
    ...{ sequence: Place, previous: Hash, hash: Hash, entryId: EntryId, entry: Entry },
    ...details,
    leftOut: Type.Optional(Type.Literal(true)),
  }),
})
const Checkpoint = Strict({
  checkpoint: Strict({
    ...{ sequence: Place, hash: Hash, keyId: KeyId, signature: Base64 },
    before: Type.Optional(Type.String({ pattern: '^(0|[1-9][0-9]{0,18})$' })),
  }),
})
const Broken = Strict({ harm: Text, sequence: Type.String(), entryId: Type.Union([EntryId, Type.Null()]), text: Text })
const Header = Strict({
  format: Type.Enum(['prakriya-audit-1', 'prakriya-audit-2', 'prakriya-audit-3']),
  ...{ keyId: KeyId, at: Moment, count: Type.Integer({ minimum: 0 }) },
  ...{ from: Type.Optional(Place), to: Type.Optional(Place), hash: Type.Optional(Hash), head: Type.Optional(Place) },
  ...{ since: Type.Optional(Moment), until: Type.Optional(Moment) },
  acts: Type.Optional(Type.Array(Strict({ entry: Entry, ...details }))),
  signed: Type.Optional(Type.Union([Place, Type.Null()])),
  broken: Type.Optional(Broken),
  signature: Type.Optional(Base64),
})

const kinds = ['link', 'checkpoint', 'format'] as const
const forms = { link: Compile(Link), checkpoint: Compile(Checkpoint), format: Compile(Header) }

/** The lines of an export after its header, read lazily. Throws `NotTheFormat` at the first invalid line. */
export async function* linesIn(file: string): AsyncGenerator<AuditLine> {
  for await (const line of written(file)) if (!('format' in line)) yield line
}

/** The header of an export. Throws `NotTheFormat` if it is not valid. */
export async function headerIn(file: string): Promise<AuditHeader> {
  for await (const line of written(file)) if ('format' in line) return line
  throw new NotTheFormat('it is empty')
}

/** The first line is the header; each other line is a link or a signature. */
async function* written(file: string): AsyncGenerator<AuditLine | AuditHeader> {
  let n = 0
  for await (const bytes of linesOf(file)) {
    n += 1
    yield read(bytes, n)
  }
}

function read(bytes: Buffer, n: number): AuditLine | AuditHeader {
  const refuse = (why: string) => new NotTheFormat(`line ${n} ${why}`)
  const text = utf8(bytes)
  if (text === undefined) throw refuse('is no UTF-8')
  if (text === '') throw refuse('is empty')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw refuse(`is no JSON: ${messageIn(error)}`)
  }
  const kind = kindOf(value)
  if (kind === undefined) throw refuse('is neither a link nor a signature, nor does it say what the file has')
  if (n === 1 && kind !== 'format') throw refuse('does not say which links the file has')
  if (n > 1 && kind === 'format') throw refuse('says a second time what the file has')
  if (!forms[kind].Check(value)) throw refuse(`is not of the format: ${wrongIn(forms[kind], value)}`)
  // Exports are canonical. Duplicate keys or another notation could make other programs read something else.
  if (JSON.stringify(value) !== text)
    throw refuse('is not as an export is written: a key appears twice, or a text, a number or a space differs')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `Check` has compared it with its format
  const line = value as AuditLine | AuditHeader
  if ('link' in line) {
    const { link } = line
    if (link.entryId !== link.entry.id)
      throw refuse(`is not of the format: its entryId is ${link.entryId}, its entry is ${link.entry.id}`)
  }
  return line
}

/** The kind of a line, by its key; undefined if it is unknown. */
function kindOf(value: unknown): keyof typeof forms | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  return kinds.find((kind) => Object.hasOwn(value, kind))
}

function wrongIn(form: Validator, value: unknown): string {
  const errors = form.Errors(value)
  const added = errors.find((one) => one.keyword === 'additionalProperties')
  const { instancePath, message } = added ?? known(errors[0], 'why a line is not of the format')
  const names = added?.params.additionalProperties
  return `${instancePath || 'it'} ${names ? `has ${names.join(', ')}, which no export has` : message}`
}

function utf8(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Splits at line feeds only: texts may contain other line separators. */
async function* linesOf(file: string): AsyncGenerator<Buffer> {
  let rest: Buffer[] = []
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    let from = 0
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      yield Buffer.concat([...rest, chunk.subarray(from, end)])
      rest = []
      from = end + 1
    }
    if (from < chunk.length) rest.push(chunk.subarray(from))
  }
  if (rest.length > 0) yield Buffer.concat(rest)
}
