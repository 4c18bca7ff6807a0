import { join, resolve } from 'node:path'
import { type JSONSchema, compile } from 'json-schema-to-typescript'
import { pino } from 'pino'
import { loadLibrary } from '../../model/library/library.ts'
import { formatted } from '../../kernel/formatted.ts'
import { fieldKeys } from '../../kernel/field-keys.ts'
import { vault } from '../../kernel/keys.ts'
import type { App } from '../../http/app.ts'
import { type Dependencies, buildApp } from './server.ts'

const root = resolve(import.meta.dirname, '../../../..')
const folder = 'web/platform/kernel/client'

interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, JSONSchema> }
}

interface Operation {
  operationId?: string
  summary?: string
  parameters?: { name: string; in: string; required?: boolean; schema: JSONSchema }[]
  requestBody?: { content: Record<string, { schema: JSONSchema }> }
  responses: Record<string, { content?: Record<string, { schema: JSONSchema }> }>
}

/** The API without its dependencies, only to inspect its routes. */
async function shape(): Promise<App> {
  const library = loadLibrary(root)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only routes are inspected, and nothing calls it
  const nothing = new Proxy({}, { get: (_, name) => (name === 'then' ? undefined : nothing) }) as never
  const deps: Dependencies = {
    db: nothing,
    pool: nothing,
    hub: nothing,
    tokens: nothing,
    definitions: nothing,
    cases: nothing,
    sender: nothing,
    engine: nothing,
    auditKey: nothing,
    auditMemory: nothing,
    tasks: nothing,
    store: nothing,
    readiness: nothing,
    watched: nothing,
    visible: nothing,
    library,
    rules: new Map(),
    vault: vault('only the shape of the API is looked at'),
    fieldKeys: fieldKeys(`shape:${'only-the-shape-is-looked-at'.padEnd(32, '.')}`),
    secondFactor: 'optional',
    trustProxy: false,
    publicUrl: 'http://localhost:4400',
    demo: true,
    web: join(root, 'web/no-pages'),
    log: pino({ level: 'silent' }),
  }
  const app = await buildApp(deps)
  await app.ready()
  return app
}

/** One interface per named schema, and one per operation for its request and responses. */
export async function apiClient(): Promise<Record<string, string>> {
  const app = await shape()
  // The document as served; our types fill in what OpenAPI's leave open.
  const document: Document = JSON.parse(JSON.stringify(app.swagger()))
  await app.close()
  const operations = Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ operationId, ...operation }) => (operationId === undefined ? [] : [{ ...operation, operationId }]))
    .toSorted((a, b) => (a.operationId < b.operationId ? -1 : 1))
  const taken = operations.map(({ operationId }) => capital(operationId))
  const twice = Object.keys(document.components.schemas).filter((name) => taken.includes(name))
  if (twice.length > 0) throw new Error(`an operation and a schema are both called ${twice.join(', ')}`)
  const types: string[] = []
  for (const [name, schema] of Object.entries(document.components.schemas)) types.push(await interfaceOf(name, schema))
  for (const operation of operations) types.push(await interfaceOf(capital(operation.operationId), wire(operation)))
  const banner = '// Made by `npm run generate` out of the routes of the API. Not to be edited.\n\n'
  const file = `${folder}/operations.generated.ts`
  return { [file]: await formatted(file, banner + types.join('\n')) }
}

/** An operation as one schema with `params`, `query`, `body` and `answer`, as far as they exist. */
function wire({ summary, parameters = [], requestBody, responses }: Operation): JSONSchema {
  const [answered] = Object.keys(responses)
    .filter((status) => status.startsWith('2'))
    .map((status) => responses[status])
  const parts: Record<string, JSONSchema | undefined> = {
    params: grouped(parameters.filter((one) => one.in === 'path')),
    query: grouped(parameters.filter((one) => one.in === 'query')),
    body: requestBody && Object.values(requestBody.content)[0]?.schema,
    answer: answered?.content?.['application/json']?.schema,
  }
  const there = Object.entries(parts).flatMap(([name, schema]): [string, JSONSchema][] =>
    schema === undefined ? [] : [[name, schema]],
  )
  return {
    type: 'object',
    description: summary,
    properties: Object.fromEntries(there),
    required: there.map(([name]) => name),
    additionalProperties: false,
  }
}

function grouped(parameters: NonNullable<Operation['parameters']>): JSONSchema | undefined {
  if (parameters.length === 0) return undefined
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  }
}

/** A schema as an interface; references become the names of components. */
function interfaceOf(name: string, schema: JSONSchema): Promise<string> {
  const plain: JSONSchema = JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => (key === '$id' || key === 'default' ? undefined : named(value))),
  )
  return compile(plain, name, { bannerComment: '', format: false, additionalProperties: false })
}

function named(value: unknown): unknown {
  const { $ref } = (value ?? {}) as { $ref?: unknown }
  return typeof $ref === 'string' ? { tsType: $ref.split('/').at(-1) } : value
}

function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}
