import { presentLanguage } from '../texts/texts.ts'
import type { FieldError } from './types.ts'

/** What the API says went wrong (RFC 9457), or that nothing answered (`status` 0, code `platform.unreachable`). */
export class Problem extends Error {
  readonly status: number
  /** The code of the error catalogue; also the key of its text. */
  readonly code: string
  readonly detail: string | undefined
  /** Per field: pointer into what was sent, and the message in the reader's language. */
  readonly errors: FieldError[]
  /** What to name to the operator when a fault happened. */
  readonly reference: string | undefined
  /** What only this kind of problem says, such as the steps that a sign-in still wants. */
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
    // With errors by field, the detail repeats them for machines; the title is the sentence.
    this.detail = this.errors.length > 0 ? body.title : (body.detail ?? body.title)
    this.reference = body.reference
    this.more = { ...body }
  }
}

export interface Request {
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal
  /** It arrives even if the page is gone by then. */
  keepalive?: boolean
}

interface Access {
  /** The present access token, or undefined when nobody is signed in. */
  token(): Promise<string | undefined>
  /** Asks for a new one after a refusal; undefined when the session is over. */
  renew(refused: string): Promise<string | undefined>
}

let access: Access = { token: () => Promise.resolve(undefined), renew: () => Promise.resolve(undefined) }

/** The session gives the client its tokens; the client knows nothing else of it. */
export function setAccess(given: Access): void {
  access = given
}

/** Sends one request as the signed-in person, renews the token once if it has run out, and gives the raw answer. */
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

/** Whether a token was of no use: a refusal, or an answer as visitors get it, which reading again may change. */
function isForVisitors(method: string, { status, headers }: Response): boolean {
  if (status === 401) return true
  return method === 'GET' && (headers.get('www-authenticate') ?? '').includes('invalid_token')
}

async function problem(response: Response): Promise<Problem> {
  const json = response.headers.get('content-type')?.includes('json') ?? false
  return new Problem(response.status, json ? await response.json() : {})
}

/** Sends one request and gives the parsed body (undefined when there is none). */
export async function request<T>(method: string, path: string, options?: Request): Promise<T> {
  const response = await send(method, path, options)
  const text = await response.text()
  return (text ? JSON.parse(text) : undefined) as T
}

/** A path with its query; what is undefined, null or empty stays out. */
export function withQuery(path: string, query: Record<string, string | number | boolean | null | undefined>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value))
  }
  const text = search.toString()
  return text ? `${path}?${text}` : path
}

/** A list as a file, under the name that the server gave it. */
export interface Sheet {
  name: string
  content: Blob
  headers: Headers
}

/** Reads a list as a file; `otherwise` is its name where the server gives none. */
export async function sheetAt(path: string, otherwise: string): Promise<Sheet> {
  const response = await send('GET', path, { headers: { accept: '*/*' } })
  const { headers } = response
  const name = /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '')?.[1] ?? otherwise
  return { name, content: await response.blob(), headers }
}
