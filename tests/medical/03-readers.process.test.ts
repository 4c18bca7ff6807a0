import { beforeAll, expect, test } from '@jest/globals'
import { asOwner } from '../platform/kit/owner.ts'
import { as, type Person, send } from '../platform/kit/people.ts'
import { day } from '../platform/kit/days.ts'

/** Answers that do not end, and the sign-ins of demo people. */
const LEFT_OUT = ['/api/events', '/api/demo']
/** Requests at the same time. */
const AT_ONCE = 8
/** What only encrypted fields hold, one for each register of them. */
const MARKS = ['Feather syndrome of violins', 'Intolerance of trumpets', 'Take with moonlight twice']

/** Who sees everything, leads, works with the patient's papers, or is the patient. */
const OUTSIDERS = [
  ...['admin', 'sa', 'auditor', 'registrar', 'dean.music', 'hod.music', 'hr.ar', 'ar.examinations', 'ma.examinations'],
  ...['head.welfare', 'ma.music', 'lecturer.perera', 'finance', 'transport.head', 'head.information-technology'],
  'student.kavindi',
]

let doctor: Person, admin: Person
/** What is asked of every operation that reads: with every register, every medical entry, and searches for the marks. */
let asked: string[]

beforeAll(async () => {
  ;[doctor, admin] = await Promise.all([as('doctor.mohan'), as('admin')])
  const post = (register: string, data: object) =>
    doctor.ok('POST', `/api/registers/medical/${register}/items`, { data })
  const { id: patient } = await doctor.ok('POST', '/api/medical/arrivals', { shown: 'SC-2025-000104' })
  const at = `/api/registers/medical/patient/items/${patient}`
  const record = await doctor.get(at)
  await doctor.ok('PUT', at, { data: { ...record.data, allergies: MARKS[1] } }, { 'if-match': `"${record.version}"` })
  const first = async (register: string) => (await doctor.get(`/api/registers/medical/${register}/items`)).items[0].id
  const checkup = await post('checkup', {
    ...{ patient, visited_on: day(0), complaint: 'Pain', diagnosis: MARKS[0] },
    diagnosis_group: await first('diagnosis-group'),
  })
  const prescription = await post('prescription', {
    ...{ patient, prescribed_on: day(0), advice: MARKS[2] },
    lines: [{ item: await first('item'), units: 1 }],
  })
  const entries = [
    { id: patient, register: 'medical/patient' },
    { id: checkup.id, register: 'medical/checkup' },
    { id: prescription.id, register: 'medical/prescription' },
  ]
  const registers = ['patient', 'checkup', 'prescription', 'statistics', 'item', 'batch'].map((one) => `medical/${one}`)
  const { body } = await send<{ paths: Record<string, { get?: { parameters?: Parameter[] } }> }>(
    'GET',
    '/api/openapi.json',
  )
  asked = Object.entries(body.paths)
    .filter(([path, { get }]) => get && !LEFT_OUT.includes(path))
    .flatMap(([path, { get }]) => {
      const searches = get!.parameters?.some(({ name }) => name === 'search') ?? false
      const filled = fill(path).flatMap((one) => withRequired(one, get!.parameters ?? []))
      return filled.flatMap((one) => [one, ...(searches && !one.includes('?') ? [searchOf(one, MARKS[0]!)] : [])])
    })

  function fill(path: string): string[] {
    const named = (register: string) => path.replace('{area}/{name}', register)
    if (!path.includes('{area}/{name}'))
      return path.includes('{') ? entries.map(({ id }) => path.replaceAll(/\{\w+\}/g, id)) : [path]
    if (!/\{(?!area|name)/.test(path)) return registers.map((register) => named(register))
    return entries.map((one) => named(one.register).replaceAll(/\{\w+\}/g, one.id))
  }
})

interface Parameter {
  in: string
  name: string
  required?: boolean
  schema: { type?: string; enum?: string[]; anyOf?: { const?: string; enum?: string[] }[]; format?: string }
}

/** The path with the queries that it cannot do without, once with each choice: exports in all their formats. */
function withRequired(path: string, parameters: readonly Parameter[]): string[] {
  const queries = parameters.filter((one) => one.in === 'query' && one.required)
  return queries.reduce(
    (paths, { name, schema }) => {
      const choices = schema.enum ?? schema.anyOf?.flatMap((one) => one.enum ?? one.const ?? [])
      const values = choices?.length ? choices : [VALUES[schema.format ?? name] ?? '1']
      return paths.flatMap((one) =>
        values.map((value) => `${one}${one.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}`),
      )
    },
    [path],
  )
}

/** Values of other required queries, by format or name. */
const VALUES: Record<string, string> = {
  date: day(0),
  'date-time': new Date().toISOString(),
  code: 'SC-2025-000104',
}

// The audit trail notes what an export was asked for, so those are not searched for the marks.
const searchOf = (path: string, mark: string) => `${path}?search=${encodeURIComponent(mark)}`

async function toldOf(who: Person): Promise<{ told: string[]; answered: number }> {
  const told: string[] = []
  let answered = 0
  for (let at = 0; at < asked.length; at += AT_ONCE)
    await Promise.all(
      asked.slice(at, at + AT_ONCE).map(async (path) => {
        // As bytes, because exports are no JSON.
        const text = await who.bytes(path).then(String, (error: Error) => {
          // Too many requests, or a fault, would hide an answer.
          if (/: (429|5\d\d)$/.test(error.message)) throw error
        })
        if (text === undefined) return
        answered += 1
        // A list repeats what was searched for; nothing else may.
        if (MARKS.some((mark) => text.includes(mark) && !path.endsWith(encodeURIComponent(mark)))) told.push(path)
      }),
    )
  return { told, answered }
}

test('through no operation does anybody but doctors and nurses read a medical field: not who sees everything, the audit or the patient', async () => {
  const own = await toldOf(doctor)
  expect(own.told.length).toBeGreaterThanOrEqual(3)
  for (const name of OUTSIDERS) {
    const { told, answered } = await toldOf(await as(name))
    expect([name, told]).toEqual([name, []])
    expect(answered).toBeGreaterThan(30)
  }
}, 120_000)

test('exports of the audit trail hold that fields were read, and none of their values', async () => {
  const entries = await asOwner<{ action: string }>(
    `select distinct e.action from app.audit_payload p join app.audit_entry e on e.id = p.entry_id
       where p.payload::text ~ $1`,
    [MARKS.join('|')],
  )
  // What the auditor searched for in the test before is noted; nothing else holds a mark.
  expect(entries.filter(({ action }) => action !== 'audit.searched')).toEqual([])
  for (const path of ['/api/registers/medical/patient/items', '/api/registers/medical/checkup/items'])
    expect([path, (await admin.send('GET', path)).status]).toEqual([path, 404])
})

test('no column of the database or the engine holds a medical field as text: no mail, document, task, variable or version', async () => {
  const columns = await asOwner<{ schema: string; name: string; column: string; bytes: boolean }>(
    `select c.table_schema as schema, c.table_name as name, c.column_name as column, c.data_type = 'bytea' as bytes
       from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
       where t.table_type = 'BASE TABLE' and c.table_schema not in ('pg_catalog', 'information_schema')
         and c.data_type in ('text', 'character varying', 'jsonb', 'json', 'bytea', 'ARRAY')`,
  )
  expect(columns.map(({ schema }) => schema)).toEqual(expect.arrayContaining(['app', 'engine']))
  expect(columns).toContainEqual({ schema: 'app', name: 'sealed_fields', column: 'sealed', bytes: true })
  const holding = columns.map(({ schema, name, column, bytes }) => {
    const found = MARKS.map((_, place) =>
      bytes
        ? `position(convert_to($${place + 1}::text, 'UTF8') in "${column}") > 0`
        : `position($${place + 1}::text in "${column}"::text) > 0`,
    )
    return `select '${schema}.${name}.${column}' as place where exists (
      select from "${schema}"."${name}" where ${found.join(' or ')})`
  })
  const rows = await asOwner<{ place: string }>(holding.join(' union all '), MARKS)
  // Somebody searched for the marks in the first test; the audit trail says so.
  const isSearch = ({ place }: { place: string }) => place.startsWith('app.audit_')
  expect(rows.filter((row) => !isSearch(row))).toEqual([])
}, 120_000)
