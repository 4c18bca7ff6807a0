import { beforeAll, expect, test } from '@jest/globals'
import { join } from 'node:path'
import { known } from '../../api/platform/kernel/known.ts'
import type { FieldSchema } from '../../api/platform/model/definitions/register.ts'
import { loadLibrary } from '../../api/platform/model/library/library.ts'
import { asOwner } from '../platform/kit/owner.ts'
import { as, type Person, send } from '../platform/kit/people.ts'

/** Answers that do not end, and the sign-ins of demo people, which everybody reads while there are any. */
const LEFT_OUT = ['/api/events', '/api/demo']

const { flows, registers: definitions, reports } = loadLibrary(join(import.meta.dirname, '../..'))

interface Asked {
  path: string
  /** Of an operation that reads, though it is a POST: a preview, or a file that is only checked. */
  body?: object
}

/** What is asked of every operation that reads: its path with each id and register, and what narrows it to the student. */
let asked: Asked[]
/** What tells that an answer is about the student. */
let marks: string[]
/** Ids of the student, and of what is about them. */
let own: string[]
let admin: Person

beforeAll(async () => {
  admin = await as('admin')
})

/** The student with the most cases of those outside a unit, none of which that unit has anything to do with. */
async function studentOutside(unit: 'faculty' | 'department') {
  const [student] = await asOwner<{ id: string; account: string; data: Record<string, string> }>(
    `with music as (
       select f.id::text from app.register_item f where f.register = 'platform/faculty' and f.title = 'Faculty of Music'),
     ours as (
       select id from music where $1 = 'faculty'
       union select d.id::text from app.register_item d where d.register = 'platform/department'
         and case $1 when 'faculty' then d.data ->> 'faculty' in (select id from music)
           else d.title = 'Department of Western Music' end)
     select i.id, a.id as account, i.data from app.account a join app.register_item i on i.id = a.record_id
       where i.register = 'platform/student' and i.data ->> 'nic' is not null
         and case $1 when 'faculty' then i.data ->> 'faculty' not in (select id from music)
           else i.data ->> 'faculty' in (select id from music) and i.data ->> 'department' not in (select id from ours) end
         and not exists (
           select from app.flow_case c cross join jsonb_each_text(c.scope) s
           where c.requester_id = a.id and s.value in (select id from ours))
       order by (select count(*) from app.flow_case c where c.requester_id = a.id) desc limit 1`,
    [unit],
  )
  return known(student, 'a student')
}

/** Gathers what is asked about a student. */
async function askAbout({ id, account, data }: Awaited<ReturnType<typeof studentOutside>>): Promise<void> {
  marks = ['reg_no', 'full_name', 'nic', 'email'].map((name) => known(data[name], name))
  const entries = await asOwner<{ id: string; register: string }>(
    `select i.id, i.register from app.register_item i
       where i.id = $1 or exists (select from app.register_reference r where r.item_id = i.id and r.target_id = $1)`,
    [id],
  )
  // Of each kind of thing about the student the newest.
  const things = await asOwner<{ id: string; of: string }>(
    `with own as (select id from app.flow_case where requester_id = $1 order by created_at desc limit 3)
     (select id::text, 'cases' as of from own) union
     (select id, 'tasks' from app.task where case_id in (select id from own) order by created_at desc limit 2) union
     (select id::text, 'documents' from app.document where case_id in (select id from own) order by issued_at desc limit 1) union
     (select file_id::text, 'files' from app.case_file where case_id in (select id from own) limit 1)`,
    [account],
  )
  own = [id, account, ...entries.map((one) => one.id), ...things.map((one) => one.id)]
  // What a flow is opened for: the intake, the batch, and every set-up that names one of them.
  const opened = await asOwner<{ id: string }>(
    `select i.id from app.register_item i where i.id::text in ($1, $2) or exists (
       select from app.register_reference r where r.item_id = i.id and r.target_id::text in ($1, $2)
         and i.register like '%setup')`,
    [data['intake'], data['batch']],
  )
  const batches = [...flows].flatMap(([flow, { manifest }]) => (manifest.batch ? [flow] : []))
  expect([opened.length > 0, batches.length > 0]).toEqual([true, true])
  /** Of a path about cases, tasks, documents or files those of the student; of any other everything. */
  const idsFor = (path: string) => {
    const [, , kind] = path.split('/')
    const wanted = things.filter(({ of }) => of === kind)
    return [id, account, ...(wanted.length > 0 ? wanted : things).map((one) => one.id)]
  }
  const { items: registers } = await admin.get<{ items: { register: string }[] }>('/api/registers')
  const { body } = await send<{ paths: Record<string, { get?: Operation }> }>('GET', '/api/openapi.json')
  const gets = Object.entries(body.paths)
    .filter(([path, { get }]) => get && !LEFT_OUT.includes(path))
    .flatMap(([path, { get }]) => {
      const searches = get!.parameters?.some(({ name }) => name === 'search') ?? false
      const sought = ['full_name', 'reg_no', 'nic'].map((name) => `?search=${encodeURIComponent(data[name]!)}`)
      return fill(path).flatMap((one) => [
        ...(searches && isSearched(one) ? ['', ...sought] : ['']).map((search) => one + search),
        ...narrowed(one).map((query) => `${one}?${query}`),
      ])
    })
  asked = [...gets.map((path) => ({ path })), ...previews()]

  /** Queries that narrow a list or report to the student, their intake or their faculty; what refuses them tells so. */
  function narrowed(path: string): string[] {
    const [, , kind, area, name, what] = path.split('/')
    const key = `${area}/${name}`
    const ids: Record<string, string | undefined> = {
      ...{ 'platform/student': id, 'intakes/intake': data['intake'], 'batches/batch': data['batch'] },
      'platform/faculty': data['faculty'],
    }
    const by = (schema: FieldSchema | undefined, names: readonly string[]) =>
      names.flatMap((field) => {
        const named = ids[schema?.properties?.[field]?.['x-register'] ?? '']
        return named === undefined ? [] : [`filter.${field}=${named}`]
      })
    if (kind === 'reports' && what === undefined) {
      const filter = reports.get(key)?.filter
      return by(filter, Object.keys(filter?.properties ?? {}))
    }
    if (kind !== 'registers' || what !== 'items' || path.split('/').length !== 6) return []
    const register = definitions.get(key)
    const fields = by(
      register?.item,
      (register?.filters ?? []).map((pointer) => pointer.slice(1)),
    )
    if (key !== 'platform/student') return fields
    const intake = `filter.intake=${data['intake']}`
    return [
      ...fields,
      `search=${data['nic']}&whole=true`,
      ...(register?.related ?? []).flatMap((one) => (one.wanted ? [`${intake}&lacks=${one.register}`] : [])),
      ...[...flows].flatMap(([flow, { manifest }]) =>
        manifest.requester?.register === key ? [`${intake}&casesOf=${flow}&caseStatus=none`] : [],
      ),
    ]
  }

  /** What is shown before something is begun, sent or imported, about the student. */
  function previews(): Asked[] {
    const choices = [{ ids: [id] }, { search: data['full_name'] }, { filters: { intake: data['intake'] } }]
    const chosen = (kind: string, member: 'gathers' | 'entries') =>
      [...flows].flatMap(([flow, { manifest }]) =>
        manifest[member] ? choices.map((choice) => ({ path: `/api/${kind}/${flow}/preview`, body: { choice } })) : [],
      )
    const tasks = things.flatMap((one) => (one.of === 'tasks' ? [one.id] : []))
    const kinds = tasks.length === 0 ? [] : ['claim', 'complete', 'assign', 'release']
    return [
      ...chosen('gathered-cases', 'gathers'),
      ...chosen('entry-batches', 'entries'),
      ...kinds.map((kind) => ({ path: '/api/bulk/preview', body: { kind, tasks } })),
      // A file names the student by the number alone; the answer repeats that, and says no more.
      ...[...definitions.keys()].filter(namesStudents).map((register) => ({
        path: `/api/registers/${register}/imports`,
        body: { csv: `student,reg_no\n${data['reg_no']},${data['reg_no']}\n`, commit: false },
      })),
    ]
  }

  /** The paths of an operation: with each register, or each entry or thing about the student. */
  function fill(path: string): string[] {
    const named = (key: string) => path.replace('{area}/{name}', key)
    const each = (key: string, item: string) => path.replace(/\{area\}\/\{\w+\}/, key).replaceAll(/\{\w+\}/g, item)
    if (path.startsWith('/api/batches/{area}/{flow}'))
      return batches.flatMap((flow) => opened.map((one) => each(flow, one.id)))
    if (path.startsWith('/api/reports/{area}/{name}')) return [...reports.keys()].map((report) => each(report, id))
    if (path.includes('{area}/{name}'))
      return /\{(?!area|name)/.test(path)
        ? entries
            .filter((one) => isKept(path, one.register))
            .map((one) => named(one.register).replaceAll(/\{\w+\}/g, one.id))
        : registers.filter((one) => isKept(path, one.register)).map(({ register }) => named(register))
    return path.includes('{') ? idsFor(path).map((one) => path.replaceAll(/\{\w+\}/g, one)) : [path]
  }
}

/** Whether an entry of a register is, or names, a student. */
const namesStudents = (register: string) =>
  register === 'platform/student' ||
  Object.values(definitions.get(register)?.item.properties ?? {}).some(
    (field) => field['x-register'] === 'platform/student',
  )

/** Whether a register has what the path is about: only some keep stock. */
const isKept = (path: string, register: string) =>
  !path.startsWith('/api/stock') || definitions.get(register)?.stock !== undefined

/** Visitors cannot search a register that they are refused. */
const isSearched = (path: string) => {
  const [, , , , area, name] = path.split('/')
  return !path.startsWith('/api/public/registers') || definitions.get(`${area}/${name}`)?.public !== undefined
}

interface Operation {
  parameters?: { name: string }[]
}

/** Requests at the same time. */
const AT_ONCE = 6

/** The requests that tell somebody of the student, until there are enough, and how many were answered at all. */
async function toldOf(who: Person, enough = Infinity, requests = asked): Promise<{ told: string[]; answered: number }> {
  const told: string[] = []
  let answered = 0
  for (let at = 0; at < requests.length && told.length < enough; at += AT_ONCE)
    await Promise.all(
      requests.slice(at, at + AT_ONCE).map(async ({ path, body: sent }) => {
        const { status, body, headers } = await who.send(sent ? 'POST' : 'GET', path, sent)
        // Nobody is kept out by chance: too many requests, or a fault, would hide an answer.
        if (status === 429 || status >= 500) throw new Error(`${path}: ${status}`)
        if (status === 200) answered += 1
        const text = JSON.stringify(body)
        const repeated = JSON.stringify(sent ?? {})
        // A paper or a picture tells of them in a way that no search finds.
        const isFile = !/json|text/.test(headers.get('content-type') ?? '') && own.some((one) => path.includes(one))
        const tells = marks.some((mark) => !repeated.includes(mark) && text.includes(mark))
        if (tells || (status === 200 && isFile)) told.push(path)
      }),
    )
  return { told, answered }
}

test.each([
  ['faculty', 'ma.music'],
  ['department', 'ma.western-music'],
] as const)(
  'no answer tells the Management Assistant of another %s of a student',
  async (unit, name) => {
    await askAbout(await studentOutside(unit))
    expect((await toldOf(admin, 20)).told.length).toBeGreaterThanOrEqual(20)
    // Previews name only who is left out; that they answer at all is what counts here.
    const previewed = await toldOf(
      await as('head.welfare'),
      Infinity,
      asked.filter(({ body }) => body),
    )
    expect(previewed.answered).toBeGreaterThan(4)
    const { told, answered } = await toldOf(await as(name))
    expect(told).toEqual([])
    expect(answered).toBeGreaterThan(100)
  },
  300_000,
)
