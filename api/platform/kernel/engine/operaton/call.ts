import { EngineFault, EngineRefusal } from '../port.ts'
import { inWordsOfMigration, inWordsOfTables } from './words.ts'

export interface OperatonOptions {
  /** Base address without `/engine-rest`. */
  url: string
  secret: string
  /** Replaceable, so that a test can lose an answer on its way. */
  fetch?: typeof fetch
  /** After so many milliseconds without an answer a call counts as doubtful. */
  timeout?: number
}

/** Asks the engine something over its REST interface. */
export type Call = (method: string, path: string, request?: Request) => Promise<unknown>

export interface Request {
  body?: object
  /** Without a user it is the product itself that acts. */
  command?: { commandId: string; user?: string; caseId?: string } | undefined
  /** Who acts, where it is no command. */
  operator?: string
  timeout?: number
  /** What a 404 means for this call. */
  absent?: EngineRefusal['reason']
  /** What it means that the model itself stands in the way; without it, that passes once somebody has mended the model. */
  model?: EngineRefusal['reason']
}

/** Where the engine answers, and the secret that it wants with each request. */
export function accessOf({ url, secret }: OperatonOptions): { baseUrl: string; headers: Record<string, string> } {
  return { baseUrl: `${url.replace(/\/$/, '')}/engine-rest`, headers: { 'X-Gateway-Secret': secret } }
}

/**
 * Speaks to the engine. Commands carry their id in `X-Command-Id`, which the engine module records in the engine's own
 * transaction; connections are kept alive by the runtime.
 */
export function callOf(options: OperatonOptions): Call {
  const { fetch: send = fetch, timeout = 30_000 } = options
  const { baseUrl, headers } = accessOf(options)
  return async (method, path, request = {}) => {
    try {
      const response = await send(baseUrl + path, {
        method,
        // Elsewhere the secret must not go.
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

/** Which command it is, who acts and for which case, as the engine module reads it. */
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

/** Answers whose meaning stands only in their text, in the order in which they are tried. */
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

/** How the engine words that a model has no way on for what a case knows: no way out, no answer of a condition or table. */
const ofModel =
  /ENGINE-(?:02|22)\d{3}|evaluating decision|DMN-\d{5}|FEEL|condition script|Unknown property|Error while evaluating/

/** How the engine words an execution whose parent is gone; it says so with 404. */
const TORN = 'ENGINE-03077'

/** What an answer other than 2xx means. Codes first: 1 lost race, 10000 deadlock, 10001 foreign key, 10002 too long. */
function refusalOrFault(status: number, text: string, { absent, model }: Pick<Request, 'absent' | 'model'>): Error {
  const { type = '', message = text, code = null } = parse(text)
  if (code === 1 || code === 10000 || code === 10001) return new EngineFault(message, { maybe: false, answered: true })
  // It read half of what another transaction wrote meanwhile; what it was asked for may well be there.
  if (message.includes(TORN)) return new EngineFault(message, { maybe: false, answered: true })
  if (code === 10002) return new EngineRefusal('bad-variable', message)
  const known = refusals.find(([pattern]) => pattern.test(`${type} ${message}`))
  if (known?.[1] === 'not-movable') return new EngineRefusal('not-movable', inWordsOfMigration(message))
  if (known) return new EngineRefusal(known[1], message)
  if (status === 404 && absent) return new EngineRefusal(absent, message)
  if (status === 400 && type === 'InvalidRequestException') return new EngineRefusal('bad-variable', message)
  if (model && ofModel.test(message)) return new EngineRefusal(model, inWordsOfTables(message))
  // Everything else may pass: a database that is away, a restart, a secret that is being changed, a defect in a model
  // that an operator repairs. A command that was sent before gives its id away here, too.
  return new EngineFault(`the engine answered ${status}: ${message}`, { maybe: status >= 500, answered: true })
}

function parse(text: string): { type?: string; message?: string; code?: number | null } {
  try {
    return JSON.parse(text) as object
  } catch (error) {
    // A proxy or a servlet container that speaks HTML: the text itself is the message.
    if (error instanceof SyntaxError) return {}
    throw error
  }
}

/** True if the request surely did not leave: nobody listened, or the name did not resolve. */
function neverSent(error: unknown): boolean {
  const { code, cause } = error as { code?: string; cause?: unknown }
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'UND_ERR_CONNECT_TIMEOUT') return true
  return cause !== undefined && neverSent(cause)
}
