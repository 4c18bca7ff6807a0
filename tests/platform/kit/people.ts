import { randomUUID } from 'node:crypto'
import { until } from './poll.ts'
import { logged, stack } from './stack.ts'

/** The password of every demo account. */
export const PASSWORD = 'Prakriya2026'

export interface Answer<T = any> {
  status: number
  headers: Headers
  body: T
}

/** Sends one request to the product and returns its response, including refusals. */
export async function send<T = any>(
  method: string,
  path: string,
  { token, body, headers = {} }: { token?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<Answer<T>> {
  const form = body instanceof URLSearchParams || body instanceof FormData
  const response = await fetch(stack().url + path, {
    method,
    headers: {
      // The other side may close a kept-alive connection while a test file is still loading.
      connection: 'close',
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body !== undefined && !form ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    ...(body === undefined ? {} : { body: form ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  const json = response.headers.get('content-type')?.includes('json')
  return { status: response.status, headers: response.headers, body: (json && text ? JSON.parse(text) : text) as T }
}

export interface Case {
  id: string
  reference: string
}

/** An access token is renewed this long before it expires. */
const RENEWED_BEFORE_MS = 120_000

/** An access token, and when it expires in milliseconds since 1970. */
interface Access {
  token: string
  expiresAt: number
}

/** A signed-in demo person: acts as in the browser, and stays signed in for any time. */
export class Person {
  readonly username: string
  readonly id: string
  readonly email: string
  private access: Access
  private renewal: Promise<Access> | undefined

  constructor(username: string, access: Access, me: { id: string; email: string }) {
    this.username = username
    this.access = access
    this.id = me.id
    this.email = me.email
  }

  async send<T = any>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer<T>> {
    return send<T>(method, path, { token: await this.token(), body, headers })
  }

  /** The access token, renewed shortly before it expires. A failed renewal is retried at the next request. */
  private async token(): Promise<string> {
    if (Date.now() > this.access.expiresAt - RENEWED_BEFORE_MS) {
      this.renewal ??= accessOf(this.username).finally(() => (this.renewal = undefined))
      this.access = await this.renewal
    }
    return this.access.token
  }

  /** As `send`, but anything other than a success fails the test with the problem's text. */
  async ok<T = any>(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<T> {
    const answer = await this.send<T>(method, path, body, headers)
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${said(answer.body)}`)
    return answer.body
  }

  /** The bytes of an endless response, such as server-sent events. */
  async stream(path: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    const answer = await fetch(stack().url + path, {
      headers: { authorization: `Bearer ${await this.token()}` },
      signal,
    })
    if (!answer.ok || !answer.body) throw new Error(`${path}: ${answer.status}`)
    return answer.body
  }

  /** A file's bytes; with a body it is posted for. */
  async bytes(path: string, body?: object): Promise<Buffer> {
    const headers = { authorization: `Bearer ${await this.token()}`, 'content-type': 'application/json' }
    const posted = body && { method: 'POST', body: JSON.stringify(body) }
    const answer = await fetch(stack().url + path, { headers, ...posted })
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
    return Buffer.from(await answer.arrayBuffer())
  }

  get<T = any>(path: string): Promise<T> {
    return this.ok<T>('GET', path)
  }

  /** Starts a case; `key` repeats the same request. */
  submit(flow: string, data: object, key: string = randomUUID()): Promise<Case> {
    return this.ok('POST', '/api/cases', { flow, data }, { 'idempotency-key': key })
  }

  /** The open task of a case that this person may act on, once it exists. */
  task(of: Case, desk?: string): Promise<any> {
    return until(`a task of ${of.reference} for ${this.username}${desk ? ` at ${desk}` : ''}`, async () => {
      const { items } = await this.get(`/api/tasks?search=${of.reference}&limit=50`)
      return items.find((t: any) => t.caseId === of.id && t.state === 'open' && (!desk || t.desk === desk))
    })
  }

  /** Decides the next task of a case that waits for this person. */
  async decides(of: Case, outcome: string, more: object = {}, desk?: string): Promise<{ state: string }> {
    const task = await this.task(of, desk)
    return this.ok('POST', `/api/tasks/${task.id}/complete`, { data: { outcome, ...more } })
  }

  withdraws(of: Case, reason = 'The plans have changed'): Promise<unknown> {
    return this.ok('POST', `/api/cases/${of.id}/withdraw`, { reason })
  }
}

/** A refusal explains itself; a fault's cause is only in the log. */
function said(body: any): string {
  const cause = body.code === 'platform.fault' ? `\n${logged(body.reference)}` : ''
  return JSON.stringify(body) + cause
}

const signedIn = new Map<string, Promise<Person>>()

/** Signs in a demo person (once per test file). */
export function as(username: string): Promise<Person> {
  const key = `${stack().url} ${username}`
  const known = signedIn.get(key)
  if (known) return known
  const person = signIn(username)
  signedIn.set(key, person)
  // A sign-in that failed because a part was down may be retried.
  person.catch(() => signedIn.delete(key))
  return person
}

/** Signs in somebody with the demo accounts' password. */
export async function signIn(username: string): Promise<Person> {
  const access = await accessOf(username)
  const me = await send('GET', '/api/me', { token: access.token })
  if (me.status !== 200) throw new Error(`${username} cannot be read: ${me.status} ${JSON.stringify(me.body)}`)
  return new Person(username, access, me.body)
}

async function accessOf(username: string): Promise<Access> {
  const body = new URLSearchParams({ grant_type: 'password', username, password: PASSWORD })
  const answer = await send('POST', '/api/auth/token', { body })
  if (answer.status !== 200)
    throw new Error(`${username} cannot sign in: ${answer.status} ${JSON.stringify(answer.body)}`)
  return { token: answer.body.access_token, expiresAt: Date.now() + answer.body.expires_in * 1000 }
}

/** A second management assistant at the Department of Western Music, beside the demo one. */
export async function anAssistant(): Promise<string> {
  const admin = await as('admin')
  const name = `Assistant ${Date.now().toString(36)}`
  const reason = 'Helps out'
  const email = `${name.replace(' ', '.')}@example.org`
  const { id } = await admin.ok('POST', '/api/people', { name, email, reason })
  const { items } = await admin.get('/api/registers/platform/department/items?search=Western')
  const scope = { kind: 'department', id: items[0].id }
  await admin.ok('POST', `/api/people/${id}/grants`, { role: 'MA', scope, reason })
  return name
}
