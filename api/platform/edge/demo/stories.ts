import { audit } from '../../kernel/audit/audit.ts'
import { dayInColombo } from '../../kernel/colombo.ts'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import sharp from 'sharp'
import type { Cases } from '../../work/cases/service.ts'
import type { DB, JsonObject, JsonValue } from '../../kernel/db/database.generated.ts'
import type { files } from '../../records/files/files.ts'
import { prefilled } from '../../model/forms/prefill.ts'
import { getPerson } from '../../people/identity/accounts.ts'
import type { Person } from '../../people/persons/person.ts'
import type { Tasks } from '../../work/tasks/service.ts'
import { accountId, named } from './names.ts'
import { drawPicture } from './pictures.ts'

export interface StoryDependencies {
  db: Kysely<DB>
  cases: Cases
  tasks: Tasks
  files: ReturnType<typeof files>
  /** The root folder of the product. */
  root: string
  /** Ends the playing when the product stops. */
  signal: AbortSignal
  log: Logger
}

/** One case of `forms/<area>/stories.demo.json`: what somebody asks for, and who then does what. */
interface Story {
  flow: string
  by: string
  /** `+9d 18:00` stands for that time of day in Colombo, so many days from now, `+9d` for the day, `-9d` for one before. */
  data: JsonObject
  then: Step[]
}

/**
 * An answer at a desk leaves as they are the fields that its form fills by itself. In all that is sent, `drawing:<name>`
 * stands for a sheet with that picture, which the actor uploads.
 */
type Step =
  | { by: string; at: string; decide: JsonObject }
  | { by: string; act: string; data: JsonObject }
  | { by: string; withdraw: string }

const LOOK_AGAIN = 250
/** A first start is slow; a step that is not possible by then never will be. */
const PATIENCE = 120_000

/**
 * Plays demo cases through the same services as everybody else, so that a first visitor finds calendars and inboxes
 * with something in them. One story that cannot go on stops none of the others.
 */
export async function playStories(dependencies: StoryDependencies): Promise<void> {
  const { db, root, signal, log } = dependencies
  for (const area of readdirSync(join(root, 'forms'))) {
    const file = join(root, 'forms', area, 'stories.demo.json')
    if (!existsSync(file)) continue
    for (const story of JSON.parse(readFileSync(file, 'utf8')) as Story[]) {
      try {
        await play(story, dependencies)
      } catch (error) {
        if (signal.aborted) return
        log.warn({ err: error, flow: story.flow, by: story.by }, 'playing a demo case failed')
      }
    }
  }
  await db
    .transaction()
    .execute((trx) => audit(trx).record({ actor: 'system:demo', action: 'demo.played', payload: {} }))
}

async function play({ flow, by, data, then }: Story, dependencies: StoryDependencies): Promise<void> {
  const { cases } = dependencies
  const requester = await person(by, dependencies)
  const begun = await cases.submit(requester, { flow, data: await drawn(requester, named(dated(data)), dependencies) })
  for (const step of then) {
    const actor = await person(step.by, dependencies)
    await until(dependencies, async () => {
      const now = await cases.get(requester, begun.case.id)
      if ('withdraw' in step) return now.withdrawable && (await cases.withdraw(actor, now.id, step.withdraw))
      if ('act' in step)
        return (
          now.acts.some(({ name }) => name === step.act) &&
          (await cases.act(actor, now.id, step.act, { data: named(dated(step.data)) }))
        )
      const task = now.waitsWith.find(({ desk }) => desk === step.at)
      return task && answer(actor, task.taskId, step.decide, dependencies)
    })
  }
}

async function answer(actor: Person, task: string, decide: JsonObject, { tasks, files }: StoryDependencies) {
  const { form, case: seen } = await tasks.get(actor, task)
  const said: JsonObject = { ...prefilled(form?.schema ?? {}, seen), ...named(dated(decide)) }
  return tasks.complete(actor, task, { data: await drawn(actor, said, { files }) })
}

/** What somebody sends, with the sheets that they upload for it. */
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
  return Object.fromEntries(sent) as JsonObject
}

async function person(username: string, { db }: StoryDependencies): Promise<Person> {
  return getPerson(db, accountId(username))
}

async function until({ signal }: StoryDependencies, act: () => Promise<object | boolean | undefined>): Promise<void> {
  const end = Date.now() + PATIENCE
  while (!(await act())) {
    if (Date.now() > end) throw new Error('its next step did not become possible')
    await wait(LOOK_AGAIN, undefined, { signal })
  }
}

function dated(data: JsonObject): JsonObject {
  const moment = (value: JsonValue | undefined): JsonValue | undefined => {
    const [, days, time] = (typeof value === 'string' && /^([+-]\d+)d(?: (\d\d:\d\d))?$/.exec(value)) || []
    if (days === undefined) return value
    const day = dayInColombo(Date.now() + Number(days) * 86_400_000)
    return time === undefined ? day : `${day}T${time}:00+05:30`
  }
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, moment(value)]))
}
