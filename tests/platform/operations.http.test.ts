import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { artifact } from '../../api/platform/model/definitions/artifact.ts'
import { connect } from '../../api/platform/kernel/db/database.ts'
import { listTroubleGroups } from '../../api/platform/features/operations/repository.ts'
import { AUDIT, agree, anAudit, desks } from '../audit/audit.ts'
import { engine } from './kit/clock.ts'
import { expectCase, expectEnded, expectMail } from './kit/expectations.ts'
import { asOwner } from './kit/owner.ts'
import { as, type Case } from './kit/people.ts'
import { until } from './kit/poll.ts'
import { stack } from './kit/stack.ts'

const diagram = readFileSync(join(import.meta.dirname, '../../processes/audit/audit.bpmn'), 'utf8')
const reason = 'The operator has looked at it'

/** Restores what the test broke, in any case. */
const repairs: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const repair of repairs.splice(0)) await repair()
})

const retry = async (body: object) =>
  (await (await as('sa')).ok('POST', '/api/operations/retry', { reason, ...body })).items

/** The cause whose newest message contains these words, once it is listed. */
const causeOf = (words: string) =>
  until(`something that says ${words}`, async () => {
    const { items } = await (await as('sa')).get('/api/operations')
    return items.find(({ message }: { message: string }) => message.includes(words))
  })

const itemsOf = async (cause: string, query = '') =>
  (await (await as('sa')).get(`/api/operations/causes/${cause}/items?limit=100${query}`)).items as any[]

const entriesOf = (action: string, object: string) =>
  asOwner(
    `select e.acted_as, p.payload from app.audit_entry e join app.audit_payload p on p.entry_id = e.id
     where e.action = $1 and e.object = $2`,
    [action, object],
  )

test('only operators have access', async () => {
  const head = await as('hod.western-music')
  const asked = await Promise.all([
    head.send('GET', '/api/operations'),
    head.send('POST', '/api/operations/retry', { items: ['job:1'], reason }),
    head.send('GET', '/api/operations/cases/AU-2026-00001'),
    head.send('POST', '/api/operations/cases/AU-2026-00001/move', { from: 'a', to: 'b', reason }),
  ])
  expect(asked.map(({ status }) => status)).toEqual([403, 403, 403, 403])
})

test('a step that failed permanently is an incident; once its cause is gone an operator retries it, to the end', async () => {
  const [auditor, head] = await Promise.all(['audit.assistant', 'hod.western-music'].map(as))
  const asked = await auditor!.submit(AUDIT, await anAudit())
  await head!.task(asked, desks.giveInformation)
  // Its unit gets a mail about the withdrawal, and no mail of this case can be written.
  const broken = `broken_${asked.id.replaceAll('-', '')}`
  await asOwner(
    `alter table app.mail add constraint ${broken} check (case_id is distinct from '${asked.id}') not valid`,
  )
  repairs.push(() => asOwner(`alter table app.mail drop constraint ${broken}`))
  await auditor!.withdraws(asked)
  const failing = await until('a step that fails', async () => {
    const [instance] = await engine<{ id: string }[]>('GET', `/process-instance?businessKey=${asked.id}`)
    const found = await engine<any[]>('GET', `/external-task?processInstanceId=${instance?.id}`)
    return found.find(({ activityId, errorMessage }) => errorMessage && activityId === 'endEvent_withdrawn')
  })
  // Between two attempts, so that none of them later reports how many are left.
  await until('an attempt has just failed', async () => {
    const [{ retries, errorMessage }] = await engine<any[]>('GET', `/external-task?externalTaskId=${failing.id}`)
    return errorMessage && retries < failing.retries
  })
  await engine('PUT', `/external-task/${failing.id}/retries`, { retries: 0 })
  const item = await until('it is listed', async () => {
    const { items } = await (await as('sa')).get('/api/operations')
    // The element where it is stuck is named by its label in the diagram.
    const found = items.filter(
      ({ kind, element }: any) => kind === 'failedExternalTask' && element === 'Withdrawn: unit told',
    )
    const all = (await Promise.all(found.map(({ cause }: any) => itemsOf(cause)))).flat()
    return all.find((one) => one.case?.id === asked.id)
  })
  expect(item).toMatchObject({
    element: 'endEvent_withdrawn',
    remedy: 'retry',
    case: { reference: asked.reference },
  })
  await Promise.all(repairs.splice(0).map((repair) => repair()))
  expect(await retry({ items: [item.id, 'incident:nothing'] })).toEqual([
    { id: item.id, outcome: 'retried' },
    { id: 'incident:nothing', outcome: 'gone' },
  ])
  await expectMail(head!).about('audit.mail.withdrawn', asked)
  expect((await entriesOf('operation.retried', item.id))[0]).toMatchObject({ acted_as: 'SA', payload: { reason } })
  const later = await until('the engine has closed it', async () => {
    const [again] = await retry({ items: [item.id] })
    return again.outcome === 'gone' && again
  })
  expect(later).toEqual({ id: item.id, outcome: 'gone' })
})

test('a version whose diagram cannot be read hides nothing: its element is shown by its id', async () => {
  const [auditor, message] = [await as('audit.assistant'), `unreadable ${randomUUID().replaceAll(/[^a-f]/g, '')}`]
  const asked = await auditor.submit(AUDIT, await anAudit())
  const { hash } = artifact('bpmn', 'audit/unreadable.bpmn', '<not a diagram')
  await asOwner(
    `insert into app.artifact (hash, kind, key, content) values ($1, 'bpmn', 'audit/unreadable.bpmn', '<not a diagram')`,
    [hash],
  )
  await asOwner(
    `insert into app.process_definition (id, flow, process_key, version, deployment_id, bpmn_hash, flow_hash, forms, source)
     select 'unreadable', flow, process_key, 0, 'unreadable', $1, flow_hash, forms, source
     from app.process_definition where id = (select process_definition_id from app.flow_case where id = $2)`,
    [hash, asked.id],
  )
  const [row] = await asOwner('select process_definition_id from app.flow_case where id = $1', [asked.id])
  repairs.push(async () => {
    await asOwner('update app.flow_case set process_definition_id = $1 where id = $2', [
      row!['process_definition_id'],
      asked.id,
    ])
    await asOwner(`delete from app.process_definition where id = 'unreadable'`)
    await asOwner('delete from app.incident where message = $1', [message])
  })
  await asOwner(`update app.flow_case set process_definition_id = 'unreadable' where id = $1`, [asked.id])
  await asOwner(
    `insert into app.incident (id, kind, element, message, case_id) values ($1, 'failedJob', 'event_of_it', $2, $3)`,
    [`test:${asked.id}`, message, asked.id],
  )
  expect(await causeOf(message)).toMatchObject({ element: 'event_of_it' })
})

test('undeliverable emails with one cause are grouped and sent again; effects and events are resolved, each in its way', async () => {
  const run = randomUUID().replaceAll(/[^a-f]/g, '')
  const mails = [randomUUID(), randomUUID(), randomUUID()]
  for (const [n, id] of mails.entries()) {
    await asOwner(
      `insert into app.mail (id, recipient, template, subject, body, message_id, state, attempts)
       values ($1, 'x@example.org', 'platform.mail.test', 's', 'b', $2, 'failed', 20)`,
      [id, `<${id}@test>`],
    )
    await asOwner(`insert into app.incident (id, kind, message) values ($1, 'mail-not-sent', $2)`, [
      `mail:${id}`,
      `55${n} no such box ${run}`,
    ])
  }
  const group = await causeOf(`no such box ${run}`)
  expect(group).toMatchObject({ kind: 'mail-not-sent', count: 3, remedy: 'retry', flow: null })
  const ids = mails.map((id) => `incident:mail:${id}`)
  expect(await retry({ items: [ids[0]] })).toEqual([{ id: ids[0], outcome: 'retried' }])
  const rest = await retry({ cause: group.cause })
  expect(rest.map(({ id, outcome }: any) => [id, outcome]).toSorted()).toEqual(
    ids
      .slice(1)
      .map((id) => [id, 'retried'])
      .toSorted(),
  )
  await until('all are sent', async () => {
    const rows = await asOwner(`select from app.mail where id = any($1) and state = 'sent'`, [mails])
    return rows.length === 3
  })
  expect(await itemsOf(group.cause)).toEqual([])

  await asOwner(`insert into app.incident (id, kind, message) values ($1, 'orphaned-effect', $2)`, [
    `orphaned-effect:${run}`,
    `effect ${run}`,
  ])
  const [effect] = await itemsOf((await causeOf(`effect ${run}`)).cause)
  expect(effect.remedy).toBe('close')
  expect(await retry({ items: [effect.id] })).toEqual([{ id: effect.id, outcome: 'closed' }])

  const event = String(10n ** 15n + BigInt(Date.now()))
  await asOwner(
    `insert into app.parked_event (id, at, entity, event, body, reason) values ($1, now(), 'variable', 'create', '{}', $2)`,
    [event, `parked ${run}`],
  )
  const parked = await causeOf(`parked ${run}`)
  expect(await retry({ cause: parked.cause })).toEqual([{ id: `event:${event}`, outcome: 'retried' }])
  expect(await itemsOf(parked.cause)).toEqual([])
})

test('a failed retry of an operator is answered as such, and recorded', async () => {
  const id = `incident:command:${randomUUID()}`
  await asOwner(`insert into app.incident (id, kind, message) values ($1, 'command-not-taken', 'in vain')`, [
    id.slice('incident:'.length),
  ])
  expect(await retry({ items: [id] })).toEqual([{ id, outcome: 'gone' }])
  expect(await entriesOf('operation.without-effect', id)).toEqual([
    { acted_as: 'SA', payload: { kind: 'command-not-taken', reason, outcome: 'gone' } },
  ])
  // A deleted mail is not listed for ever.
  const mail = `mail:${randomUUID()}`
  await asOwner(`insert into app.incident (id, kind, message) values ($1, 'mail-not-sent', 'no mail')`, [mail])
  expect(await retry({ items: [`incident:${mail}`] })).toEqual([{ id: `incident:${mail}`, outcome: 'gone' }])
  expect(await asOwner('select from app.incident where id = $1 and resolved_at is null', [mail])).toEqual([])
})

test('the newest cause is listed first, of any number', async () => {
  const database = connect(stack().databaseUrl, { name: 'test-operations', max: 1 })
  const [of, undone] = [`newest-${randomUUID()}-`, new Error('undone')]
  const listed: (string | null)[] = []
  // Rolled back, so nobody else sees them.
  const tried = database.db.transaction().execute(async (trx) => {
    await sql`insert into incident (id, kind, element, message, at)
      select ${of}::text || n, 'mail-not-sent', ${of}::text || n, 'x', now() + n * interval '1 second'
      from generate_series(1, 201) n`.execute(trx)
    listed.push(...(await listTroubleGroups(trx)).map(({ element }) => element))
    throw undone
  })
  await expect(tried).rejects.toBe(undone)
  await database.close()
  expect([listed.length, listed[0]]).toEqual([200, `${of}201`])
})

test('a case with wrong rows is rebuilt from the engine', async () => {
  const auditor = await as('audit.assistant')
  const asked = await auditor.submit(AUDIT, await anAudit())
  await (await as('hod.western-music')).task(asked, desks.giveInformation)
  const id = `drifted:${asked.id}`
  await asOwner(`update app.flow_case set statuses = '{"status": "complete"}', status = 'complete' where id = $1`, [
    asked.id,
  ])
  await asOwner(`insert into app.incident (id, case_id, kind, message) values ($1, $2, 'drifted', 'wrong')`, [
    id,
    asked.id,
  ])
  expect(await retry({ items: [`incident:${id}`] })).toEqual([{ id: `incident:${id}`, outcome: 'retried' }])
  await expectCase(asked).toBe('awaiting_info')
  await until('the incident is over', async () => {
    const rows = await asOwner('select from app.incident where id = $1 and resolved_at is not null', [id])
    return rows.length === 1
  })
  await auditor.withdraws(asked)
})

test('a token is moved once, after a preview of what ends and begins; status, inboxes and audit trail follow', async () => {
  const [auditor, head, verifier, sa] = (await Promise.all(
    ['audit.assistant', 'hod.western-music', 'audit.verifier', 'sa'].map(as),
  )) as [any, any, any, any]
  const asked: Case = await auditor.submit(AUDIT, await anAudit())
  await head.task(asked, desks.giveInformation)
  const path = `/api/operations/cases/${asked.reference}`
  const standpoint = await until('it stands at the head', async () => {
    const seen = await sa.get(path)
    return seen.present.length > 0 && seen
  })
  expect(standpoint).toMatchObject({ id: asked.id, moving: false, present: [{ element: desks.giveInformation }] })
  const [from, to] = [desks.giveInformation, desks.verify]
  expect(await sa.get(`${path}/move?from=${from}&to=${to}`)).toEqual({
    ends: [{ element: from, name: 'Give the information', holder: null }],
    begins: [
      {
        ...{ element: to, name: 'Verify the information', status: 'Awaiting verification' },
        roles: ['Assistant Internal Auditor', 'Senior Assistant Internal Auditor'],
      },
    ],
  })
  const refused = async (body: object) => (await sa.send('POST', `${path}/move`, { reason, ...body })).body.code
  expect(await refused({ from, to: 'endEvent_complete' })).toBe('platform.no-place-for-a-token')
  const gateway = /<bpmn:exclusiveGateway id="(\w+)"/.exec(diagram)![1]!
  expect(await refused({ from, to: gateway })).toBe('platform.no-place-for-a-token')
  expect(standpoint.targets.map(({ type }: { type: string }) => type)).not.toContain('ExclusiveGateway')
  expect(await refused({ from: desks.approve, to })).toBe('platform.token-not-there')
  const both = await Promise.all([1, 2].map(() => sa.send('POST', `${path}/move`, { from, to, reason })))
  expect(both.map(({ status }) => status).toSorted()[0]).toBe(200)
  expect(both.filter(({ status }) => status === 200)).toHaveLength(1)
  await verifier.task(asked, to)
  await expectCase(asked).toBe('awaiting_veri')
  const { items } = await head.get(`/api/tasks?search=${asked.reference}`)
  expect(items).toEqual([])
  const moves = await asOwner(
    `select e.acted_as, p.payload from app.audit_entry e join app.audit_payload p on p.entry_id = e.id
     where e.action = 'case.moved' and e.case_id = $1`,
    [asked.id],
  )
  expect(moves).toEqual([{ acted_as: 'SA', payload: { from, to, reason } }])
  expect(await refused({ from, to })).toBe('platform.token-not-there')
  // The case continues from there as if it had arrived by itself.
  await agree(asked, { from: desks.verify })
  await expectCase(asked).toBe('complete')
  await expectEnded(asked)
  expect((await sa.send('GET', path)).body.code).toBe('platform.case-not-running')

  const own = await sa.submit(AUDIT, await anAudit())
  await head.task(own, from)
  const mine = await sa.send('POST', `/api/operations/cases/${own.id}/move`, { from, to, reason })
  expect(mine.body.code).toBe('platform.own-case')
  await asOwner('update app.flow_case set requester_id = $2, sent_by = $3 where id = $1', [own.id, auditor.id, sa.id])
  const sent = await sa.send('POST', `/api/operations/cases/${own.id}/move`, { from, to, reason })
  expect(sent.body.code).toBe('platform.own-case')
  await auditor.withdraws(own)
})
