import { beforeAll, expect, test } from '@jest/globals'
import { join } from 'node:path'
import { loadLibrary } from '../../api/platform/model/library/library.ts'
import { day } from '../platform/kit/days.ts'
import { asOwner } from '../platform/kit/owner.ts'
import { as, type Person, send } from '../platform/kit/people.ts'

/** Operations about the reader, visitors, diagrams or things: they name no student. */
const LEFT_OUT =
  /^\/api\/(auth|me|public|token-keys|notification|inbox|records|studio|stock|substitutions|task-links|files|flows|bookers|holds|medical|audit\/searches)\b/

const { flows, registers } = loadLibrary(join(import.meta.dirname, '../..'))

interface Schema {
  $ref?: string
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  format?: string
  minimum?: number
  minLength?: number
  required?: string[]
  properties?: Record<string, Schema>
  items?: Schema
}
interface Body {
  content: Record<string, { schema: Schema }>
}
interface Entry {
  id: string
  register: string
  version: number
  status: string
  data: Record<string, unknown>
}
interface Attempt {
  method: string
  path: string
  body?: unknown
  headers?: Record<string, string>
}

let student: string
let account: string
let entries: Entry[]
let attempts: Attempt[]

beforeAll(async () => {
  // Of another faculty than Music, with the most cases, and none that Music has anything to do with.
  const [found] = await asOwner<{ id: string; account: string }>(
    `with music as (
       select f.id::text from app.register_item f where f.register = 'platform/faculty' and f.title = 'Faculty of Music'
       union select d.id::text from app.register_item d join app.register_item f on f.id::text = d.data ->> 'faculty'
         where d.register = 'platform/department' and f.title = 'Faculty of Music')
     select i.id, a.id as account from app.account a join app.register_item i on i.id = a.record_id
       where i.register = 'platform/student' and i.data ->> 'faculty' not in (select id from music) and not exists (
         select from app.flow_case c cross join jsonb_each_text(c.scope) s
         where c.requester_id = a.id and s.value in (select id from music))
       order by (select count(*) from app.task t join app.flow_case c on c.id = t.case_id
         where c.requester_id = a.id and t.state = 'open') desc, (select count(*) from app.flow_case c where c.requester_id = a.id) desc
       limit 1`,
  )
  ;({ id: student, account } = found!)
  entries = await asOwner<Entry>(
    `select i.id, i.register, i.version, i.status, i.data from app.register_item i
       where i.id = $1 or exists (select from app.register_reference r where r.item_id = i.id and r.target_id = $1)`,
    [student],
  )
  const things = await asOwner<{ kind: string; id: string }>(
    `with own as (select id from app.flow_case where requester_id = $1 order by created_at desc limit 4)
     select 'cases' as kind, id::text from own union all
     select 'tasks', t.id from app.task t where t.case_id in (select id from own) union all
     select 'grants', g.id::text from app.role_grant g where g.account_id = $1 union all
     select 'comments', c.id::text from app.case_comment c where c.case_id in (select id from own)`,
    [account],
  )
  const idsOf = (kind: string) => things.filter((one) => one.kind === kind).map(({ id }) => id)
  const { body } = await send<{
    paths: Record<string, Record<string, { requestBody?: Body }>>
    components: { schemas: Record<string, Schema> }
  }>('GET', '/api/openapi.json')

  /** The smallest value that a schema takes; ids are the student's. */
  function sample(given: Schema, name = ''): unknown {
    const schema = given.$ref ? body.components.schemas[given.$ref.split('/').at(-1)!]! : given
    if (schema.const !== undefined) return schema.const
    if (schema.enum) return schema.enum[0]
    if (schema.anyOf) return sample(schema.anyOf[0]!, name)
    if (schema.type === 'boolean') return true
    if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 1
    if (schema.type === 'array') return schema.items ? [sample(schema.items, name)] : []
    if (schema.type === 'object' || schema.properties) {
      const required = Object.entries(schema.properties ?? {}).filter(([key]) => schema.required?.includes(key))
      return Object.fromEntries(required.map(([key, one]) => [key, sample(one, key)]))
    }
    if (schema.format === 'uuid') return name === 'to' ? account : student
    if (schema.format === 'date-time') return new Date(Date.now() + 86_400_000).toISOString()
    if (schema.format === 'date') return '2027-01-04'
    return 'Tried by another faculty'.padEnd(schema.minLength ?? 0, '.')
  }

  // What a preview shows is asked beside what lists show; it writes nothing.
  const wanted = (path: string) => !LEFT_OUT.test(path) && !path.endsWith('/preview')
  attempts = Object.entries(body.paths)
    .filter(([path]) => wanted(path))
    .flatMap(([path, operations]) =>
      Object.entries(operations)
        .filter(([method]) => ['post', 'put', 'patch', 'delete'].includes(method))
        // Who looks at a task says when they stop; nothing of others is removed.
        .filter(([method]) => method !== 'delete' || !path.endsWith('/presence'))
        .flatMap(([method, { requestBody }]) => {
          const schema = requestBody?.content['application/json']?.schema
          return filled(path).map((one): Attempt => {
            const given = one.entry ? ofEntry(path, one.entry) : ofChoice(path)
            const value = given?.body ?? (schema && sample(schema))
            return {
              method: method.toUpperCase(),
              path: one.path,
              ...(value !== undefined && { body: value }),
              ...(given?.headers && { headers: given.headers }),
            }
          })
        }),
    )
  // What names the student in its body alone.
  attempts.push(
    { method: 'POST', path: '/api/students/password-links', body: { items: [student] } },
    {
      method: 'POST',
      path: '/api/cases',
      body: {
        flow: 'intakes/status-change',
        data: {
          ...{ kind: 'Status', becomes: 'suspended', faculty: entryOf('platform/student').data['faculty'] },
          ...{ students: [{ student }], effective_on: day(0), reason: 'Tried' },
        },
      },
    },
  )

  /** The paths of an operation, with each of the student's entries or things. */
  function filled(path: string): { path: string; entry?: Entry }[] {
    if (path.startsWith('/api/registers/{area}/{name}'))
      return entries.map((entry) => ({
        path: path.replace('{area}/{name}', entry.register).replaceAll(/\{\w+\}/g, entry.id),
        entry,
      }))
    const [, kind = ''] = /^\/api\/(\w+)\//.exec(path) ?? []
    if (path.includes('{area}'))
      return flowsOf(path).map((flow) => ({
        path: path.replace('{area}/{flow}', flow).replaceAll(/\{\w+\}/g, student),
      }))
    const ids = idsOf(kind)
    if (!path.includes('{')) return [{ path }]
    return (ids.length > 0 ? ids : [account, student]).map((id) => ({ path: path.replaceAll(/\{\w+\}/g, id) }))
  }

  /** The flows that have what an operation begins. */
  function flowsOf(path: string): string[] {
    const [, , kind = ''] = path.split('/')
    const has: Record<string, 'gathers' | 'entries' | 'batch'> = {
      'gathered-cases': 'gathers',
      'entry-batches': 'entries',
      batches: 'batch',
    }
    const member = has[kind]
    if (member === undefined) return ['students/registration']
    return [...flows].flatMap(([flow, { manifest }]) => (manifest[member] ? [flow] : []))
  }

  /** The student alone, where somebody chooses entries of a list. */
  function ofChoice(path: string): Pick<Attempt, 'body' | 'headers'> | undefined {
    const choice = { ids: [student] }
    if (path.startsWith('/api/gathered-cases')) return { body: { choice, stamp: 'Tried', data: {} } }
    return /^\/api\/entry-batches\/[^/]*\/[^/]*$/.test(path) ? { body: { choice, stamp: 'Tried' } } : undefined
  }

  function ofEntry(path: string, { id, version, status, data, register }: Entry): Pick<Attempt, 'body' | 'headers'> {
    const headers = { 'if-match': `"${version}"` }
    if (path.endsWith('/items')) return { body: { data } }
    if (path.endsWith('/items/{id}')) return { body: { data }, headers }
    if (path.endsWith('/status')) {
      const other = registers.get(register)!.statuses.find((one) => one !== status)
      return { body: { status: other }, headers }
    }
    if (path.endsWith('/sheet.pdf')) return { body: { items: [id] } }
    if (path.endsWith('/imports')) {
      const names = Object.keys(data).filter((name) => typeof data[name] === 'string')
      return { body: { csv: `${names.join(',')}\n${names.map((name) => data[name]).join(',')}`, commit: true } }
    }
    return {}
  }
})

const entryOf = (register: string) => entries.find((one) => one.register === register)!

/** How everything of the student stands. */
async function stand(): Promise<unknown> {
  const [found] = await asOwner<{ now: unknown }>(
    `with own as (select id, version, status, state from app.flow_case where requester_id = $2)
     select jsonb_build_object(
       'entries', (select jsonb_agg(jsonb_build_array(i.id, i.version, i.status) order by i.id) from app.register_item i
         where i.id = $1 or exists (select from app.register_reference r where r.item_id = i.id and r.target_id = $1)),
       'cases', (select jsonb_agg(to_jsonb(own) order by id) from own),
       'tasks', (select jsonb_agg(jsonb_build_array(t.id, t.version, t.state) order by t.id) from app.task t
         where t.case_id in (select id from own)),
       'comments', (select count(*) from app.case_comment c where c.case_id in (select id from own)),
       'grants', (select jsonb_agg(jsonb_build_array(g.id, g.ends_at) order by g.id) from app.role_grant g
         where g.account_id = $2)) as now`,
    [student, account],
  )
  return found!.now
}

/** The attempts that succeed. */
async function succeeding(who: Person, tried: readonly Attempt[]): Promise<string[]> {
  const done: string[] = []
  for (const { method, path, body, headers } of tried) {
    const { status, body: answer } = await who.send(method, path, body, headers)
    // Nobody is kept out by chance: too many requests, or a fault, would hide an answer.
    if (status === 429 || status >= 500) throw new Error(`${method} ${path}: ${status}`)
    // A file is read and answered with what is wrong in it.
    if (status < 300 && answer?.added !== 0) done.push(`${method} ${path}`)
  }
  return done
}

test('nothing of a student is written by the Management Assistant of another faculty or department', async () => {
  expect(attempts.length).toBeGreaterThan(100)
  const before = await stand()
  for (const name of ['ma.music', 'ma.western-music'])
    expect([name, await succeeding(await as(name), attempts)]).toEqual([name, []])
  expect(await stand()).toEqual(before)
  // The same requests, of which these harm nothing, succeed for an administrator.
  const harmless = attempts.filter(
    ({ method, path }) =>
      (method === 'PUT' && path.startsWith('/api/registers/')) ||
      path.endsWith('/comments') ||
      path.endsWith('password-links'),
  )
  expect((await succeeding(await as('admin'), harmless)).length).toBeGreaterThanOrEqual(5)
})
