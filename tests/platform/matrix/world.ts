import { createHash, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { pino } from 'pino'
import { POST_HOLDER } from '../../../api/platform/model/definitions/manifest.ts'
import { allocations } from '../../../api/platform/work/allocations/allocations.ts'
import type { Engine } from '../../../api/platform/kernel/engine/port.ts'
import { documents } from '../../../api/platform/records/documents/documents.ts'
import { files } from '../../../api/platform/records/files/files.ts'
import { folderStore } from '../../../api/platform/records/files/store.ts'
import { deployRepositoryModels } from '../../../api/platform/model/deployed/deployment.ts'
import { loadLibrary } from '../../../api/platform/model/library/library.ts'
import type { JsonObject } from '../../../api/platform/kernel/db/database.generated.ts'
import { bulkRepository } from '../../../api/platform/work/rows/bulk.ts'
import { grantRole } from '../../../api/platform/people/identity/accounts.ts'
import { registers } from '../../../api/platform/records/registers/registers.ts'
import { FLOW_SCOPE, PROCESS_OWNER } from '../../../api/platform/people/access/process-owners.ts'
import { taskRepository } from '../../../api/platform/work/rows/tasks.ts'
import { payRun } from '../../../api/platform/work/runs/pay.ts'
import { caseServices } from '../kit/case-services.ts'
import { type Caller, type TestApp, testApp } from '../kit/app.ts'
import { type TestDatabase, freshDatabase } from '../kit/database.ts'
import { anAccount, anItem } from '../kit/rows.ts'
import { runReaders } from './expected.ts'
import { insertComment } from '../../../api/platform/work/comments/repository.ts'

/** Whose an object is, seen from the asker: their own, somebody's in their units, somebody's elsewhere. */
export const places = ['own', 'home', 'foreign'] as const
export type Place = (typeof places)[number]

/** The units of one side. */
interface Units {
  faculty: string
  department: string
  division: string
}

/** The objects of requests. */
export interface Things {
  /** A word in every object here; people who may not see the object must never read it. */
  marker: string
  person: string
  caseId: string
  taskId: string
  bulk: string
  substitution: string
  /** A desk's question about the case. */
  question: string
  /** A comment of theirs on the case. */
  comment: string
  file: string
  document: string
  /** The code that verifies it. */
  documentCode: string
  mail: string
  hold: string
  department: string
  definition: string
  formHash: string
  session: string
  /** A name that the person requested, already decided. */
  nameChange: string
  passkey: string
  notification: string
  /** An erasure of their details in the audit trail, requested by somebody else. */
  erasure: string
  /** A saved inbox view of theirs. */
  view: string
  calendarFeed: string
  calendarSecret: string
  grant: string
  post: string
  postHolder: string
  student: string
  /** Their identity card. */
  card: string
  employee: string
  temporaryEmployee: string
  /** In all registers of people. */
  nic: string
  /** The flow whose models they may change. */
  process: string
  /** A version of it. */
  model: string
  /** A proposal by one of its owners. */
  proposal: string
  migration: string
  waiver: string
  scenarioRun: string
  /** A run that waits for the Bursar, with a line. */
  runCase: string
  runLine: string
  /** A run that was paid by cheque, with a line. */
  paidRun: string
  paidLine: string
}

/** The owner of objects, and the word in them. */
interface Owner {
  id: string
  marker: string
}

/** An asker: the role they hold in all units of the home side, or none. */
export interface Asker extends Caller {
  role: string
  things: Record<Place, Things>
}

export interface World {
  database: TestDatabase
  own: TestApp
  visitor: Caller
  askers: Asker[]
  /** One person for each role that reads runs, who holds it in no unit: such flows have none. */
  universal: Asker[]
  /** One person who holds all of these roles, as the askers hold one each. */
  holding(roles: readonly string[]): Promise<Asker>
  units: Record<'home' | 'foreign', Units>
  close(): Promise<void>
}

const root = join(import.meta.dirname, '../../..')
const log = pino({ level: 'silent' })
const FLOW = 'resource-reservation/resource-booking'
/** A flow of somebody else. */
const OTHER = 'year-renewals/year-renewal'
/** A flow that pays many people. */
const PAYING = 'mahapola/monthly-installment'
const processOf = (flow: string) => flow.split('/')[1]!
const START = 'resource-reservation/booking-request'
const APPROVAL = 'resource-reservation/booking-approval'
/** Held without a unit; all other roles are held in the home units. */
const everywhere = ['ADMIN', 'SA']
/** Askers created at a time, with far fewer connections than the pool has. */
const TOGETHER = 8

/** An engine that accepts everything: process tests cover the real one. */
const engine = {
  ready: async () => true,
  deploy: async ({ name }: { name: string }) => [
    { id: `${name}:1`, key: name.split('/')[1], version: 1, deploymentId: 'd', resource: `${name}.bpmn` },
  ],
  start: async () => ({ instanceId: randomUUID() }),
  complete: async () => undefined,
  correlate: async () => undefined,
  variables: async () => [],
  decisions: async () => [],
} as unknown as Engine

/** Builds the world once; every asker has objects of their own beside the shared ones of the two sides. */
export async function buildWorld(): Promise<World> {
  const database = await freshDatabase()
  const { db } = database
  const library = loadLibrary(root)
  const { definitions, cases, tasks } = caseServices({ db, library, engine })
  const folder = mkdtempSync(join(tmpdir(), 'prakriya-matrix-'))
  const store = folderStore(folder)
  const only = { ...library, flows: new Map([FLOW, OTHER, PAYING].map((flow) => [flow, library.flows.get(flow)!])) }
  await deployRepositoryModels({ db, engine, library: only, log, gate: async () => undefined })
  const own = await testApp(database, {
    library,
    definitions,
    cases,
    tasks,
    engine,
    store,
    visible: async (person, ids) => ({
      cases: await cases.visible(person, ids.cases),
      tasks: await tasks.visible(person, ids.tasks),
    }),
  })

  let hours = 0
  let people = 0
  const designation = await create('platform/designation', { designation: 'Lecturer', code: 'L', kind: 'academic' })
  const units = { home: await someUnits('Home'), foreign: await someUnits('Foreign') }
  const models = { own: await someModels(FLOW), foreign: await someModels(OTHER) }
  const runs = await someRuns()
  const shared = {
    home: await someThings(await aLecturer(units.home, `near-${randomUUID()}`), units.home),
    foreign: {
      ...(await someThings(await aLecturer(units.foreign, `far-${randomUUID()}`), units.foreign)),
      ...models.foreign,
    },
  }

  // The role of post holders comes with a post and opens nothing by itself.
  const roles = ['', ...library.roles].filter((one) => one !== POST_HOLDER)
  const askers: Asker[] = []
  for (let at = 0; at < roles.length; at += TOGETHER)
    askers.push(...(await Promise.all(roles.slice(at, at + TOGETHER).map((role) => anAsker([role])))))
  const universal = await Promise.all(
    runReaders
      .filter((role) => !everywhere.includes(role))
      .map(async (role) => {
        const caller = await own.person(`everywhere-${randomUUID()}`, { role })
        return { ...caller, role, things: { own: shared.home, ...shared } }
      }),
  )
  const holders = new Map<string, Promise<Asker>>()
  const visitor: Caller = { id: '', token: '', send: own.send }

  return {
    database,
    own,
    visitor,
    askers,
    universal,
    holding(some) {
      const key = some.toSorted().join()
      if (!holders.has(key)) holders.set(key, anAsker(some))
      return holders.get(key)!
    },
    units,
    async close() {
      await own.close()
      await database.drop()
      rmSync(folder, { recursive: true })
    },
  }

  function grantsOf(role: string) {
    const scopes = everywhere.includes(role)
      ? [undefined]
      : role === PROCESS_OWNER
        ? [{ kind: FLOW_SCOPE, id: processOf(FLOW) }]
        : Object.entries(units.home).map(([kind, id]) => ({ kind, id }))
    return role === '' ? [] : scopes.map((scope) => ({ role, ...(scope && { scope }) }))
  }

  async function anAsker(held: readonly string[]): Promise<Asker> {
    const role = held.length === 1 ? held[0]! : `${held.length} roles at once`
    const username = `asker-${randomUUID()}`
    const caller = await own.person(username, ...held.flatMap(grantsOf))
    // Their own case belongs to the foreign units: only ownership gives access.
    const marker = `mine-${caller.id}`
    await db.updateTable('account').set({ name: marker }).where('id', '=', caller.id).execute()
    const mine = await someThings({ id: caller.id, marker }, units.foreign)
    return { ...caller, role, things: { own: mine, ...shared } }
  }

  function create(register: string, data: JsonObject): Promise<string> {
    return db.transaction().execute(async (trx) => (await registers(trx, library).create(register, data, null)).id)
  }

  async function someUnits(name: string): Promise<Units> {
    const faculty = await create('platform/faculty', { name: `${name} Faculty`, code: `F-${name}` })
    return {
      faculty,
      department: await create('platform/department', { name: `${name} Department`, code: `D-${name}`, faculty }),
      division: await create('platform/division', { name: `${name} Division`, code: `V-${name}` }),
    }
  }

  /** One of every object of a person or of some units, each with the marker. */
  async function someThings({ id: person, marker }: Owner, at: Units): Promise<Things> {
    const caseId = await aCaseOf(person, at, marker)
    const taskId = await aTaskOf(caseId, at)
    return {
      marker,
      person,
      caseId,
      taskId,
      bulk: await aBulkOf(person, taskId),
      substitution: await aSubstitutionBy(person),
      question: await aQuestionAt(taskId, caseId),
      comment: await aCommentBy(person, caseId, marker),
      file: await aFileOf(caseId, person, marker),
      ...(await aDocumentOf(caseId, marker)),
      mail: await aMailTo(person, caseId, marker),
      hold: await aHoldOf(person, at.department),
      department: at.department,
      definition: `${FLOW}:1`,
      formHash: library.forms.get(START)!.hash,
      session: await aSessionOf(person),
      nameChange: await aNameChangeOf(person),
      passkey: await aPasskeyOf(person),
      notification: await aNotificationTo(person, marker),
      erasure: await anErasureOf(person, marker),
      view: await aViewOf(person, marker),
      ...(await aCalendarFeedOf(person)),
      ...(await aPostOf(at)),
      ...(await entriesOf(person, at, marker)),
      ...models.own,
      ...runs,
    }
  }

  /** Runs belong to nobody in particular: all askers have the same two. */
  async function someRuns(): Promise<Pick<Things, 'runCase' | 'runLine' | 'paidRun' | 'paidLine'>> {
    const clerk = await anAccount(db)
    const [scheme, account, student] = [await anItem(db, 'x'), await anItem(db, 'x'), await anItem(db, 'x')]
    const aRun = async (month: string, method: 'transfer' | 'cheque') => {
      const caseId = await aCaseOf(clerk, {}, `run-${month}`, PAYING)
      const signing = method === 'transfer'
      const run = { scheme_id: scheme, month, method, paid_from: account, signing, prepared_by: clerk }
      await db
        .insertInto('run')
        .values({ case_id: caseId, ...run })
        .execute()
      const line = { student_id: student, name: 'Somebody', amount: 100, state: 'included' }
      const { id } = await db
        .insertInto('run_line')
        .values({ case_id: caseId, ...line })
        .returning('id')
        .executeTakeFirstOrThrow()
      return { caseId, line: id }
    }
    const open = await aRun('2026-01', 'transfer')
    await aTaskOf(open.caseId, units.foreign, { flow: PAYING, desk: 'userTask_decideByBursar', candidate: 'Bursar' })
    const paid = await aRun('2026-02', 'cheque')
    const run = library.flows.get(PAYING)!.manifest.run!
    await db.transaction().execute((trx) => payRun(trx, { caseId: paid.caseId, now: new Date(), run }))
    return { runCase: open.caseId, runLine: open.line, paidRun: paid.caseId, paidLine: paid.line }
  }

  /** A draft that somebody else edits, a decided proposal and waiver, and a migration without cases. */
  async function someModels(
    flow: string,
  ): Promise<Pick<Things, 'process' | 'model' | 'proposal' | 'migration' | 'waiver' | 'scenarioRun'>> {
    const [process, model] = [processOf(flow), `${flow}:1`]
    const [proposal, migration, waiver] = [randomUUID(), randomUUID(), randomUUID()]
    const [writer, decider] = [await anAccount(db), await anAccount(db)]
    const content = { bpmn: library.flows.get(flow)!.bpmn.content, dmn: '[]' }
    await db
      .insertInto('studio_draft')
      .values({ process, base_id: model, ...content, saved_by: writer, lock_holder: writer, lock_until: '2100-01-01' })
      .execute()
    await db
      .insertInto('studio_proposal')
      .values({ id: proposal, process, base_id: model, ...content, note: 'made', proposed_by: writer })
      .execute()
    await db
      .updateTable('studio_proposal')
      .set({ state: 'refused', decided_by: decider, decided_at: new Date() })
      .where('id', '=', proposal)
      .execute()
    await db
      .insertInto('second_owner_waiver')
      .values({ id: waiver, process, reason: 'made', asked_by: writer })
      .execute()
    await db
      .updateTable('second_owner_waiver')
      .set({ state: 'refused', decided_by: decider, decided_at: new Date() })
      .where('id', '=', waiver)
      .execute()
    const [from_id, to_id] = [`${FLOW}:1`, `${OTHER}:1`]
    const moved = { from_id, to_id, instructions: '[]', reason: 'made', account_id: writer, acted_as: 'ADMIN' }
    await db
      .insertInto('case_migration')
      .values({ id: migration, process, ...moved })
      .execute()
    const scenarioRun = randomUUID()
    const scenario = JSON.stringify({ name: 'Taken', steps: [], expect: {} })
    await db
      .insertInto('scenario')
      .values({ id: randomUUID(), process, content: scenario, changed_by: writer })
      .execute()
    const over = { kind: 'scenarios', of_draft: false, total: 0, state: 'done', ended_at: new Date() }
    await db
      .insertInto('scenario_run')
      .values({ id: scenarioRun, process, ...over, asked_by: writer })
      .execute()
    return { process, model, proposal, migration, waiver, scenarioRun }
  }

  async function aLecturer({ department }: Units, marker: string): Promise<Owner> {
    const id = await anAccount(db, { username: marker, name: marker })
    await grantRole(db, id, { role: 'Lecturer', scope: { kind: 'department', id: department } })
    return { id, marker }
  }

  async function aSessionOf(account_id: string): Promise<string> {
    const id = randomUUID()
    const expires_at = new Date(Date.now() + 86_400_000)
    await db.insertInto('session').values({ id, account_id, expires_at }).execute()
    return id
  }

  async function aNameChangeOf(account_id: string): Promise<string> {
    const id = randomUUID()
    await db.insertInto('name_change').values({ id, account_id, name: 'Taken back' }).execute()
    await db
      .updateTable('name_change')
      .set({ state: 'withdrawn', decided_by: account_id, decided_at: new Date() })
      .where('id', '=', id)
      .execute()
    return id
  }

  async function aPasskeyOf(account_id: string): Promise<string> {
    const id = randomUUID()
    await db
      .insertInto('passkey')
      .values({ id, account_id, name: 'none', public_key: Buffer.alloc(1), counter: 0 })
      .execute()
    return id
  }

  async function aNotificationTo(account_id: string, heading: string): Promise<string> {
    const id = randomUUID()
    const icon = { icon_name: 'mail', icon_color: 'primary' }
    await db
      .insertInto('notification')
      .values({ id, account_id, heading, title: heading, ...icon })
      .execute()
    return id
  }

  async function aCalendarFeedOf(account_id: string): Promise<Pick<Things, 'calendarFeed' | 'calendarSecret'>> {
    const [id, secret] = [randomUUID(), randomUUID()]
    const secret_hash = createHash('sha256').update(secret).digest()
    await db.insertInto('calendar_feed').values({ id, account_id, secret_hash }).execute()
    return { calendarFeed: id, calendarSecret: secret }
  }

  async function aPostOf({ department }: Units): Promise<Pick<Things, 'post' | 'postHolder' | 'grant'>> {
    const code = `P-${randomUUID().slice(0, 8)}`
    const post = await create('platform/post', { name: `Head ${code}`, code, role: 'HOD', head: true, department })
    const holder = await anAccount(db, { name: 'Head' })
    const postHolder = randomUUID()
    await db
      .insertInto('post_holder')
      .values({ id: postHolder, post_id: post, account_id: holder, starts_at: new Date(), reason: 'made' })
      .execute()
    await grantRole(db, holder, { role: 'HOD', scope: { kind: 'department', id: department } })
    const { id: grant } = await db
      .selectFrom('role_grant')
      .select('id')
      .where('account_id', '=', holder)
      .executeTakeFirstOrThrow()
    return { post, postHolder, grant }
  }

  /** A person's register entries; the student entry is linked to the account. */
  async function entriesOf(person: string, at: Units, marker: string) {
    const { faculty, department } = at
    const code = randomUUID().slice(0, 8)
    people += 1
    const nic = `1999${String(people).padStart(8, '0')}`
    const year = { name: code, starts_on: '2024-01-01', ends_on: '2024-12-31' }
    const academicYear = await create('year-renewals/academic-year', year)
    const intake = await create('intakes/intake', { name: code, academic_year: academicYear, starts_on: '2024-02-01' })
    const contact = { nic, email: `${code}@example.lk`, full_name: marker }
    const degree = await create('setup/degree', { name: code, code, level: 'Bachelor', years: 3, credits: 90 })
    const medium = await create('platform/language', { name: code })
    const programme = await create('setup/degree-program', { name: code, code, degree, faculty, medium } as JsonObject)
    const learner = {
      ...contact,
      reg_no: code,
      mobile_no: '0771231231',
      faculty,
      department,
      programme,
      intake,
    }
    const student = await create('platform/student', learner as JsonObject)
    await db.updateTable('account').set({ record_id: student }).where('id', '=', person).execute()
    const worker = { ...contact, contact_no: '0771231231' }
    const employee = await create('platform/employee', {
      ...worker,
      employee_id: code,
      kind: 'academic',
      designation,
      department,
    } as JsonObject)
    const card = await create('id-cards/card', {
      number: code.toUpperCase(),
      student,
      reg_no: code,
      name: marker,
      issued_on: '2024-02-01',
      valid_until: '2028-01-31',
    })
    return { nic, student, card, employee, temporaryEmployee: await create('platform/temporary-employee', worker) }
  }

  async function aCaseOf(requester: string, at: Partial<Units>, marker: string, flow = FLOW): Promise<string> {
    const id = randomUUID()
    const definition = await db
      .selectFrom('process_definition')
      .selectAll()
      .where('flow', '=', flow)
      .executeTakeFirstOrThrow()
    await db
      .insertInto('flow_case')
      .values({
        id,
        reference: `RB-${marker}-${id.slice(0, 8)}`,
        flow,
        flow_hash: definition.flow_hash,
        process_definition_id: definition.id,
        requester_id: requester,
        state: 'running',
        status: 'tentative_booking',
        statuses: JSON.stringify({ status: 'tentative_booking' }),
        scope: JSON.stringify(at),
        subject: JSON.stringify({ event: marker }),
      })
      .execute()
    await db
      .insertInto('submission')
      .values({
        id: randomUUID(),
        case_id: id,
        form_key: START,
        form_hash: library.forms.get(START)!.hash,
        data: JSON.stringify({ event: marker, poc_nic: marker }),
        submitted_by: requester,
        effect: 'done',
      })
      .execute()
    return id
  }

  /** A task as the feed makes it, offered to the head of the case's department. */
  async function aTaskOf(
    caseId: string,
    { department }: Units,
    { flow = FLOW, desk = 'userTask_approveByHead', candidate = `HOD@department:${department}` } = {},
  ): Promise<string> {
    const id = randomUUID()
    const form = library.forms.get(APPROVAL)!
    await db.transaction().execute(async (trx) => {
      const rows = taskRepository(trx)
      await rows.create({
        id,
        caseId,
        desk,
        name: 'Approve',
        definitionId: `${flow}:1`,
        formKey: form.key,
        formHash: form.hash,
        dueAt: null,
        followUpAt: null,
        priority: 50,
        createdAt: new Date().toISOString(),
      })
      await rows.addCandidate(id, candidate)
      await rows.refreshInbox([id])
    })
    return id
  }

  async function anErasureOf(person_id: string, reason: string): Promise<string> {
    const id = randomUUID()
    await db
      .insertInto('erasure')
      .values({ id, person_id, reason, asked_by: await anAccount(db) })
      .execute()
    return id
  }

  async function aViewOf(owner: string, name: string): Promise<string> {
    const id = randomUUID()
    await db.insertInto('inbox_view').values({ id, owner_id: owner, name, query: '{}' }).execute()
    return id
  }

  /** A bulk act that has not reached its only task yet. */
  async function aBulkOf(accountId: string, taskId: string): Promise<string> {
    const id = randomUUID()
    await bulkRepository(db).create(id, { accountId, kind: 'claim', payload: {} }, [taskId])
    return id
  }

  async function aQuestionAt(task_id: string, case_id: string): Promise<string> {
    const [id, asked_by] = [randomUUID(), await anAccount(db)]
    await db.insertInto('task_question').values({ id, task_id, case_id, asked_by, question: 'Why?' }).execute()
    return id
  }

  function aCommentBy(author: string, caseId: string, marker: string): Promise<string> {
    const said = { caseId, author, taskId: null, kind: 'comment' as const, mentions: [], files: [] }
    return insertComment(db, { ...said, body: marker })
  }

  /** Somebody has asked this person to be their substitute, years from now. */
  async function aSubstitutionBy(substitute: string): Promise<string> {
    const [id, absent] = [randomUUID(), await anAccount(db)]
    const [starts_at, ends_at] = ['2040-01-01T00:00:00Z', '2040-01-08T00:00:00Z']
    await db
      .insertInto('substitution')
      .values({ id, absent_id: absent, substitute_id: substitute, starts_at, ends_at, asked_by: absent })
      .execute()
    return id
  }

  async function aFileOf(caseId: string, owner: string, marker: string): Promise<string> {
    const saved = await files({ db, store }).save({ name: `${marker}.txt`, content: Buffer.from(marker), owner })
    await db.insertInto('case_file').values({ case_id: caseId, file_id: saved.id, path: '/attachments/0' }).execute()
    return saved.id
  }

  function aHoldOf(holder: string, item: string): Promise<string> {
    const from = new Date(Date.UTC(2032, 0, 1) + (hours += 1) * 3_600_000)
    const booked = { from: from.toISOString(), until: new Date(from.getTime() + 3_600_000).toISOString() }
    return db
      .transaction()
      .execute(async (trx) => (await allocations(trx).hold({ item, booked, holder, code: 'platform.slot-taken' })).id)
  }

  async function aDocumentOf(caseId: string, marker: string): Promise<Pick<Things, 'document' | 'documentCode'>> {
    const kind = 'resource-reservation/receipt'
    const receipt = { caseId, kind, number: randomUUID(), data: { event: marker }, by: null }
    const { id } = await db.transaction().execute((trx) => documents(trx).issue(receipt))
    const documentCode = randomUUID().replaceAll('-', '')
    await sql`insert into document_verification (document_id, case_id, kind, code, holder, signed_by, pdf, sha256)
      values (${id}, ${caseId}, ${kind}, ${documentCode}, 'Somebody', '[]', ${marker}::bytea,
        encode(sha256(${marker}::bytea), 'hex'))`.execute(db)
    return { document: id, documentCode }
  }

  async function aMailTo(person: string, caseId: string, marker: string): Promise<string> {
    const id = randomUUID()
    await db
      .insertInto('mail')
      .values({
        id,
        case_id: caseId,
        recipient: `${marker}@example.lk`,
        recipient_id: person,
        template: 'matrix',
        subject: marker,
        body: marker,
        message_id: `<${id}@example.lk>`,
      })
      .execute()
    return id
  }
}
