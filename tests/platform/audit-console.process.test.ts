import { beforeAll, expect, test } from '@jest/globals'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { resourceBooking } from '../../processes/resource-reservation/resource-booking.generated.ts'
import { aBooking, aFreeRoom, BOOKING } from '../resource-reservation/booking.ts'
import { clock, idle } from './kit/clock.ts'
import { asOwner } from './kit/owner.ts'
import { as, type Case, type Person } from './kit/people.ts'
import { until } from './kit/poll.ts'

const { desks } = resourceBooking
const root = join(import.meta.dirname, '../..')

let auditor: Person, head: Person, student: Person
let booking: Case
/** When the head returned it and when it was corrected. */
let moments: any[]
/** The head's second task, and the date until which the head put off its end. */
let postponed: { id: string; dueAt: string }

beforeAll(async () => {
  ;[auditor, student] = await Promise.all([as('auditor'), as('student.yalini')])
  const room = await aFreeRoom()
  head = await as(room.head)
  const form = aBooking(room)
  booking = await student.submit(BOOKING, form)
  await head.decides(booking, 'return', { reason: 'Who leads it?', return_to: 'requester' })
  const task = await student.task(booking, desks.correct)
  await student.ok('POST', `/api/tasks/${task.id}/complete`, { data: { ...form, event: 'Evening of drums, led' } })
  const again = await head.task(booking)
  postponed = { id: again.id, dueAt: new Date(Date.now() + 9 * 86_400_000).toISOString() }
  const reason = 'The hall is being painted'
  await head.ok('POST', `/api/tasks/${again.id}/due`, { at: postponed.dueAt, reason })
  moments = (await auditor.get(`/api/audit/cases/${booking.id}/moments`)).items
})

const then = (at?: string) =>
  auditor.get(`/api/audit/cases/${booking.id}${at === undefined ? '' : `?at=${encodeURIComponent(at)}`}`)

test('a case is shown as it was before and after its correction: data, assignee, path, tables, versions, readers', async () => {
  const returned = moments.find(({ text }) => text.includes('decided'))
  expect(returned).toMatchObject({
    reason: 'Who leads it?',
    authority: expect.stringMatching(/^HOD, /),
    by: { id: head.id },
  })
  const [before, after] = [await then(returned.at), await then()]
  const event = (of: any) => of.data.find(({ field }: any) => field === '/event').value
  expect([event(before), event(after)]).toEqual(['Evening of Kandyan drums', 'Evening of drums, led'])
  expect([before.title, after.title]).toEqual([
    expect.stringContaining('Evening of Kandyan drums'),
    expect.stringContaining('Evening of drums, led'),
  ])
  expect(before.tasks.map(({ desk, state }: any) => [desk, state])).toEqual([[desks.approveByHead, 'decided']])
  expect(after.tasks.map(({ state }: any) => state)).toEqual(['decided', 'decided', 'open'])
  // The outcome without the button's dots, which only announce the question for a reason.
  expect(after.tasks[0].outcome).toBe('Return')
  const said = before.submissions.at(-1).fields.map(({ label, value }: any) => [label, value])
  expect(said).toEqual([
    ['Return to', 'The requester'],
    ['Reason', 'Who leads it?'],
    ['Decision', 'Return'],
  ])
  expect(after.path.present).toContain(desks.approveByHead)
  expect(before.path.visited.length).toBeLessThan(after.path.visited.length)
  const corrected = after.submissions.find(({ changes }: any) => changes?.length > 0)
  expect(corrected.changes).toEqual([
    { field: '/event', label: expect.any(String), before: 'Evening of Kandyan drums', after: 'Evening of drums, led' },
  ])
  expect(before.submissions.some(({ changes }: any) => changes?.length > 0)).toBe(false)
  const approver = after.elements.find(({ element }: any) => element === desks.approveByHead)
  expect(approver).toMatchObject({ passes: 2 })
  expect(after.decisions.length).toBeGreaterThan(0)
  expect(after.decisions[0].rows[0].inputs[0]).toEqual({ name: expect.any(String), value: expect.any(String) })
  expect(after.versions.model.definitionId).toContain('booking')
  expect(after.versions.forms.map(({ key }: any) => key)).toContain('resource-reservation/booking-request')
  expect(after.mails.some(({ recipient }: any) => recipient === student.email)).toBe(true)
  expect((await then(moments[0].at)).mails).toEqual([])
  // A reader of a NIC is among the readers.
  expect(after.data.find(({ field }: any) => field === '/poc_nic')).toMatchObject({ sensitive: true })
  expect((await then()).readers.map(({ by }: any) => by.name)).toContain((await auditor.get('/api/me')).name)
})

test('a desk that a table row left out is reported, with the row', async () => {
  const { items } = await auditor.get('/api/audit/reports/skipped-desks')
  // Without a recommender, a hall skips that desk.
  expect(items.filter(({ caseId }: any) => caseId === booking.id)).toMatchObject([
    { action: 'desk.skipped', desk: { key: desks.recommend }, reason: expect.stringMatching(/\w/) },
  ])
})

test('acts of the system and fields read are named as in diagram and form; a desk names a role once', async () => {
  await head.decides(booking, 'approve')
  const checked = await until('the case is at the next desk', async () =>
    (await then()).tasks.find(({ desk }: any) => desk === desks.checkByMA),
  )
  expect(checked.roles).toEqual([...new Set(checked.roles)])
  const said = async (action: string) => {
    const { items } = await auditor.get(`/api/audit/entries?reference=${booking.reference}&action=${action}`)
    return items.map(({ text }: any) => text)
  }
  await until('what the workers did is sealed', async () => (await said('worker.completed')).length > 0)
  expect(await said('worker.completed')).toContain('Done by the system: Booker told what to correct')
  expect((await said('sensitive.read')).join()).toMatch(/read sensitive fields: .*NIC/)
})

test('a case is compared with its sealed entries: data forged, removed or added in the database is named', async () => {
  const wrongOf = ({ unlike }: any) => unlike.filter(({ how }: any) => how === 'differs' || how === 'missing')
  await until('what the engine told is sealed', async () => (await then()).tasks.length > 3)
  const whole = await then()
  expect(wrongOf(whole)).toEqual([])
  // Values without an entry are reported as such.
  expect(whole.unlike).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ part: 'mails', how: 'unsealed', text: 'Never sealed: emails' }),
      expect.objectContaining({ part: 'decisions', how: 'unsealed' }),
    ]),
  )
  for (const part of ['sent', 'tasks', 'titles', 'dues', 'times', 'case', 'steps'])
    expect(whole.unlike.filter((one: any) => one.part === part)).toEqual([])

  const owner = (statement: string) => asOwner(`set session_replication_role = replica; ${statement}`)
  /** The report after a direct change of a table's rows. */
  const after = async (table: string, of: string, does: string) => {
    await owner(`create table app.was as select * from app.${table} where ${of}; ${does}`)
    try {
      return (await then()).unlike
    } finally {
      // Generated columns are not restored.
      await owner(`delete from app.${table} where ${of};
        do $$ declare kept text := (select string_agg(quote_ident(column_name), ', ') from information_schema.columns
          where table_schema = 'app' and table_name = '${table}' and is_generated = 'NEVER');
        begin
          execute format('insert into app.${table} (%1$s) overriding system value select %1$s from app.was', kept);
        end $$; drop table app.was`)
    }
  }
  const own = `case_id = '${booking.id}'`
  const [sent] = whole.submissions
  const approver = whole.tasks.find(({ desk, state }: any) => desk === desks.approveByHead && state === 'decided')
  const first = `${own} and element = '${desks.approveByHead}'`
  const other = await as('auditor')
  const forged: [table: string, of: string, does: string, told: object][] = [
    [
      ...(['submission', own] as const),
      `update app.submission set data = jsonb_set(data, '{event}', '"Forged"') where id = '${sent.id}'`,
      { part: 'sent', id: sent.id, how: 'differs', text: expect.stringContaining(sent.title) },
    ],
    [
      ...(['submission', own] as const),
      `insert into app.submission (id, case_id, form_key, form_hash, data, submitted_by, effect)
        select gen_random_uuid(), case_id, form_key, form_hash, data, submitted_by, 'done' from app.was where id = '${sent.id}'`,
      { part: 'sent', how: 'unsealed' },
    ],
    [
      ...(['submission', own] as const),
      `delete from app.submission where id = '${sent.id}'`,
      { part: 'sent', id: sent.id, how: 'missing' },
    ],
    [
      ...(['activity', own] as const),
      `update app.activity set started_at = started_at - interval '1 hour' where ${first}`,
      { part: 'times', id: desks.approveByHead, how: 'differs', text: expect.stringContaining('The audit trail has') },
    ],
    [...(['activity', own] as const), `delete from app.activity where ${first}`, { part: 'times', how: 'missing' }],
    [
      ...(['task', own] as const),
      `update app.task set decided_by = '${other.id}' where id = '${approver.id}'`,
      { part: 'tasks', id: approver.id, how: 'differs' },
    ],
    [
      ...(['task', own] as const),
      `update app.task set decided_by = null, decided_at = null, outcome = null, state = 'open' where id = '${approver.id}'`,
      { part: 'tasks', id: approver.id, how: 'differs' },
    ],
    [
      ...(['task', own] as const),
      `update app.task set decided_at = null where id = '${approver.id}'`,
      { part: 'tasks', id: approver.id, how: 'differs' },
    ],
    [
      ...(['task', own] as const),
      `update app.task set due_at = due_at + interval '1 day' where id = '${postponed.id}'`,
      { part: 'dues', id: postponed.id, how: 'differs', sealed: postponed.dueAt },
    ],
    [
      ...(['task', own] as const),
      `update app.task set due_at = '2020-01-01' where id = '${approver.id}'`,
      {
        part: 'dues',
        id: approver.id,
        how: 'differs',
        sealed: approver.dueAt,
        text: expect.stringContaining(approver.name),
      },
    ],
    [
      ...(['task', own] as const),
      `update app.task set name = 'Forged' where id = '${approver.id}'`,
      { part: 'titles', id: approver.id, how: 'differs', sealed: approver.name },
    ],
    [
      ...(['flow_case', `id = '${booking.id}'`] as const),
      `update app.flow_case set requester_id = '${other.id}' where id = '${booking.id}'`,
      { part: 'case', id: 'requester', how: 'differs' },
    ],
    [
      ...(['account', `id = '${student.id}'`] as const),
      `update app.account set name = 'Somebody Else' where id = '${student.id}'`,
      { part: 'names', id: student.id, how: 'differs', text: expect.stringContaining('The audit trail has: ') },
    ],
    [
      ...([
        'audit_payload',
        `entry_id in (select id from app.audit_entry where ${own} and action = 'task.completed')`,
      ] as const),
      `update app.audit_payload p set payload = w.payload || '{"outcome": "approve!"}' from app.was w where w.entry_id = p.entry_id`,
      { part: 'steps', how: 'differs' },
    ],
  ]
  for (const [table, of, does, told] of forged)
    expect([does, await after(table, of, does)]).toEqual([
      does,
      expect.arrayContaining([expect.objectContaining(told)]),
    ])
  expect(wrongOf(await then())).toEqual([])
})

test('a withdrawal undone in the database is named', async () => {
  const withdrawn = await student.submit(BOOKING, aBooking(await aFreeRoom()))
  await student.withdraws(withdrawn)
  const unlike = async () =>
    (await auditor.get(`/api/audit/cases/${withdrawn.id}`)).unlike.filter(({ id }: any) => id === 'withdrawn')
  expect(await unlike()).toEqual([])
  const owner = (set: string, ...values: unknown[]) =>
    asOwner(`update app.flow_case set withdrawn_at = ${set} where id = $1 returning withdrawn_at`, [
      withdrawn.id,
      ...values,
    ])
  const [row] = await owner('withdrawn_at')
  await owner('null')
  expect(await unlike()).toEqual([expect.objectContaining({ part: 'case', how: 'differs' })])
  await owner('$2', row!['withdrawn_at'])
  expect(await unlike()).toEqual([])
})

test('a case is exported as dossier, table and data; the trail verifies offline and reports a changed line', async () => {
  const pdf = await auditor.bytes(`/api/audit/cases/${booking.id}/file?format=pdf`)
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
  const csv = await auditor.bytes(`/api/audit/cases/${booking.id}/file?format=csv`)
  expect(csv.toString()).toContain('Who leads it?')
  expect(csv.toString().split('\n')[1]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,/)
  const json = JSON.parse((await auditor.bytes(`/api/audit/cases/${booking.id}/file?format=json`)).toString())
  expect(json).toMatchObject({ reference: booking.reference, moments: expect.any(Array) })

  const sealed = () => auditor.get(`/api/audit/entries?reference=${booking.reference}&action=audit.case-exported`)
  await until('the exports are sealed', async () => (await sealed()).items.length === 3)
  const folder = mkdtempSync(join(tmpdir(), 'prakriya-audit-'))
  try {
    const file = join(folder, 'audit.jsonl')
    writeFileSync(file, await auditor.bytes('/api/audit/export'))
    writeFileSync(join(folder, 'audit-key.pem'), await auditor.bytes('/api/audit/key'))
    const verify = () =>
      promisify(execFile)(process.execPath, ['api/platform/features/audit/verify.ts', file], { cwd: root })
    expect((await verify()).stdout).toMatch(/^Audit trail intact from link 1 to \d+/)
    const lines = readFileSync(file, 'utf8').split('\n')
    const refusedOf = async (some: string[]): Promise<string> => {
      writeFileSync(file, some.join('\n'))
      return (await verify().catch((error: { stderr: string }) => error)).stderr
    }
    expect(await refusedOf(lines.toSpliced(1, 1))).toContain('Audit trail not intact: removed at link 1')
    expect(await refusedOf(lines.filter((line) => !line.startsWith('{"checkpoint"')))).toContain(
      'Audit trail not intact: signature-removed at link',
    )
    const at = lines.findIndex((line) => line.includes(booking.id))
    const changed = lines.with(at, lines[at]!.replace('"case.submitted"', '"case.withdrawn"'))
    expect(await refusedOf(changed)).toContain('Audit trail not intact: altered at link')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('each night the newest checkpoint is mailed to the head of internal audit, once; an export is checked against it', async () => {
  const sent = async () => {
    const { items } = await auditor.get('/api/mailbox')
    return items.filter(({ template }: any) => template === 'platform.mail.audit-checkpoint')
  }
  expect(await clock.strikes('audit-checkpoint')).toMatch(/T01:00:00\.000\+0530$/)
  await idle('audit-checkpoint')
  const mails = await until('the mail', async () => {
    const there = await sent()
    return there.length > 0 && there
  })
  await clock.strikes('audit-checkpoint')
  await idle('audit-checkpoint')
  expect((await sent()).length).toBe(mails.length)
  const [{ name, content }] = mails[0].attachments
  expect(mails[0].body).toContain(`--checkpoint ${name}`)
  const assistant = await as('audit.assistant')
  expect((await assistant.get('/api/mailbox')).items.map(({ template }: any) => template)).not.toContain(
    'platform.mail.audit-checkpoint',
  )

  const folder = mkdtempSync(join(tmpdir(), 'prakriya-audit-'))
  try {
    const [file, kept] = [join(folder, 'audit.jsonl'), join(folder, name)]
    writeFileSync(file, await auditor.bytes('/api/audit/export'))
    writeFileSync(join(folder, 'audit-key.pem'), await auditor.bytes('/api/audit/key'))
    const verify = () =>
      promisify(execFile)(process.execPath, ['api/platform/features/audit/verify.ts', file, '--checkpoint', kept], {
        cwd: root,
      })
    writeFileSync(kept, content)
    expect((await verify()).stdout).toContain('Given checkpoints that it agrees with: 1.')
    writeFileSync(kept, content.replace(/"hash": "./, '"hash": "x'))
    expect((await verify().catch((error: { stderr: string }) => error)).stderr).toMatch(/is no checkpoint: hash must/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
