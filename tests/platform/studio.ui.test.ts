import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { pino } from 'pino'
import { caseRepository } from '../../api/platform/work/rows/cases.ts'
import { scenarioTasks } from '../../api/platform/features/studio/scenarios/work.ts'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import type { Locator } from 'playwright-core'
import { differences } from '../../web/platform/features/studio/model/differences.ts'
import { namingOf } from '../../web/platform/features/studio/model/naming.ts'
import { readBpmn } from '../../web/platform/features/studio/model/read.ts'
import { aDesk, aModel } from './fixtures/models.ts'
import { telling } from './fixtures/promise-timers.ts'
import { asDean, asHead, asRegistrar, drawn, drawnApp, drawnFlow } from './fixtures/drawn-flow.ts'
import { largeModel } from './fixtures/large-model.ts'
import type { Heart } from './fixtures/two-desks.ts'
import type { Caller, TestApp } from './kit/app.ts'
import { expectAccessible } from './kit/axe.ts'
import { NARROW, openBrowser, type Visitor, type Visitors, reads } from './kit/browser.ts'
import { looks } from './kit/looks.ts'
import { as } from './kit/people.ts'
import { until } from './kit/poll.ts'

const own = drawnFlow(asHead)
const { flow: FLOW, process: PROCESS } = own
const MODEL = `/api/studio/models/${PROCESS}`
const STUDIO = `/studio/${PROCESS}`

let one: Heart
let app: TestApp
let visitors: Visitors
let owner: Caller, second: Caller, head: Caller, requester: Caller
let department: string

beforeAll(async () => {
  ;({ one, app, department } = await drawnApp(own))
  const owning = { role: 'Process Owner', scope: { kind: 'flow', id: PROCESS } }
  const unique = (name: string) => `${name}-${randomUUID()}`
  ;[owner, second, head, requester] = (await Promise.all([
    app.person(unique('owner'), owning),
    app.person(unique('second'), owning),
    app.person(unique('head'), { role: 'HOD', scope: { kind: 'department', id: department } }),
    app.person(unique('requester')),
  ])) as [Caller, Caller, Caller, Caller]
  visitors = await openBrowser()
})
afterAll(async () => {
  await visitors?.close()
  await app?.close()
  await one?.close()
})

const present: Visitor[] = []
afterEach(async () => {
  const left = present.splice(0)
  await Promise.all(left.map(({ page }) => page.context().close()))
  expect(left.flatMap((visitor) => visitor.troubles())).toEqual([])
})

/** An owner at a page of the studio. The studio's requests are answered for a flow of the test's own. */
async function opens(who: Caller, path: string, device: { width?: number } = {}): Promise<Visitor> {
  const visitor = await visitors.arrives(device)
  present.push(visitor)
  await visitor.page.route('**/api/studio/**', async (route) => {
    const request = route.request()
    const { pathname, search } = new URL(request.url())
    const body = request.postData()
    const answer = await who.send(request.method() as 'GET', pathname + search, body ? JSON.parse(body) : undefined)
    if (/\/(run|rehearsal)$/.test(pathname) && answer.statusCode < 300) void tells(answer.json().runId)
    await route.fulfill({
      status: answer.statusCode,
      contentType: String(answer.headers['content-type'] ?? 'application/json'),
      body: answer.body,
    })
  })
  await visitor.signsIn('owner.flows', path)
  return visitor
}

/** Runs a scenario run, as the product does for a known flow. */
async function tells(id: string): Promise<void> {
  const { db, engine, library } = one
  const { 'tell-scenarios': tell } = scenarioTasks({ db, engine, library, log: pino({ level: 'silent' }) })
  await tell!({ id }, { job: { attempts: 3 } } as never)
}

const ask = async (method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown) =>
  (await owner.send(method, MODEL + path, body)).json()

const press = ({ page }: Visitor, name: string | RegExp) => page.getByRole('button', { name }).click()
const dialog = ({ page }: Visitor) => page.getByRole('dialog')
const panel = ({ page }: Visitor) => page.getByRole('region', { name: 'What it says' })
const problems = ({ page }: Visitor) => page.getByRole('region', { name: 'Problems' })
const drawnElement = ({ page }: Visitor, id: string) => page.locator(`[data-element-id="${id}"] .djs-hit`).first()

/** The clock of a desk with this label. */
const clock = ({ page }: { page: Pick<Locator, 'getByRole'> }, words: string | RegExp) =>
  page.getByRole('img', { name: words, exact: true })

async function promise(at: Visitor, field: 'Remind after' | 'Escalate after', count: string): Promise<void> {
  const input = panel(at).getByLabel(field, { exact: true })
  await input.fill(count)
  await input.press('Enter')
}

async function choose(field: Locator, option: string): Promise<void> {
  await field.click()
  await field.fill(option)
  await field.press('Enter')
  await field.press('Escape')
}

/**
 * How many of these rows an act renders again. React gives an element a new props object each time its component
 * renders, even if nothing in it differs.
 */
async function countRedrawn(rows: Locator, done: () => Promise<void>): Promise<number> {
  const count = await rows.evaluateAll((all) => {
    const properties = (row: Element) => {
      const [, held] = Object.entries(row).find(([key]) => key.startsWith('__reactProps$'))!
      return held as unknown
    }
    const before = all.map(properties)
    return (
      Object.assign(globalThis, { redrawn: () => all.filter((row, n) => properties(row) !== before[n]).length }) &&
      all.length
    )
  })
  expect(count).toBeGreaterThan(50)
  await done()
  return rows.page().evaluate(() => (globalThis as unknown as { redrawn(): number }).redrawn())
}

async function begin(): Promise<string> {
  const headers = { 'idempotency-key': randomUUID() }
  const answer = await requester.send('POST', '/api/cases', { flow: FLOW, data: { department } }, headers)
  return answer.json().id
}

const taskOf = (caseId: string, desk: string) =>
  until(`the task of ${caseId} at ${desk}`, () =>
    one.db
      .selectFrom('task')
      .select('id')
      .where('case_id', '=', caseId)
      .where('desk', '=', desk)
      .where('state', 'in', ['open', 'held'])
      .executeTakeFirst(),
  )

test('an owner adds a desk and changes a deadline, tries, compares, deploys, migrates a running case, and goes back', async () => {
  const [waiting, ended] = await Promise.all([begin(), begin()])
  const past = await taskOf(ended, 'userTask_head')
  await head.send('POST', `/api/tasks/${past.id}/complete`, { data: { outcome: 'approve' } })
  const { id } = await taskOf(waiting, 'userTask_head')
  const at = await opens(owner, '/studio')
  const { page } = at
  await page.getByRole('link', { name: 'tests.drawn' }).click()
  await press(at, 'Edit')

  // After a change and its undo, the model is as good as before.
  const label = panel(at).getByLabel('Label')
  await drawnElement(at, 'userTask_head').click()
  await label.fill('Otherwise')
  await label.press('Enter')
  await press(at, 'Undo')
  await reads(page, /^Saved at \d\d:\d\d$/)
  await problems(at).getByText('No problems').waitFor()

  // A deadline is chosen from a list; a new desk has a reminder and an escalation, and shows what it lacks.
  await choose(panel(at).getByLabel('Due after'), '2 days')
  await panel(at).getByLabel('Remind after: unit of time').selectOption('hours')
  await promise(at, 'Remind after', '4')
  await page.locator('.djs-context-pad [data-action="append"]').click()
  await page.locator('.djs-popup input').fill('Desk')
  await page.keyboard.press('Enter')
  await label.fill('Look at it as Registrar')
  await label.press('Enter')
  await problems(at)
    .getByRole('button', { name: /Look at it as Registrar.*Form: a desk needs one/ })
    .click()
  await panel(at).getByText('userTask_lookAtItAsRegistrar').waitFor()
  await clock(at, 'Reminder after 1 working day, escalation after 3 working days').waitFor()
  await choose(panel(at).getByLabel('Offered to'), 'Registrar')
  await choose(panel(at).getByLabel('Form'), 'tests/approval')
  await problems(at).getByText('No problems').waitFor()

  await press(at, 'Simulate')
  await page.locator('.simulation').waitFor()
  await press(at, 'Simulate')
  await page.locator('.simulation').waitFor({ state: 'detached' })
  await reads(page, /^Saved at/)
  await looks(at, 'studio-draft')

  // A scenario that ends too early for the draft reports where it waits; once completed, it passes.
  await page.getByText('Scenarios', { exact: true }).click()
  await press(at, 'New scenario')
  const approves = async (desk: string) => {
    await dialog(at).getByRole('button', { name: 'A desk answers' }).click()
    await dialog(at).getByLabel('Desk', { exact: true }).last().selectOption({ value: desk })
    await dialog(at).getByLabel('outcome').last().selectOption({ label: 'approve' })
    await press(at, 'Save')
    await dialog(at).waitFor({ state: 'hidden' })
    await press(at, 'Run all')
  }
  await dialog(at).getByLabel('Name', { exact: true }).fill('All agree')
  await dialog(at).getByRole('radio', { name: 'It ends by' }).click()
  await dialog(at).getByLabel('It ends by', { exact: true }).last().selectOption({ value: 'endEvent_done' })
  await approves('userTask_head')
  await reads(page, '0 of 1 went as expected')
  await press(at, 'Change')
  await approves('userTask_lookAtItAsRegistrar')
  await reads(page, '1 of 1 went as expected')
  await until('the case has ended', async () => {
    const { state } = await one.db
      .selectFrom('flow_case')
      .select('state')
      .where('id', '=', ended)
      .executeTakeFirstOrThrow()
    return state === 'ended'
  })
  await press(at, 'Rehearse with real cases')
  await reads(page, '0 of 1 cases would take the same path')
  await at.picture('studio-scenarios')
  await expectAccessible(page)
  await press(at, /it would come to Look at it as Registrar/)
  await panel(at).getByText('userTask_lookAtItAsRegistrar').waitFor()

  await page.getByRole('link', { name: 'Compare' }).click()
  const listed = page.getByRole('region', { name: 'Differences' })
  await listed.getByRole('button', { name: 'New Look at it as Registrar Desk' }).click()
  // Elements that only moved to make room do not count.
  await page.getByRole('heading', { name: '4 differences' }).waitFor()
  const changed = await listed.getByRole('button', { name: /Approve as head Desk/ }).textContent()
  expect(changed).toContain('Due after: 3 working days → 2 days')
  expect(changed).toMatch(/Reminder: .* → after 4 hours/)
  await clock({ page: page.getByRole('group', { name: 'After' }) }, /^Reminder after 4 hours/).waitFor()
  await looks(at, 'studio-compare')

  await at.goes(`${STUDIO}/draft`)
  await press(at, 'Deploy…')
  await dialog(at).getByText('1 case is under way.').waitFor()
  await dialog(at).getByText('Look at it as Registrar', { exact: true }).first().waitFor()
  await press(at, 'Run them now')
  await dialog(at).getByText('1 of 1 went as expected on this draft.').waitFor()
  await dialog(at).getByLabel('Note').fill('The Registrar looks at it too')
  await dialog(at).getByRole('button', { name: 'Deploy…' }).click()

  await page.getByRole('heading', { name: /Move running cases/ }).waitFor()
  await page.locator('.djs-shape').first().waitFor()
  await looks(at, 'studio-migrate')
  const fits = page.getByText('Every case can go on.')
  await fits.waitFor()
  const target = page.getByRole('row', { name: /Approve as head/ })
  await target.locator('.ant-select').hover()
  await target.locator('.ant-select-clear').click()
  await fits.waitFor({ state: 'detached' })
  await press(at, 'Check the move')
  await reads(page, 'Cases at these steps have no match and stay on their version')
  await page.getByRole('listitem').filter({ hasText: 'Approve as head 1 case is here' }).waitFor()
  expect(await fits.count()).toBe(0)
  for (const side of ['Before', 'After'])
    await page.getByRole('group', { name: side }).locator('[data-element-id="userTask_head"] .djs-hit').first().click()
  await press(at, 'Check the move')
  await fits.waitFor()
  await one.db.transaction().execute(async (trx) => {
    await caseRepository(trx).hold(waiting)
    await press(at, 'Move the cases')
    await press(at, 'Stop the move…')
    await dialog(at)
      .getByText(/^Cases that have moved stay/)
      .waitFor()
    await dialog(at).getByLabel('Reason').fill('It is the wrong version')
    await dialog(at).getByRole('button', { name: 'Stop the move…' }).click()
    await reads(page, 'It had not moved yet when the move was stopped')
  })
  await reads(page, 'No case was moved. 1 stay where they were.')
  await looks(at, 'studio-move-stopped')
  await page.getByRole('link', { name: 'Move the rest…' }).click()
  await fits.waitFor()
  await press(at, 'Move the cases')
  await reads(page, '1 case was moved, 0 stay where they were.')
  await head.send('POST', `/api/tasks/${id}/complete`, { data: { outcome: 'approve' } })
  await taskOf(waiting, 'userTask_lookAtItAsRegistrar')

  await at.goes(STUDIO)
  await page.getByRole('cell', { name: 'The Registrar looks at it too' }).waitFor()
  await press(at, 'More for version 1')
  await page.getByText('Go back to this version…').click()
  await dialog(at).getByLabel('Note').fill('One desk is enough')
  await dialog(at).getByRole('button', { name: 'Go back to this version…' }).click()
  await page.getByRole('cell', { name: 'One desk is enough' }).waitFor()
  await looks(at, 'studio-flow')
  await taskOf(await begin(), 'userTask_head')

  await press(at, 'How it runs')
  await page.getByRole('button', { name: 'Approve as head' }).waitFor()
  await page.getByText('Rework').first().click()
  await page.getByText('Compare with another period').click()
  await looks(at, 'studio-heat')
  await at.goes('/studio')
  await page.getByRole('table').waitFor()
  await looks(at, 'studio-library')
})

test('one person draws at a time: another looks, takes over, and the first is told that nothing more is saved', async () => {
  await ask('POST', '/draft', {})
  const first = await opens(owner, `${STUDIO}/draft`)
  await drawnElement(first, 'userTask_head').waitFor()
  const other = await opens(second, `${STUDIO}/draft`)
  other.expects(409, `${MODEL}/draft/lock`)
  await reads(other.page, 'You can view it, but not change it.')
  expect(await other.page.locator('.djs-palette').count()).toBe(0)
  await press(other, 'Take over…')
  await dialog(other).getByRole('button', { name: 'Take over…' }).click()
  await other.page.locator('.djs-palette').waitFor()

  first.expects(409, `${MODEL}/draft`)
  await drawnElement(first, 'userTask_head').click()
  await panel(first).getByLabel('Label').fill('Mine')
  await panel(first).getByLabel('Label').press('Enter')
  await reads(first.page, /is working on this draft/)
  await reads(first.page, 'What you have drawn since is only in this window.')
  expect((await ask('GET', '/draft')).bpmn).not.toContain('Mine')

  const small = await opens(second, `${STUDIO}/draft`, { width: NARROW })
  await reads(small.page, /^Drawing needs a wider window/)
  await small.page.getByLabel('Choose what to change').selectOption({ label: 'Approve as head' })
  await panel(small).getByLabel('Label').fill('Approve on the way')
  await panel(small).getByLabel('Label').press('Enter')
  await small.picture('studio-draft-small')
  await expectAccessible(small.page)
  await promise(small, 'Remind after', '2')
  await small.picture('studio-promise-small')
  await choose(panel(small).getByLabel('Due after'), '14 days')
  await dialog(small).waitFor({ state: 'hidden' })
  await until('the draft says it', async () =>
    /name="Approve on the way"[^>]*dueDate="P14D"/.test((await ask('GET', '/draft')).bpmn),
  )
  expect((await ask('GET', '/draft')).bpmn).toContain('name="remind" value="workday2"')
  expect(await small.page.locator('.djs-palette, .djs-context-pad.open').count()).toBe(0)
  await small.picture('studio-draft-small-closed')
})

test('a desk keeps its promise instead of two timers; the promise is changed, refused and undone', async () => {
  for (const who of [second, owner]) await who.send('DELETE', `${MODEL}/draft`)
  const { revision } = await ask('POST', '/draft', {})
  const eyes = '<camunda:properties><camunda:property name="fourEyes" value="requester"/></camunda:properties>'
  const both = [telling('waits', { to: 'desk' }), telling('late', { to: 'above', after: '${workday3}' })]
  const bpmn = aModel({
    nodes: ['<bpmn:startEvent id="startEvent_asked" name="Asked">…</bpmn:startEvent>', aDesk('', eyes), ...both.flat()],
    flows: ['startEvent_asked → userTask_approve', ...['waits', 'late'].map((id) => `boundary_${id} → endEvent_${id}`)],
  }).replaceAll('"loan"', `"${PROCESS}"`)
  await owner.send('PUT', `${MODEL}/draft`, { revision, bpmn })
  const at = await opens(owner, `${STUDIO}/draft`)
  await drawnElement(at, 'userTask_approve').click()
  const [waits, words] = [
    drawnElement(at, 'boundary_waits'),
    'Reminder after 1 working day, escalation after 3 working days',
  ]
  await waits.waitFor()
  await at.picture('studio-promise-timers')
  await press(at, 'Turn the timers into reminder and escalation')
  await clock(at, words).waitFor()
  expect(await waits.count()).toBe(0)

  // One undo, and one redo.
  await press(at, 'Undo')
  await waits.waitFor()
  expect(await clock(at, words).count()).toBe(0)
  await press(at, 'Redo')
  await drawnElement(at, 'startEvent_asked').click()
  await clock(at, words).click()
  const remind = panel(at).getByLabel('Remind after', { exact: true })
  expect(await remind.inputValue()).toBe('1')
  const held = await until('the draft says it', async () => {
    const { bpmn: now } = await ask('GET', '/draft')
    return now.includes('name="remind" value="workday1"') && now
  })
  expect(held).toContain('name="escalate" value="workday3"')
  expect(held).toContain('name="escalateTemplate" value="instruments.mail.late"')
  expect(held).not.toMatch(/boundaryEvent|send-mail|remindTemplate/)

  for (const [count, problem] of [
    ['1', 'Escalate later than the reminder, which comes after 1 working day.'],
    ['0', 'Write at least 1, or clear it.'],
    ['61', 'At most 60 working days or 365 days.'],
    ['soon', 'Write a whole number.'],
  ] as const) {
    await promise(at, 'Escalate after', count)
    await panel(at).getByRole('status').filter({ hasText: problem }).waitFor()
    if (count === '0') await expectAccessible(at.page)
  }
  await at.picture('studio-promise')
  await promise(at, 'Escalate after', '5')
  await clock(at, 'Reminder after 1 working day, escalation after 5 working days').waitFor()
  await panel(at).getByLabel('Escalate after: unit of time').selectOption('days')
  await clock(at, 'Reminder after 1 working day, escalation after 5 days').waitFor()
  await press(at, 'Undo')
  await clock(at, 'Reminder after 1 working day, escalation after 5 working days').waitFor()
  await promise(at, 'Escalate after', '')
  await clock(at, 'Reminder after 1 working day').waitFor()
  // Without the escalation its template is removed; one undo restores both.
  await until('the draft says it', async () => !/escalate/.test((await ask('GET', '/draft')).bpmn))
  await press(at, 'Undo')
  await choose(panel(at).getByLabel('Email of the escalation'), 'tests.mail.waits')
  await until('the draft says it', async () =>
    (await ask('GET', '/draft')).bpmn.includes('name="escalateTemplate" value="tests.mail.waits"'),
  )
  await at.page.locator('.djs-context-pad [data-action="delete"]').click()
  await clock(at, /Reminder/).waitFor({ state: 'detached' })
  await press(at, 'Undo')
  await clock(at, 'Reminder after 1 working day, escalation after 5 working days').waitFor()
  await owner.send('DELETE', `${MODEL}/draft`)
})

test('a model of another tool shows what is lost and what is wrong before it replaces anything', async () => {
  await second.send('DELETE', `${MODEL}/draft`)
  await ask('POST', '/draft', {})
  const at = await opens(owner, `${STUDIO}/draft`)
  await drawnElement(at, 'userTask_head').waitFor()
  await press(at, 'File')
  await at.page.getByText('Import a model…').click()
  const offers = (name: string, xml: string) =>
    at.page.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/xml', buffer: Buffer.from(xml) })
  await offers('foreign.bpmn', foreign)
  await dialog(at).getByText('Its process Foreign becomes').waitFor()
  await dialog(at)
    .getByText('Left out, because flows do not support them: signavio:color, zeebe:taskDefinition.')
    .waitFor()
  const problem = dialog(at).getByRole('listitem').filter({ hasText: 'models run no scripts' })
  await problem.getByText('do', { exact: true }).waitFor()
  // A flow in the model that the diagram does not show.
  await dialog(at).getByText('go → do is in the model, but cannot be shown on the drawing').waitFor()
  await dialog(at).getByRole('button', { name: 'Replace the draft' }).click()
  await drawnElement(at, 'sid-3').waitFor()
  await reads(at.page, /^Saved at/)
  await until('the draft holds it', async () => (await ask('GET', '/draft')).bpmn.includes('sid-3'))
  await press(at, 'Deploy…')
  await dialog(at)
    .getByText(/keeps? it from being deployed/)
    .waitFor()
  expect(await dialog(at).getByRole('button', { name: 'Deploy…' }).isDisabled()).toBe(true)
})

test('a model that cannot be drawn replaces nothing; one without a diagram is laid out, and of several one is chosen', async () => {
  await second.send('DELETE', `${MODEL}/draft`)
  await owner.send('DELETE', `${MODEL}/draft`)
  const before = await ask('POST', '/draft', {})
  const at = await opens(owner, `${STUDIO}/draft`)
  await drawnElement(at, 'userTask_head').waitFor()
  await press(at, 'File')
  await at.page.getByText('Import a model…').click()
  const offers = (name: string, xml: string, encoding: BufferEncoding = 'utf8') =>
    at.page
      .locator('input[type=file]')
      .setInputFiles({ name, mimeType: 'application/xml', buffer: Buffer.from(xml, encoding) })
  const replace = dialog(at).getByRole('button', { name: 'Replace the draft' })

  const diagram = /<bpmndi:BPMNDiagram[^]*<\/bpmndi:BPMNDiagram>/
  await offers('empty.bpmn', foreign.replace(diagram, '').replace(/<startEvent[^]*<\/process>/, '</process>'))
  await dialog(at).getByText('empty.bpmn cannot be read: it has no diagram, and nothing that could be drawn').waitFor()
  expect(await replace.isDisabled()).toBe(true)
  // Its plane belongs to a step: the modeler reports that only when it draws.
  await offers('odd.bpmn', foreign.replace('bpmnElement="sid-1"', 'bpmnElement="sid-3"'))
  await dialog(at)
    .getByText(/odd\.bpmn cannot be read: it cannot be drawn \(unsupported bpmnElement/)
    .waitFor()
  expect(await replace.isDisabled()).toBe(true)
  await drawnElement(at, 'userTask_head').waitFor()
  expect((await ask('GET', '/draft')).bpmn).toBe(before.bpmn)

  const again = (name: string) =>
    diagram
      .exec(foreign)![0]
      .replaceAll(/id="sid-(\d)"/g, `id="${name}-$1"`)
      .replace('Diagram id', `Diagram name="${name}" id`)
  await offers('two.bpmn', foreign.replace(diagram, again('First') + again('Second')))
  const which = dialog(at).getByLabel('Which one should be used?')
  await dialog(at).getByText('Second is left out: it is another diagram').waitFor()
  await which.selectOption('Second')
  await dialog(at).getByText('First is left out: it is another diagram').waitFor()
  await at.picture('studio-import-two')

  const bare = foreign
    .replace(diagram, '')
    .replace('?>', ' encoding="windows-1252"?>')
    .replace('name="do"', 'name="Tür"')
  await offers('bare.bpmn', bare, 'latin1')
  await dialog(at).getByText('so one was made').waitFor()
  await replace.click()
  await drawnElement(at, 'sid-3').waitFor()
  await until('the draft holds it', async () => /name="Tür"/.test((await ask('GET', '/draft')).bpmn))
  await reads(at.page, /^Saved at/)

  await press(at, 'File')
  await at.page.getByText('Import a model…').click()
  await offers('undrawn.bpmn', foreign.replace(/<bpmndi:BPMNShape id="sid-8"[^]*?<\/bpmndi:BPMNShape>/, ''))
  await dialog(at).getByText('2 elements differ from the file').waitFor()
  await replace.click()
  await problems(at)
    .getByRole('button', { name: /^do .*models run no scripts/ })
    .waitFor()
  await reads(at.page, /^Saved at/)
})

/** Controls timing in a busy page: delays an answer, and resizes the window. */
interface Moments {
  /** Delays the answer of the draft's next check. */
  hold(): void
  isHeld(): boolean
  release(): void
  turn(wide: boolean): void
}

declare const inPage: Moments

/** Runs in the page before anything else. */
function momentsInTests(): void {
  const known: MediaQueryList[] = []
  const asked = window.matchMedia.bind(window)
  window.matchMedia = (query) => {
    const list = asked(query)
    known.push(list)
    return list
  }
  const fetched = window.fetch.bind(window)
  let holding = false
  let release: (() => void) | undefined
  window.fetch = async (address, init) => {
    const answer = await fetched(address, init)
    if (!holding || !String(address).endsWith('/check')) return answer
    holding = false
    const text = await answer.text()
    await new Promise<void>((resolve) => (release = resolve))
    // Already read: once released, only the page's own steps remain.
    Object.defineProperty(answer, 'text', { value: () => Promise.resolve(text) })
    return answer
  }
  const moments: Moments = {
    hold: () => void (holding = true),
    isHeld: () => release !== undefined,
    release: () => release?.(),
    turn(wide) {
      for (const list of known.filter(({ media }) => media === '(min-width: 768px)')) {
        Object.defineProperty(list, 'matches', { value: wide, configurable: true })
        list.dispatchEvent(new Event('change'))
      }
    },
  }
  Object.assign(globalThis, { inPage: moments })
}

test('a window that is resized during a check continues with the current drawing', async () => {
  for (const who of [second, owner]) await who.send('DELETE', `${MODEL}/draft`)
  await ask('POST', '/draft', {})
  const at = await opens(owner, '/studio')
  const { page } = at
  await page.addInitScript(momentsInTests)
  await at.opens(`${STUDIO}/draft`)
  await problems(at).getByText('No problems').waitFor()
  await page.evaluate(() => inPage.hold())
  await drawnElement(at, 'userTask_head').click()
  const label = panel(at).getByLabel('Label')
  await label.fill('Otherwise')
  await label.press('Enter')
  await page.waitForFunction(() => inPage.isHeld())
  await page.evaluate(async () => {
    const { release, turn } = inPage
    release()
    for (let step = 0; step < 50; step++) await Promise.resolve()
    turn(false)
    await Promise.resolve()
    turn(true)
  })

  await page.locator('.djs-palette').waitFor()
  expect(await page.locator('.djs-container').count()).toBe(1)
  await drawnElement(at, 'userTask_head').click()
  expect(await label.inputValue()).toBe('Otherwise')
  await label.fill('Once more')
  await label.press('Enter')
  await until('the draft holds it', async () => (await ask('GET', '/draft')).bpmn.includes('Once more'))
  await reads(page, /^Saved at/)
})

test('a diagram is searched by label, shown as a minimap, and exported as a model and as pictures', async () => {
  for (const who of [second, owner]) await who.send('DELETE', `${MODEL}/draft`)
  const { bpmn } = await ask('POST', '/draft', {})
  const at = await opens(owner, `${STUDIO}/draft`)
  const { page } = at
  await drawnElement(at, 'userTask_head').waitFor()
  await choose(panel(at).getByLabel('History is kept for'), '7 years')
  await press(at, 'Find')
  await page.keyboard.type('approve as head')
  await page.locator('.djs-search-result').filter({ hasText: 'Approve as head' }).waitFor()
  await page.keyboard.press('Enter')
  await panel(at).getByText('userTask_head', { exact: true }).waitFor()

  const map = page.locator('.djs-minimap .map')
  expect(await map.isVisible()).toBe(false)
  await press(at, 'Map')
  const small = await map.locator('[id^="djs-minimap-userTask_head-"]').boundingBox()
  expect([small!.width, small!.height].every((side) => side > 0)).toBe(true)
  await press(at, 'Map')
  await map.waitFor({ state: 'hidden' })

  const keeps = async (kind: string) => {
    await press(at, 'File')
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByText(`Save as ${kind}`).click()])
    return { name: download.suggestedFilename(), content: readFileSync(await download.path()) }
  }
  const model = await keeps('.bpmn')
  expect(model.name).toBe(`${PROCESS}.bpmn`)
  const [before, after] = await Promise.all([readBpmn(bpmn), readBpmn(model.content.toString())])
  const naming = namingOf(undefined, (key, values) => `${key} ${values?.['count']}`)
  const told = differences(before.definitions, after.definitions, naming)
  // The modeler adds to gateways whether their marker is shown; only the intended changes differ.
  expect([after.warnings, told.flatMap(({ changes }) => changes)]).toEqual([
    [],
    [{ about: 'history', before: 'platform.studio-time.years 5', after: 'platform.studio-time.years 7' }],
  ])

  const svg = await keeps('SVG')
  expect(svg.name).toBe(`${PROCESS}.svg`)
  const desk = await page.evaluate((text) => {
    const image = new DOMParser().parseFromString(text, 'image/svg+xml')
    return image.querySelector('parsererror, [data-element-id="userTask_head"]')?.textContent
  }, svg.content.toString())
  expect(desk?.replaceAll(/\s/g, '')).toBe('Approveashead')

  const png = await keeps('PNG')
  expect(png.name).toBe(`${PROCESS}.png`)
  expect(png.content.subarray(0, 8)).toEqual(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))
  const [width, height] = [16, 20].map((offset) => png.content.readUInt32BE(offset))
  expect(width! > 200 && height! > 200).toBe(true)
})

test('a second owner sees the proposal to approve, not the later draft', async () => {
  await owner.send('PUT', `${MODEL}/settings`, { secondOwner: true })
  await second.send('DELETE', `${MODEL}/draft`)
  const { revision } = await ask('POST', '/draft', {})
  const save = (from: number, bpmn: string) => owner.send('PUT', `${MODEL}/draft`, { revision: from, bpmn })
  await save(revision, drawn(PROCESS, asHead, asRegistrar))
  await ask('POST', '/deploy', { revision: revision + 1, note: 'The Registrar confirms' })
  await save(revision + 1, drawn(PROCESS, asDean))
  const at = await opens(second, STUDIO)
  await at.page.getByRole('link', { name: 'See what would change' }).click()
  const listed = at.page.getByRole('region', { name: 'Differences' })
  await listed.getByRole('button', { name: 'New Confirm Desk' }).waitFor()
  expect(await listed.getByText('Approve as assistant registrar').count()).toBe(0)
  await looks(at, 'studio-proposal')
  const answers = async (word: string, note: string) => {
    await at.goes(STUDIO)
    await press(at, word)
    await dialog(at).getByLabel('Note').fill(note)
    await dialog(at).getByRole('button', { name: word }).click()
    await dialog(at).waitFor({ state: 'hidden' })
    await at.page.getByRole('button', { name: word }).waitFor({ state: 'detached' })
  }
  await answers('Refuse…', 'Not now')
  const [{ version }] = (await ask('GET', '/versions')).items
  await ask('POST', '/deploy', { revision: revision + 2, note: 'The assistant approves' })
  await at.page.reload()
  await answers('Accept…', 'Agreed')
  await at.page.getByRole('cell', { name: 'The assistant approves' }).waitFor()
  const [newest] = (await ask('GET', '/versions')).items
  expect(newest).toMatchObject({ version: version + 1, note: 'The assistant approves' })
  expect(newest.approvedBy).not.toBeNull()

  // Removing the requirement takes two people as well.
  const name = 'Another owner has to accept what is deployed'
  expect(await at.page.getByRole('switch', { name }).isDisabled()).toBe(true)
  const administrator = await opens(await app.person(`admin-${randomUUID()}`, { role: 'ADMIN' }), STUDIO)
  await administrator.page.getByRole('switch', { name }).click()
  await dialog(administrator).getByLabel('Note').fill('The other owner is away')
  await dialog(administrator).getByRole('button', { name: 'Ask to waive it…' }).click()
  await administrator.page.getByRole('button', { name: 'Take back…' }).waitFor()
  await dialog(administrator).waitFor({ state: 'hidden' })
  await looks(administrator, 'studio-waiver')
  await at.page.reload()
  await answers('Confirm…', 'Agreed')
  await at.page.getByRole('switch', { name, checked: false }).waitFor()
})

test('with hundreds of problems and differences, selecting or jumping redraws no other line', async () => {
  await second.send('DELETE', `${MODEL}/draft`)
  await owner.send('DELETE', `${MODEL}/draft`)
  const { revision } = await ask('POST', '/draft', {})
  await owner.send('PUT', `${MODEL}/draft`, { revision, bpmn: largeModel(PROCESS, 100) })
  const at = await opens(owner, `${STUDIO}/draft`)
  const lines = problems(at).getByRole('listitem')
  await lines.first().waitFor()
  const chosen = await countRedrawn(lines, async () => {
    await drawnElement(at, 'userTask_s3').click()
    await panel(at).getByText('userTask_s3', { exact: true }).waitFor()
  })
  expect(chosen).toBe(0)
  // Only the line of the renamed desk changes.
  const renamed = await countRedrawn(lines, async () => {
    await panel(at).getByLabel('Label').fill('Called otherwise')
    await panel(at).getByLabel('Label').press('Enter')
    await lines.getByText('Called otherwise').first().waitFor()
  })
  expect(renamed).toBeLessThan(5)
  await reads(at.page, /^Saved at/)

  await at.goes(`${STUDIO}/compare?to=draft`)
  const differing = at.page.getByRole('region', { name: 'Differences' }).locator('li')
  await differing.nth(60).waitFor()
  const canvases = at.page.locator('[data-element-id="endEvent_last"]')
  await until('it is drawn', async () => (await canvases.count()) > 0)
  const jumped = await countRedrawn(differing, async () => {
    await differing.nth(7).getByRole('button').click()
    await at.page.locator('button[aria-current="true"]').waitFor()
  })
  expect(jumped).toBeLessThan(3)
  await owner.send('DELETE', `${MODEL}/draft`)
})

test('a desk that lacks a dozen four-eyes entries gets them all at once', async () => {
  const at = await visitors.arrives()
  present.push(at)
  const [who, draft] = [await as('owner.flows'), '/api/studio/models/payment-voucher/draft']
  await who.send('DELETE', draft)
  const { bpmn, revision } = await who.ok('POST', draft, {})
  const fourEyes = /(<bpmn:userTask id="userTask_pay"[^]*?name="fourEyes" value=")([^"]*)/
  const named = fourEyes.exec(bpmn)![2]!
  await who.ok('PUT', draft, { revision, bpmn: bpmn.replace(fourEyes, '$1userTask_settle') })
  await at.signsIn('owner.flows', '/studio/payment-voucher/draft')
  await problems(at)
    .getByRole('button', { name: /^Pay .*the person who decided at “Certify”/ })
    .click()
  await panel(at)
    .getByText(/^Not kept apart from this desk yet: .*Certify.*the requester/)
    .waitFor()
  await at.picture('studio-keep-apart')
  await panel(at).getByRole('button', { name: 'Keep apart from all of these' }).click()
  await problems(at).getByText('No problems').waitFor()
  expect(await panel(at).getByRole('button', { name: 'Keep apart' }).count()).toBe(0)
  const now = await until('the draft says it', async () => {
    const found = fourEyes.exec((await who.ok('GET', draft)).bpmn)
    return found && found[2] !== 'userTask_settle' && found[2]
  })
  expect(now.split(',').sort()).toEqual(named.split(',').sort())
  await who.send('DELETE', draft)
})

test('a decision table is changed, tried and compared, and shows its gaps', async () => {
  const at = await visitors.arrives()
  present.push(at)
  const { page } = at
  const [who, draft] = [await as('owner.flows'), '/api/studio/models/payment-voucher/draft']
  await who.send('DELETE', draft)
  await who.ok('POST', draft, {})
  await at.signsIn('owner.flows', '/studio/payment-voucher/draft')
  await page.getByText('Decision tables').click()
  const table = page.getByRole('region', { name: 'Decision table' })
  const tries = async () => {
    await table.getByLabel('Faculty').fill('f')
    await table.getByLabel('Total in cents').fill('3000000')
    await press(at, 'Ask the table')
  }
  await tries()
  await reads(page, 'Row 2 applies: Dean recommends, Registrar approves')
  await table.getByText('<= 2500000').click()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('<= 3000000')
  await table.getByLabel('Faculty').click()
  await until('the draft says it', async () => JSON.stringify(await who.ok('GET', draft)).includes('&lt;= 3000000'))
  await tries()
  await reads(page, 'Row 1 applies: Dean approves')
  await at.picture('studio-table')
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Compare' }).click()
  await reads(page, /^Row 1: .*2500000.* → .*3000000/)
  await who.send('DELETE', draft)
})

/** As another tool writes it: with its own extensions, and a script. */
const foreign = `<?xml version="1.0"?>
<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:bpmndi="http://www.omg.org/spec/BPMN/20100524/DI" xmlns:omgdc="http://www.omg.org/spec/DD/20100524/DC" xmlns:signavio="http://www.signavio.com" xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" id="sid-0" targetNamespace="http://www.signavio.com">
  <process id="sid-1" name="Foreign" isExecutable="false" signavio:color="red">
    <startEvent id="sid-2" name="go"><outgoing>sid-4</outgoing></startEvent>
    <scriptTask id="sid-3" name="do"><extensionElements><zeebe:taskDefinition type="x"/></extensionElements><incoming>sid-4</incoming><script>x</script></scriptTask>
    <sequenceFlow id="sid-4" sourceRef="sid-2" targetRef="sid-3"/>
  </process>
  <bpmndi:BPMNDiagram id="sid-5"><bpmndi:BPMNPlane id="sid-6" bpmnElement="sid-1">
    <bpmndi:BPMNShape id="sid-7" bpmnElement="sid-2"><omgdc:Bounds x="100" y="100" width="36" height="36"/></bpmndi:BPMNShape>
    <bpmndi:BPMNShape id="sid-8" bpmnElement="sid-3"><omgdc:Bounds x="200" y="80" width="100" height="80"/></bpmndi:BPMNShape>
  </bpmndi:BPMNPlane></bpmndi:BPMNDiagram>
</definitions>`
