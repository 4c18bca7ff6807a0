import type { Kysely } from 'kysely'
import { roleAlone } from '../../model/deployed/diagram.ts'
import { COLOMBO_AHEAD_MS, dayInColombo } from '../../kernel/colombo.ts'
import { wordsOf } from '../../model/library/words.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import type { Language, Library } from '../../model/library/library.ts'
import type { Person } from '../../people/persons/person.ts'
import { type TaskSummary, taskRows } from '../../work/tasks/task-rows.ts'
import { COUNT_LIMIT, type Page, counted, cursorOf, readCursor } from '../../kernel/paging.ts'
import { taskRepository } from '../../work/rows/tasks.ts'
import { type Leading, leadsNow } from '../../people/access/lead.ts'
import { type Places, listWaitingTasks, listPrincipals, listTeam, listFreeTasks, listHeldTasks } from './repository.ts'

export interface TeamContext {
  db: Kysely<DB>
  library: Library
  definitions: Definitions
  clock: () => Date
}

/** Waiting tasks in the units that a person leads. */
export interface Team {
  people: {
    id: string
    name: string
    post: string | null
    /** Tasks they hold. */
    open: number
    overdue: number
    oldest: string | null
    doneThisWeek: number
  }[]
  /** Tasks without an assignee. */
  free: { count: Page<never>['count']; overdue: number; oldest: string | null }
  desks: { desk: string; title: string; flow: string; flowTitle: string; open: number; overdue: number }[]
}

/** The places a person leads; throws if there are none. */
export async function placesOf(db: Kysely<DB>, person: Person): Promise<Places> {
  const leading: Leading | undefined = await leadsNow(db, person)
  if (!leading) throw new BusinessError('platform.not-allowed')
  return leading.everywhere ? 'everywhere' : [...leading.places]
}

/* The work of the units that a person leads, by assignee. */

/** The roles of all desks: their holders work on tasks. */
async function rolesOfDesks({ definitions }: TeamContext): Promise<string[]> {
  const known = new Set((await definitions.list()).map(({ flow }) => flow))
  const latest = await Promise.all([...known].map((flow) => definitions.latest(flow)))
  const drawn = latest.flatMap(({ diagram }) => [...diagram.desks.values()].flatMap(({ roles }) => roles))
  return [...new Set(drawn.map(roleAlone))].filter((role) => role !== 'user')
}

/** The workload of each person in the units, and the tasks without an assignee. */
export async function readTeam(context: TeamContext, person: Person, language?: Language): Promise<Team> {
  const { db, library, clock } = context
  const places = await placesOf(db, person)
  const { byHolder, byDesk } = await listWaitingTasks(db, await listPrincipals(db, places, library.roles))
  const held = new Map(byHolder.map((one) => [one.assignee, one]))
  const accounts = [...held.keys()].filter((id) => id !== null)
  const wanted = { places, roles: await rolesOfDesks(context), accounts }
  const people = await listTeam(db, wanted, beginOfWeek(clock()))
  const free = held.get(null)
  const words = wordsOf(library, language)
  const titleOf = (flow: string) => {
    const manifest = library.flows.get(flow)?.manifest
    return manifest ? words.flowTitle(manifest) : flow
  }
  return {
    people: people.map(({ id, name, post, done }) => {
      const own = held.get(id)
      return {
        ...{ id, name, post },
        open: own?.count ?? 0,
        overdue: own?.overdue ?? 0,
        oldest: own?.oldest.toISOString() ?? null,
        doneThisWeek: done,
      }
    }),
    free: {
      count: counted(free?.count ?? 0),
      overdue: free?.overdue ?? 0,
      oldest: free?.oldest.toISOString() ?? null,
    },
    desks: byDesk
      .map(({ flow, desk, name, count, overdue }) => ({
        desk,
        title: words.element(flow, desk, name),
        flow,
        flowTitle: titleOf(flow),
        open: count,
        overdue,
      }))
      .toSorted((a, b) => b.overdue - a.overdue || b.open - a.open || (a.title < b.title ? -1 : 1)),
  }
}

/** The tasks that one person holds, or that nobody does; oldest first. */
export async function listTeamTasks(
  { db, library, definitions, clock }: TeamContext,
  person: Person,
  { person: whose, cursor, limit = 20 }: { person: string; cursor?: string; limit?: number },
  language?: Language,
): Promise<Page<TaskSummary>> {
  const places = await placesOf(db, person)
  const after = cursor === undefined ? undefined : readCursor(cursor, ['moment', 'text'])
  const principals = whose === 'free' ? await listPrincipals(db, places, library.roles) : []
  const list = (wanted: { after?: readonly [string, string] | undefined; limit: number }) =>
    whose === 'free' ? listFreeTasks(db, principals, wanted) : listHeldTasks(db, places, whose, wanted)
  const [found, all] = await Promise.all([list({ after, limit: limit + 1 }), list({ limit: COUNT_LIMIT + 1 })])
  const page = found.slice(0, limit)
  const last = page.at(-1)
  const tasks = await taskRepository(db).listSome(page.map(({ task }) => task))
  return {
    items: await taskRows({ db, library, definitions, clock }).rows(person, tasks, language),
    next: found.length > limit && last ? cursorOf([last.created, last.task]) : null,
    count: counted(all.length),
  }
}

/** The start of the week in Colombo; weeks begin on Monday. */
function beginOfWeek(now: Date): Date {
  const today = new Date(`${dayInColombo(now)}T00:00:00+05:30`)
  const sinceMonday = (new Date(today.getTime() + COLOMBO_AHEAD_MS).getUTCDay() + 6) % 7
  return new Date(today.getTime() - sinceMonday * 86_400_000)
}
