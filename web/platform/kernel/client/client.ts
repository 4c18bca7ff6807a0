import { presentLanguage } from '../texts/texts.ts'
import type { FieldError } from './types.ts'

/** An API problem (RFC 9457), or no answer (`status` 0, code `platform.unreachable`). */
export class Problem extends Error {
  readonly status: number
  /** The code of the error catalogue; also its text key. */
  readonly code: string
  readonly detail: string | undefined
  /** Per field: a pointer into the request body, and the message in the reader's language. */
  readonly errors: FieldError[]
  /** The reference to give to the operator after a fault. */
  readonly reference: string | undefined
  /** Members that only this kind of problem has, such as the remaining steps of a sign-in. */
  readonly more: Readonly<Record<string, unknown>>

  constructor(
    status: number,
    body: Partial<Pick<Problem, 'code' | 'detail' | 'errors' | 'reference'>> & { title?: string },
  ) {
    super(body.detail ?? body.title ?? body.code ?? String(status))
    this.name = 'Problem'
    this.status = status
    this.code = body.code ?? (status === 0 ? 'platform.unreachable' : 'platform.fault')
    this.errors = body.errors ?? []
    // With field errors, the detail repeats them for machines; the title is the sentence for people.
    this.detail = this.errors.length > 0 ? body.title : (body.detail ?? body.title)
    this.reference = body.reference
    this.more = { ...body }
  }
}

export interface Request {
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal
  /** Lets the request finish after the page closes. */
  keepalive?: boolean
}

interface Access {
  /** The present access token, or undefined if nobody is signed in. */
  token(): Promise<string | undefined>
  /** Requests a new token after a refusal; undefined when the session is over. */
  renew(refused: string): Promise<string | undefined>
}

let access: Access = { token: () => Promise.resolve(undefined), renew: () => Promise.resolve(undefined) }

/** The session provides the tokens; the client knows nothing else about it. */
export function setAccess(given: Access): void {
  access = given
}

/** Sends one request as the signed-in person, renews an expired token once, and returns the raw response. */
export async function send(
  method: string,
  path: string,
  { body, headers = {}, signal, keepalive = false }: Request = {},
): Promise<Response> {
  const encoded = body instanceof FormData || body instanceof URLSearchParams
  const attempt = async (token: string | undefined) => {
    try {
      return await fetch(path, {
        method,
        credentials: 'same-origin',
        keepalive,
        headers: {
          accept: 'application/json',
          'accept-language': presentLanguage(),
          ...(token ? { authorization: `Bearer ${token}` } : {}),
          ...(body !== undefined && !encoded ? { 'content-type': 'application/json' } : {}),
          ...headers,
        },
        ...(body === undefined ? {} : { body: encoded ? body : JSON.stringify(body) }),
        ...(signal ? { signal } : {}),
      })
    } catch (cause) {
      if (signal?.aborted) throw cause
      throw new Problem(0, {})
    }
  }
  const token = await access.token()
  let response = await attempt(token)
  if (token && isForVisitors(method, response)) {
    const renewed = await access.renew(token)
    if (renewed) response = await attempt(renewed)
  }
  if (!response.ok) throw await problem(response)
  return response
}

/** Whether the token was rejected: a 401, or a visitor's answer that a new token may change. */
function isForVisitors(method: string, { status, headers }: Response): boolean {
  if (status === 401) return true
  return method === 'GET' && (headers.get('www-authenticate') ?? '').includes('invalid_token')
}

async function problem(response: Response): Promise<Problem> {
  const json = response.headers.get('content-type')?.includes('json') ?? false
  return new Problem(response.status, json ? await response.json() : {})
}

/** Sends one request and returns the parsed body (undefined if there is none). */
export async function request<T>(method: string, path: string, options?: Request): Promise<T> {
  const response = await send(method, path, options)
  const text = await response.text()
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- callers name the answer in the API's own schemas
  return (text ? JSON.parse(text) : undefined) as T
}

/** A path with its query; undefined, null and empty values are left out. */
export function withQuery(path: string, query: Record<string, string | number | boolean | null | undefined>): string {
  const [address = '', asked] = path.split('?')
  const search = new URLSearchParams(asked)
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value))
  }
  const text = search.toString()
  return text ? `${address}?${text}` : address
}

/** Values of fields as the filters of a list's query. */
export const asFilters = <T>(values: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(values).map(([field, value]) => [`filter.${field}`, value]))

/** A list as a file, under the server's file name. */
export interface Sheet {
  name: string
  content: Blob
  headers: Headers
}

/** Reads a list as a file; `otherwise` is its name if the server gives none. */
export async function sheetAt(path: string, otherwise: string): Promise<Sheet> {
  const response = await send('GET', path, { headers: { accept: '*/*' } })
  const { headers } = response
  const name = /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '')?.[1] ?? otherwise
  return { name, content: await response.blob(), headers }
}
