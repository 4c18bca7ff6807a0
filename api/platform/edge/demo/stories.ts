import { readJson } from '../../kernel/json-file.ts'
import { audit } from '../../kernel/audit/audit.ts'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Logger } from 'pino'
import sharp from 'sharp'
import type { Cases } from '../../work/cases/service.ts'
import type { DB, JsonObject, JsonValue } from '../../kernel/db/database.generated.ts'
import type { Engine } from '../../kernel/engine/port.ts'
import type { files } from '../../records/files/files.ts'
import { saveStep } from '../../features/own-records/service.ts'
import { signLines } from '../../features/runs/signing.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import type { Library } from '../../model/library/library.ts'
import { listLines } from '../../work/rows/run-lines.ts'
import { registers } from '../../records/registers/registers.ts'
import { prefilled } from '../../model/forms/prefill.ts'
import { getPerson } from '../../people/identity/accounts.ts'
import type { Person } from '../../people/persons/person.ts'
import type { Tasks } from '../../work/tasks/service.ts'
import { accountId, dated, nameOf, named } from './names.ts'
import type { ObjectStore } from '../../records/files/store.ts'
import { drawPicture } from './pictures.ts'

export interface StoryDependencies {
  db: Kysely<DB>
  engine: Pick<Engine, 'fireTimer'>
  library: Library
  definitions: Definitions
  cases: Cases
  tasks: Tasks
  files: ReturnType<typeof files>
  store: ObjectStore
  root: string
  /** Aborts when the system stops. */
  signal: AbortSignal
  log: Logger
}

/**
 * One case of `forms/<area>/stories.demo.json`: the request and the steps of each person. A case with a `key` can be
 * named by later ones: `case:<key>` in their data stands for its id, and `of` continues it.
 */
interface Story {
  flow: string
  key?: string
  by: string
  /** `+9d 18:00` means that time of day in Colombo, 9 days from now; `+9d` means the day, `-9d` an earlier one. */
  data: JsonObject
  then: Step[]
}

/** Steps of the person's own record, saved as complete. */
interface Recorded {
  record: string
  by: string
  steps: Record<string, JsonObject>
}

type AnyStory = Story | Continued | Recorded | Changed

/** Further steps of a case. */
interface Continued {
  of: string
  by: string
  then: Step[]
}

/** A register entry that changes between cases, such as an intake that closes. */
interface Changed {
  item: string
  by: string
  change: JsonObject
}

/**
 * `reaches` waits until the case has that status, `passes` lets the time pass for which the timer of an element waits.
 * `sign` records the signatures of all lines of the case's run, as from the printed sheet. An answer at a desk keeps the prefilled fields of its form; `/documents/0/file` names a value within one. `drawing:<name>` stands for a sheet with that picture,
 * which the actor uploads, and `fact:<name>` for a fact of the case.
 */
type Step =
  | { by: string; at: string; decide: JsonObject }
  | { by: string; act: string; data: JsonObject }
  | { by: string; withdraw: string }
  | { by: string; sign: 'all' }
  | { by: string; reaches: string }
  | { by: string; passes: string }

const POLL_MS = 50
/** Milliseconds to wait for a step: a first start is slow, but after this time the step will never be possible. */
const MAX_WAIT_MS = 120_000

/** Advisory lock key; arbitrary, but the same on every node. */
const LOCK = 7_001_005

/** Notes that the stories of all areas are to be played. */
export async function awaitStories(db: Kysely<DB>, root: string): Promise<void> {
  const waiting = areasWithStories(root).flatMap((area) => storiesOf(root, area).map((_, nr) => ({ area, nr })))
  await db
    .insertInto('demo_story')
    .values(waiting)
    .onConflict((at) => at.doNothing())
    .execute()
}

/**
 * Plays the demo cases that wait through the normal services, so that first-time visitors find calendars and inboxes with
 * content. A failing story does not stop the others; the audit trail names it. If a start is interrupted, the next one
 * goes on; the case that was just being played stays as it is, and is named as failed. Nodes do not play at the same
 * time.
 */
export async function playStories(dependencies: StoryDependencies): Promise<void> {
  const { db } = dependencies
  const someWait = () =>
    db.selectFrom('demo_story').select('nr').where('state', '<>', 'told').limit(1).executeTakeFirst()
  if (!(await someWait())) return
  await db.connection().execute(async (held) => {
    const { rows } = await sql<{ locked: boolean }>`select pg_try_advisory_lock(${LOCK}) as locked`.execute(held)
    if (!rows[0]?.locked) return
    try {
      if (await someWait()) await playWaiting(dependencies)
    } finally {
      await sql`select pg_advisory_unlock(${LOCK})`.execute(held)
    }
  })
}

async function playWaiting(dependencies: StoryDependencies): Promise<void> {
  const { db, root, signal, log } = dependencies
  const failed: string[] = []
  const all = await db.selectFrom('demo_story').selectAll().orderBy('area').orderBy('nr').execute()
  for (const [area, rows] of Map.groupBy(all, (row) => row.area)) {
    const stories = storiesOf(root, area)
    const cases = new Map<string, string>()
    for (const { nr, state, case_id } of rows) {
      const story = stories[nr]
      if (case_id !== null && story && 'key' in story && story.key !== undefined) cases.set(story.key, case_id)
      if (state === 'told') continue
      if (signal.aborted) return
      const becomes = (change: { state: 'begun' | 'told' } | { case_id: string }) =>
        db.updateTable('demo_story').set(change).where('area', '=', area).where('nr', '=', nr).execute()
      try {
        if (!story || state === 'begun') throw new Error('it was interrupted, or is not there any more')
        await becomes({ state: 'begun' })
        await play(story, { known: cases, begun: (id) => becomes({ case_id: id }) }, dependencies)
      } catch (error) {
        if (signal.aborted) return
        failed.push(`${area} ${nr}: ${error instanceof Error ? error.message : String(error)}`)
        log.warn({ err: error, area, nr }, 'playing a demo case failed')
      }
      await becomes({ state: 'told' })
    }
  }
  await db
    .transaction()
    .execute((trx) => audit(trx).record({ actor: 'system:demo', action: 'demo.played', payload: { failed } }))
}

const fileOf = (root: string, area: string) => join(root, 'forms', area, 'stories.demo.json')

const areasWithStories = (root: string): string[] =>
  readdirSync(join(root, 'forms')).filter((area) => existsSync(fileOf(root, area)))

const storiesOf = (root: string, area: string): AnyStory[] => readJson<AnyStory[]>(fileOf(root, area))

interface Told {
  /** Ids of the cases with a key. */
  known: Map<string, string>
  /** Notes the case that the story begins. */
  begun(id: string): Promise<unknown>
}

/** Plays one case, or goes on with an earlier one. */
async function play(story: AnyStory, { known, begun }: Told, dependencies: StoryDependencies): Promise<void> {
  const requester = await person(story.by, dependencies)
  if ('record' in story) return fillIn(requester, story, dependencies)
  if ('item' in story) return changeEntry(story, dependencies)
  if ('of' in story) return take(story.then, requester, found(known, story.of), dependencies)
  const data = await drawn(requester, withCases(named(dated(story.data)), known), dependencies)
  const { id } = (await dependencies.cases.submit(requester, { flow: story.flow, data })).case
  await begun(id)
  if (story.key !== undefined) known.set(story.key, id)
  return take(story.then, requester, id, dependencies)
}

/** Saves the steps of a person's own record. */
async function fillIn(owner: Person, { record, steps }: Recorded, dependencies: StoryDependencies): Promise<void> {
  for (const [step, said] of Object.entries(steps)) {
    const data = await drawn(owner, named(dated(said)), dependencies)
    await saveStep(dependencies, owner, { record, step }, { data, complete: true })
  }
}

/** As if a second person had approved it: what is certified stays so. */
async function changeEntry({ item, change }: Changed, { db, library }: StoryDependencies): Promise<void> {
  const name = nameOf(item)
  if (!name) throw new Error(`${item} names no entry`)
  await db.transaction().execute(async (trx) => {
    const on = registers(trx, library)
    await on.change(await on.lock(name.register, named(item)), named(dated(change)), null)
  })
}

/** The steps of a case, each as soon as it is possible. */
async function take(steps: readonly Step[], requester: Person, id: string, dependencies: StoryDependencies) {
  for (const step of steps) {
    const actor = await person(step.by, dependencies)
    await until(dependencies, () => takeStep(step, { actor, requester, id }, dependencies))
  }
}

async function takeStep(
  step: Step,
  { actor, requester, id }: { actor: Person; requester: Person; id: string },
  dependencies: StoryDependencies,
): Promise<object | boolean | undefined> {
  const { cases } = dependencies
  if ('sign' in step) return signAll(actor, id, dependencies)
  if ('passes' in step) return fire(id, step.passes, dependencies)
  const now = await cases.get(requester, id)
  if ('reaches' in step) return now.status.key === step.reaches
  if ('withdraw' in step) return now.withdrawable && (await cases.withdraw(actor, now.id, step.withdraw))
  if ('act' in step)
    return (
      now.acts.some(({ name }) => name === step.act) &&
      (await cases.act(actor, now.id, step.act, { data: named(dated(step.data)) }))
    )
  const task = now.waitsWith.find(({ desk }) => desk === step.at)
  return task && answer(actor, task.taskId, step.decide, dependencies)
}

/** Lets the time of a timer pass. */
async function fire(id: string, element: string, { db, engine }: StoryDependencies): Promise<boolean> {
  const { process_instance_id: instance } = await db
    .selectFrom('flow_case')
    .select('process_instance_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return instance !== null && engine.fireTimer(instance, element)
}

function found(cases: ReadonlyMap<string, string>, key: string): string {
  const id = cases.get(key)
  if (id === undefined) throw new Error(`no earlier demo case has the key ${key}`)
  return id
}

/** The data with the ids of earlier cases. */
function withCases(data: JsonObject, cases: ReadonlyMap<string, string>): JsonObject {
  const replaced = Object.entries(data).map(([name, value]) => {
    const [, key] = (typeof value === 'string' && /^case:(.+)$/.exec(value)) || []
    return [name, key === undefined ? value : found(cases, key)] as const
  })
  return Object.fromEntries(replaced)
}

/** The answers with facts of the case. */
function withFacts(answers: JsonObject, facts: JsonObject): JsonObject {
  const replaced = Object.entries(answers).map(([name, value]) => {
    const [, fact] = (typeof value === 'string' && /^fact:(.+)$/.exec(value)) || []
    return [name, fact === undefined ? value : (facts[fact] ?? null)] as const
  })
  return Object.fromEntries(replaced)
}

async function signAll(actor: Person, caseId: string, dependencies: StoryDependencies): Promise<boolean> {
  const lines = await listLines(dependencies.db, caseId)
  const { signed } = await signLines(dependencies, actor, { caseId, lines: lines.map(({ id }) => id), codes: [] })
  return signed > 0
}

async function answer(actor: Person, task: string, decide: JsonObject, { tasks, files }: StoryDependencies) {
  const { form, case: seen } = await tasks.get(actor, task)
  const said = filledIn(prefilled(form?.schema ?? {}, seen), named(dated(withFacts(decide, seen.facts))))
  return tasks.complete(actor, task, { data: await drawn(actor, said, { files }) })
}

/** The prefilled data with the answers; one whose name is a pointer goes into a prefilled list. */
function filledIn(given: JsonObject, answers: JsonObject): JsonObject {
  const whole = structuredClone(given)
  for (const [name, value] of Object.entries(answers)) {
    const path = name.split('/').filter((part) => part !== '')
    const last = path.pop() ?? name
    const holder = path.reduce<JsonValue | undefined>((part, one) => Object(part)[one], whole)
    Object.assign(Object(holder), { [last]: value })
  }
  return whole
}

/** The data to send, with the uploaded sheets. */
async function drawn(
  actor: Person,
  said: JsonObject,
  { files }: Pick<StoryDependencies, 'files'>,
): Promise<JsonObject> {
  const put = async (name: string, value: unknown): Promise<unknown> => {
    if (Array.isArray(value)) return Promise.all(value.map((one) => put(name, one)))
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(
        await Promise.all(Object.entries(value).map(async ([part, one]) => [part, await put(name, one)])),
      )
    const [, picture] = (typeof value === 'string' && /^drawing:(.+)$/.exec(value)) || []
    if (picture === undefined) return value
    const content = await sharp(await drawPicture(picture))
      .png()
      .toBuffer()
    return (await files.save({ name: `${name}.png`, content, owner: actor.id })).id
  }
  const sent = await Promise.all(Object.entries(said).map(async ([name, value]) => [name, await put(name, value)]))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was JSON, and `put` only swaps texts for ids
  return Object.fromEntries(sent) as JsonObject
}

async function person(username: string, { db }: StoryDependencies): Promise<Person> {
  return getPerson(db, accountId(username))
}

async function until({ signal }: StoryDependencies, act: () => Promise<object | boolean | undefined>): Promise<void> {
  const end = Date.now() + MAX_WAIT_MS
  while (!(await act())) {
    if (Date.now() > end) throw new Error('the next step did not become possible in time')
    await wait(POLL_MS, undefined, { signal })
  }
}
