import type { Readable } from 'node:stream'
import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import type { Rule } from './auth.ts'
import { PROOF_HEADER } from './proof.ts'
import { component } from '../kernel/components.ts'

/** What every refusal and fault looks like (RFC 9457). */
export const Problem = Type.Object(
  {
    type: Type.String({ description: '`urn:prakriya:problem:<code>`' }),
    title: Type.String({ description: 'What went wrong, for people' }),
    status: Type.Integer(),
    detail: Type.Optional(Type.String()),
    code: Type.String({ description: 'Code of the error catalogue' }),
    errors: Type.Array(Type.Object({ field: Type.String(), code: Type.String(), message: Type.String() }), {
      description: 'What is wrong with which field; fields of a form as JSON pointers',
    }),
    reference: Type.Optional(Type.String({ description: 'Names this request in the logs' })),
    error: Type.Optional(Type.String({ description: 'Of the token endpoint: the code of RFC 6749, 5.2' })),
    error_description: Type.Optional(Type.String({ description: 'Of the token endpoint: the title for developers' })),
  },
  { $id: 'Problem', description: 'RFC 9457' },
)
export type Problem = Static<typeof Problem>

const problem = { content: { 'application/problem+json': { schema: Type.Ref('Problem') } } }

const said: Record<number, string> = {
  400: 'The request cannot be understood',
  401: 'Not signed in',
  403: 'Not allowed',
  404: 'Not there, or not for this person to know of',
  409: 'Clashes with what has happened meanwhile',
  410: 'Used up, or run out',
  412: 'Changed since the version that was named',
  413: 'Too large',
  415: 'Of a type that is not taken here',
  422: 'Something in it is not acceptable',
  428: 'The version has to be named, or a proof of work has to come along',
  429: 'Too many requests',
  500: 'A fault of ours',
  503: 'A part of the product is away',
}

/** The refusals that a route can answer, beside those that every route can; see `impliedRefusals` too. */
export function refusals(...statuses: number[]) {
  return Object.fromEntries(
    [400, ...statuses, 429, 500, 503].map((status) => [status, { description: said[status], ...problem }]),
  )
}

/**
 * The refusals that follow from what a route is: its rule, an address that names something, a body, and a proof of work.
 * They are declared for each route as it is made, so that a route names only those of its own.
 */
export function impliedRefusals({
  method,
  url,
  rule,
  headers,
}: {
  method: string | string[]
  url: string
  rule: Rule
  headers?: Headers
}) {
  const named = url.includes('/:') ? [404] : []
  const body = [method].flat().some((one) => one !== 'GET' && one !== 'HEAD') ? [413, 415] : []
  const proof = takesHeader(headers, PROOF_HEADER) ? [422, 428] : []
  if (rule === 'public') return refusals(...named, ...body, ...proof)
  // Who has to set up a second factor first reaches nothing but their own account.
  const allowed = rule === 'tracking' || (rule === 'signed-in' && isOwnAccount(url)) ? [] : [403]
  return refusals(401, ...allowed, ...named, ...body, ...proof)
}

interface Headers {
  properties?: object
  allOf?: Headers[]
}

function takesHeader(schema: Headers | undefined, name: string): boolean {
  return name in (schema?.properties ?? {}) || (schema?.allOf ?? []).some((part) => takesHeader(part, name))
}

/** Whether a route is about one's own account and nothing else. */
export function isOwnAccount(url: string): boolean {
  return /^\/api\/(me|auth)(\/|$)/.test(url)
}

/** Bytes as they are, for what is no text. */
export const Bytes = Type.Unsafe<Readable>({ type: 'string', format: 'binary' })

/** An answer that is a file of one of these types; what is text or JSON is told to be so. */
export function fileOf(...types: string[]) {
  const text = Type.Unsafe<Readable>({ type: 'string' })
  const json = Type.Unsafe<Readable>({})
  const schemaOf = (type: string) => (type === 'application/json' ? json : /(pdf|sheet)$/.test(type) ? Bytes : text)
  return { content: Object.fromEntries(types.map((type) => [type, { schema: schemaOf(type) }])) }
}

export const Id = Type.String({ format: 'uuid' })
export const Moment = Type.String({ format: 'date-time' })
/** A key with the text that people read for it. */
export const Named = component(
  'Named',
  Type.Object({
    key: Type.String(),
    text: Type.String(),
    meaning: Type.Optional(
      Type.Enum(['done', 'returned', 'ended'], {
        description: 'It went well, waits for its requester, or came to nothing; absent: it is on its way',
      }),
    ),
    untold: Type.Optional(
      Type.Literal(true, {
        description: 'It stands in the record only: where the case is, it means nothing to people',
      }),
    ),
  }),
)
/** What a form holds: its shape is the form's own. */
export const FormData = Type.Record(Type.String(), Type.Unknown())
/** `<area>/<name>`, of flows, registers and forms. */
export const Key = Type.String({ pattern: '^[a-z0-9-]+/[a-z0-9-]+$' })
/** The same request with the same key, sent again within a day, takes effect once. */
export const Idempotent = Type.Object({
  'idempotency-key': Type.Optional(Type.String({ pattern: '^[\\x21-\\x7e]{8,200}$' })),
})
export const Who = component('Who', Type.Object({ id: Id, name: Type.String() }))
/** Somebody who is named where their name carries weight. */
export const NamedPerson = component(
  'NamedPerson',
  Type.Object({
    ...Who.properties,
    registered: Type.Boolean({ description: 'An entry of a register answers for the name' }),
  }),
)

/** A name of somebody or something: one line without what cannot be seen, see `forms/formats.ts`. */
export function Name(bounds: { minLength?: number; maxLength: number; pattern?: string }) {
  return Type.String({ ...bounds, format: 'name' })
}

/** What somebody asks to be called; it waits for somebody else. */
export const NameChange = component('NameChange', Type.Object({ id: Id, name: Type.String(), askedAt: Moment }))

export function Nullable<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()])
}

const PageCount = component(
  'PageCount',
  Type.Object({ value: Type.Integer(), more: Type.Boolean({ description: 'There are more than `value`' }) }),
)

/** A page of a list. */
export function PageOf<T extends TSchema>(item: T) {
  return Type.Object({
    items: Type.Array(item),
    next: Nullable(Type.String({ description: '`cursor` of the next page' })),
    count: PageCount,
  })
}

/** What every list takes. */
export const paging = {
  cursor: Type.Optional(Type.String({ maxLength: 500, description: '`next` of the page before' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
}

/**
 * A query string; `filter.<field>` stands beside the named parameters where `filters` says so, and `needs` names the
 * parameters without which another one means nothing.
 */
export function Query<T extends TProperties>(
  properties: T,
  { filters = false, needs = {} }: { filters?: boolean; needs?: Record<string, string[]> } = {},
) {
  return Type.Object(properties, {
    additionalProperties: false,
    ...(Object.keys(needs).length > 0 && { dependentRequired: needs }),
    ...(filters
      ? { patternProperties: { '^filter\\.[A-Za-z0-9_/-]{1,100}$': { type: 'string', maxLength: 200 } } }
      : {}),
  })
}

/** The `filter.<field>` parameters of a query, by field. */
export function filtersOf(query: object): Record<string, string> {
  const filters = Object.entries(query).filter(([name]) => name.startsWith('filter.'))
  return Object.fromEntries(filters.map(([name, value]) => [name.slice('filter.'.length), String(value)]))
}

/** How an address names a register or a report. */
export const RegisterName = { area: Type.String({ maxLength: 60 }), name: Type.String({ maxLength: 60 }) }

/** Why something is done; it stands in the audit, and in the mail to the person concerned. */
export const Reason = Type.String({ minLength: 3, maxLength: 500, pattern: '\\S' })

export const TaskId = Type.Object({ id: Type.String({ pattern: '^[A-Za-z0-9:-]{1,100}$' }) })
