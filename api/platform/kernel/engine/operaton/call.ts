import { isObject } from '../../objects.ts'
import { EngineFault, EngineRefusal } from '../port.ts'
import { inWordsOfMigration, inWordsOfTables } from './words.ts'

export interface OperatonOptions {
  /** Base address without `/engine-rest`. */
  url: string
  secret: string
  /** Replaceable, so that tests can lose a response. */
  fetch?: typeof fetch
  /** Milliseconds without a response before the result counts as unknown. */
  timeout?: number
}

/** Calls the engine's REST API. The caller names the type that Operaton documents for the answer of the path. */
export type Call = <Answer>(method: string, path: string, request?: Request) => Promise<Answer>

export interface Request {
  body?: object
  /** Without a user, the system acts. */
  command?: { commandId: string; user?: string; caseId?: string } | undefined
  /** The acting user, if it is not a command. */
  operator?: string
  timeout?: number
  /** The refusal that a 404 means for this call. */
  absent?: EngineRefusal['reason']
  /** The refusal that a faulty model means; without it, the error is transient until somebody repairs the model. */
  model?: EngineRefusal['reason']
}

/** The engine's address, and the secret that every request needs. */
export function accessOf({ url, secret }: OperatonOptions): { baseUrl: string; headers: Record<string, string> } {
  return { baseUrl: `${url.replace(/\/$/, '')}/engine-rest`, headers: { 'X-Gateway-Secret': secret } }
}

/**
 * Calls the engine. A command's id is sent in `X-Command-Id`, and the engine module records it in the engine's own
 * transaction. The runtime keeps connections alive.
 */
export function callOf(options: OperatonOptions): Call {
  const { fetch: send = fetch, timeout = 30_000 } = options
  const { baseUrl, headers } = accessOf(options)
  return async (method, path, request = {}) => {
    try {
      const response = await send(baseUrl + path, {
        method,
        // Never send the secret to another address.
        redirect: 'error',
        headers: { ...headers, ...namesOf(request) },
        ...contentOf(request),
        signal: AbortSignal.timeout(request.timeout ?? timeout),
      })
      const text = await response.text()
      if (!response.ok) throw refusalOrFault(response.status, text, request)
      return text === '' ? undefined : JSON.parse(text)
    } catch (error) {
      if (error instanceof EngineRefusal || error instanceof EngineFault) throw error
      throw new EngineFault(`no answer to ${method} ${path}`, { cause: error, maybe: !neverSent(error) })
    }
  }
}

/** The command, acting user and case, as headers for the engine module. */
function namesOf({ body, command, operator }: Request): Record<string, string> {
  const user = command?.user ?? operator
  return {
    ...(body !== undefined && !(body instanceof FormData) && { 'Content-Type': 'application/json' }),
    ...(command && { 'X-Command-Id': command.commandId }),
    ...(user && { 'X-Auth-User': user }),
    ...(command?.caseId && { 'X-Case-Id': command.caseId }),
  }
}

function contentOf({ body }: Request): { body?: string | FormData } {
  if (body === undefined) return {}
  return { body: body instanceof FormData ? body : JSON.stringify(body) }
}

/** Errors that only their text identifies; the first match counts. */
const refusals: [RegExp, EngineRefusal['reason']][] = [
  [/ENGINE-03043 .*is suspended/, 'suspended'],
  [/Cannot find task with id/, 'task-gone'],
  [/no deployed process definition found with id|No matching process definition/, 'unknown-definition'],
  [/MismatchingMessageCorrelationException/, 'nothing-waits'],
  [/ENGINE-23003 |Cannot modify variables .* doesn't exist/s, 'instance-gone'],
  [/ENGINE-2300\d /, 'not-movable'],
  [/Could not parse|ParseException|ENGINE-0900[0-9]/, 'invalid-model'],
  [/by worker '.*'.*(?:is locked by worker|is not locked)/s, 'wrong-worker'],
]

/**
 * Error texts for a model that cannot continue with the case's data: no matching path, or no result of a condition or
 * table.
 */
const ofModel =
  /ENGINE-(?:02|22)\d{3}|evaluating decision|DMN-\d{5}|FEEL|condition script|Unknown property|Error while evaluating/

/** Error code for an execution whose parent is gone; it comes with status 404. */
const PARENT_GONE = 'ENGINE-03077'

/**
 * Maps a response other than 2xx. Error codes: 1 optimistic lock, 10000 deadlock, 10001 foreign key, 10002 too long.
 */
function refusalOrFault(status: number, text: string, { absent, model }: Pick<Request, 'absent' | 'model'>): Error {
  const { type = '', message = text, code = null } = parse(text)
  if (code === 1 || code === 10000 || code === 10001) return new EngineFault(message, { maybe: false, answered: true })
  // The engine read another transaction's incomplete writes, so the object may well exist.
  if (message.includes(PARENT_GONE)) return new EngineFault(message, { maybe: false, answered: true })
  if (code === 10002) return new EngineRefusal('bad-variable', message)
  const known = refusals.find(([pattern]) => pattern.test(`${type} ${message}`))
  if (known?.[1] === 'not-movable') return new EngineRefusal('not-movable', inWordsOfMigration(message))
  if (known) return new EngineRefusal(known[1], message)
  if (status === 404 && absent) return new EngineRefusal(absent, message)
  if (status === 400 && type === 'InvalidRequestException') return new EngineRefusal('bad-variable', message)
  if (model && ofModel.test(message)) return new EngineRefusal(model, inWordsOfTables(message))
  // Everything else may be transient: the database is down, a restart, a changed secret, a model that an operator
  // repairs. A repeated command is recognised by its id here too.
  return new EngineFault(`the engine answered ${status}: ${message}`, { maybe: status >= 500, answered: true })
}

function parse(text: string): { type?: string; message?: string; code?: number | null } {
  try {
    return JSON.parse(text)
  } catch (error) {
    // A proxy or servlet container that answers in HTML: the text is the message.
    if (error instanceof SyntaxError) return {}
    throw error
  }
}

/** True if the request was certainly not sent: connection refused, or the name did not resolve. */
function neverSent(error: unknown): boolean {
  if (!isObject(error)) return false
  const { code, cause } = error
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'UND_ERR_CONNECT_TIMEOUT') return true
  return cause !== undefined && neverSent(cause)
}
