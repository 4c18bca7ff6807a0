import type { Readable } from 'node:stream'
import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import type { Rule } from './auth.ts'
import { PROOF_HEADER } from './proof.ts'
import { component } from '../kernel/components.ts'

/** The format of every error (RFC 9457). */
export const Problem = Type.Object(
  {
    type: Type.String({ description: '`urn:prakriya:problem:<code>`' }),
    title: Type.String({ description: 'What went wrong, in words' }),
    status: Type.Integer(),
    detail: Type.Optional(Type.String()),
    code: Type.String({ description: 'Error code' }),
    errors: Type.Array(Type.Object({ field: Type.String(), code: Type.String(), message: Type.String() }), {
      description: 'Errors by field; form fields as JSON pointers',
    }),
    reference: Type.Optional(Type.String({ description: 'Identifies this request in the logs' })),
    error: Type.Optional(Type.String({ description: 'From the token endpoint: error code of RFC 6749, section 5.2' })),
    error_description: Type.Optional(
      Type.String({ description: 'From the token endpoint: the title, for developers' }),
    ),
  },
  { $id: 'Problem', description: 'RFC 9457' },
)
export type Problem = Static<typeof Problem>

const problem = { content: { 'application/problem+json': { schema: Type.Ref('Problem') } } }

const said: Record<number, string> = {
  400: 'The request is not valid',
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

/** The errors of a route, beside those of every route; see also `impliedRefusals`. */
export function refusals(...statuses: number[]) {
  return Object.fromEntries(
    [400, ...statuses, 429, 500, 503].map((status) => [status, { description: said[status], ...problem }]),
  )
}

/**
 * The errors that follow from a route's rule, path parameters, body or proof of work. They are added to each route,
 * which then declares only its own.
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
  // People who have to set up a second factor first can reach only their own account.
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

/** Whether a route concerns only the caller's own account. */
export function isOwnAccount(url: string): boolean {
  return /^\/api\/(me|auth)(\/|$)/.test(url)
}

/** Binary content. */
export const Bytes = Type.Unsafe<Readable>({ type: 'string', format: 'binary' })

/** A file response of one of these types; text and JSON are declared as such. */
export function fileOf(...types: string[]) {
  const text = Type.Unsafe<Readable>({ type: 'string' })
  const json = Type.Unsafe<Readable>({})
  const schemaOf = (type: string) => (type === 'application/json' ? json : /(pdf|sheet)$/.test(type) ? Bytes : text)
  return { content: Object.fromEntries(types.map((type) => [type, { schema: schemaOf(type) }])) }
}

export const Id = Type.String({ format: 'uuid' })
const UUID = '[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}'
/** Some ids in a query. */
export const Ids = Type.String({
  pattern: `^${UUID}(,${UUID}){0,49}$`,
  description: 'Up to 50 ids, separated by commas',
})
export const Moment = Type.String({ format: 'date-time' })
/** A key with its label. */
export const Named = component(
  'Named',
  Type.Object({
    key: Type.String(),
    text: Type.String(),
    meaning: Type.Optional(
      Type.Enum(['done', 'returned', 'ended'], {
        description: 'Succeeded, waits for its requester, or ended unsuccessfully; absent while in progress',
      }),
    ),
    untold: Type.Optional(
      Type.Literal(true, {
        description: 'Only for the audit trail; not shown where people see the case',
      }),
    ),
  }),
)
/** The data of a form, which the form's own schema describes. */
export const FormData = Type.Record(Type.String(), Type.Unknown())
/** A form with its schema. */
export const Form = component('FormKey', Type.Object({ key: Type.String(), hash: Type.String(), schema: FormData }))
/** `<area>/<name>`, of flows, registers and forms. */
export const Key = Type.String({ pattern: '^[a-z0-9-]+/[a-z0-9-]+$' })
/** The same request with the same key, repeated within a day, takes effect once. */
export const Idempotent = Type.Object({
  'idempotency-key': Type.Optional(Type.String({ pattern: '^[\\x21-\\x7e]{8,200}$' })),
})
export const Who = component('Who', Type.Object({ id: Id, name: Type.String() }))
/** A person, in places where it matters whether the name is confirmed. */
export const NamedPerson = component(
  'NamedPerson',
  Type.Object({
    ...Who.properties,
    registered: Type.Boolean({ description: 'The name comes from a register entry' }),
  }),
)

/** A name: one line without invisible characters, see `kernel/formats.ts`. */
export function Name(bounds: { minLength?: number; maxLength: number; pattern?: string }) {
  return Type.String({ ...bounds, format: 'name' })
}

/** A requested name that waits for confirmation. */
export const NameChange = component('NameChange', Type.Object({ id: Id, name: Type.String(), askedAt: Moment }))

export function Nullable<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()])
}

/** How many there are, or that there are more than were counted. */
export const PageCount = component(
  'PageCount',
  Type.Object({
    value: Type.Integer(),
    more: Type.Boolean({ description: 'The actual number is higher than `value`' }),
  }),
)

/** A page of a list. */
export function PageOf<T extends TSchema>(item: T) {
  return Type.Object({
    items: Type.Array(item),
    next: Nullable(Type.String({ description: '`cursor` of the next page' })),
    count: PageCount,
  })
}

/** The parameters of every list. */
export const paging = {
  cursor: Type.Optional(Type.String({ maxLength: 500, description: '`cursor` of the previous page' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
}

/**
 * A query string. With `filters` it also accepts `filter.<field>`; `needs` names the parameters that another one
 * requires.
 */
export function Query<T extends TProperties>(
  properties: T,
  { filters = false, needs = {} }: { filters?: boolean; needs?: Record<string, string[]> } = {},
) {
  return Type.Object(properties, {
    additionalProperties: false,
    ...(Object.keys(needs).length > 0 && { dependentRequired: needs }),
    ...(filters
      ? { patternProperties: { '^filter\\.[A-Za-z0-9_/*-]{1,100}$': { type: 'string', maxLength: 200 } } }
      : {}),
  })
}

/** The `filter.<field>` parameters of a query, by field. */
export function filtersOf(query: object): Record<string, string> {
  const filters = Object.entries(query).filter(([name]) => name.startsWith('filter.'))
  return Object.fromEntries(filters.map(([name, value]) => [name.slice('filter.'.length), String(value)]))
}

/** A register or report in a path. */
export const RegisterName = { area: Type.String({ maxLength: 60 }), name: Type.String({ maxLength: 60 }) }

/** The reason of an act, for the audit trail and the mail to the person concerned. */
export const Reason = Type.String({ minLength: 3, maxLength: 500, pattern: '\\S' })

export const TaskId = Type.Object({ id: Type.String({ pattern: '^[A-Za-z0-9:-]{1,100}$' }) })
