import { titleOfPerson } from '../../model/bpmn/gate/hazards.ts'
import { offeredTo } from '../../model/bpmn/promises.ts'
import type { Kysely } from 'kysely'
import { known } from '../../kernel/known.ts'
import { startFormOf } from '../cases/begin.ts'
import { deadlinesOf, serverVariablesOf } from '../cases/routing.ts'
import type { Cases } from '../cases/service.ts'
import { wordsOf } from '../../model/library/words.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Decision, Engine, Variables } from '../../kernel/engine/port.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { type Definitions, cachePromise } from '../../model/deployed/definitions.ts'
import type { Language, Library } from '../../model/library/library.ts'
import type { Person } from '../../people/persons/person.ts'
import { type Who, whoOf } from '../../people/persons/who.ts'
import type { Graph, Node } from '../../model/bpmn/graph.ts'
import { readable } from '../../model/library/readable.ts'
import type { FieldSchema } from '../../model/definitions/register.ts'
import { getSubstitution } from '../../people/substitutes/repository.ts'
import { dependsOn, lastingVariables, nextStops, pathsOf, variablesOfForm } from './ahead.ts'
import { optionsOf } from './columns.ts'
import { type DescribedDecision, decisionWords } from './decision-words.ts'
import { fourEyesAt } from '../offers/four-eyes.ts'
import { isAskedForOpinion } from './permission.ts'
import { rightOn } from '../offers/right-on.ts'
import type { TaskRow } from '../rows/tasks.ts'
import { findTask, listTasksOfCase } from '../rows/task-reads.ts'
import { listCandidates } from '../rows/candidates.ts'
import { listEarlierDesks } from '../rows/decisions.ts'
import { getCaseRow } from '../rows/cases.ts'
import { itemTitles } from '../rows/items.ts'
import { listActivities } from '../rows/case-record.ts'
import { DAY_MS } from '../../kernel/units.ts'

/** Where a case goes after an answer. */
export interface Lead {
  name: string
  /** The people it waits for there. */
  who: string
  /** When it is due there. */
  by: string | null
}

/** Why a person has a task, in one language. */
export interface Why {
  /** The purpose of the desk, and its candidates in the diagram. */
  rule: string
  /** The role through which the reader has it. */
  role: string
  /** Why the reader has it in place of another person. */
  because: string | null
  /** The matching rows of the decision table that brought the case here. */
  decision: DescribedDecision | null
  /** The path of the case, oldest first. */
  path: { element: string; name: string; at: string; by: Who | null; outcome: string | null }[]
  /** Earlier decisions and in whose stead they were made, oldest first. */
  before: { desk: string; name: string; by: Who; for: Who | null; at: string; outcome: string | null }[]
  /** Where each answer leads. */
  next: { outcome: string; title: string; leads: Lead[] }[]
}

interface WhyDependencies {
  db: Kysely<DB>
  library: Library
  definitions: Definitions
  cases: Pick<Cases, 'check'>
  engine: Pick<Engine, 'decisions' | 'decisionXml' | 'variables'>
  clock?: () => Date
}

/** Parsed diagrams are cached; deployed ones never change. */
interface WhyContext extends WhyDependencies {
  graphs: Map<string, Promise<Graph>>
  decisionsInWords: ReturnType<typeof decisionWords>
}

/** The context of all answers; its cache lives as long as the routes. */
export function whyContext(dependencies: WhyDependencies): WhyContext {
  return { ...dependencies, graphs: new Map(), decisionsInWords: decisionWords(dependencies) }
}

/**
 * Elements that a path shows: human tasks, decisions, work and waiting. Gateways and subprocess boundaries are left
 * out.
 */
const TOLD = /^(userTask|serviceTask|sendTask|receiveTask|businessRuleTask|callActivity|intermediate.*|boundary.*)$/i

type Known = Awaited<ReturnType<typeof readKnown>>

/** The data that every part of an answer needs. */
async function readKnown(
  { db, library, definitions, engine, graphs }: WhyContext,
  task: TaskRow,
  language: Language | undefined,
) {
  const definition = await definitions.get(task.process_definition_id)
  const row = await getCaseRow(db, task.case_id)
  const instance = row.process_instance_id
  const [graph, variables, decisions, all] = await Promise.all([
    cachePromise(graphs, definition.id, () => pathsOf(definition.xml, definition.manifest.process)),
    instance === null ? [] : engine.variables(instance),
    instance === null ? [] : engine.decisions(instance),
    listTasksOfCase(db, task.case_id),
  ])
  const scope = row.scope
  const server = serverVariablesOf(definition.manifest, {
    ...row,
    caseId: row.id,
    requesterId: row.requester_id,
    scope,
  })
  const titles = await itemTitles(db, Object.values(scope))
  const form = task.form_hash === null ? undefined : (await definitions.form(task.form_hash)).schema
  return {
    task,
    definition,
    graph,
    node: graph.nodes.get(task.desk),
    variables: { ...Object.fromEntries(variables.map(({ name, value }) => [name, value])), ...server },
    decisions,
    earlier: all.filter((one) => one.id !== task.id && one.created_at <= task.created_at),
    titles,
    form,
    words: wordsOf(library, language),
    language,
  }
}

/** The candidates of a desk in this case, in words. */
function askedAt({ element }: Node, { definition, variables, titles, words, language }: Known): string {
  const asked = offeredTo(element).flatMap((group) => {
    const filled = group.replace(/\$\{(\w+)\}/g, (_all, name: string) => String(variables[name] ?? ''))
    const title = titleOfPerson(group, definition.manifest)
    if (title !== undefined) return filled === 'user:none' ? [] : [words.text(title)]
    const [role = '', scope] = filled.split('@')
    const id = scope?.split(':')[1]
    if (id === 'none' || role === '') return []
    return [id === '' ? role : words.principal(filled, titles)]
  })
  return either([...new Set(asked)], language)
}

function nameOf({ element, id }: Node, { task, words }: Known): string {
  return words.element(task.flow, id, element.name)
}

/** The rule of the desk: its candidates, its question, and who may not answer. */
function ruleOf(about: Known, before: Why['before']): string {
  const { task, definition, node, words, language } = about
  const desk = words.element(task.flow, task.desk, task.name)
  const question = definition.manifest.question?.[task.desk]
  const fourEyes = fourEyesAt(task, definition)
  const desks = [...new Set(before.filter(({ desk: id }) => fourEyes.includes(id)).map(({ name }) => name))]
  return [
    words.text('platform.why.rule', { who: node ? askedAt(node, about) : '', desk }),
    ...(question === undefined
      ? []
      : [words.text(question, readable({ requester: task.requester_name, ...task.subject }, language))]),
    ...(fourEyes.includes('requester') ? [words.text('platform.why.not-the-requester')] : []),
    ...(desks.length > 0 ? [words.text('platform.why.not-who-decided', { desks: list(desks, language) })] : []),
  ].join(' ')
}

/** The role through which the reader has it, and why in place of another person. */
async function rightOf({ db }: WhyContext, person: Person, about: Known): Promise<Pick<Why, 'role' | 'because'>> {
  const { task, words, language } = about
  const offered = await listCandidates(db, [task.id])
  if (isAskedForOpinion(person, task))
    return {
      role: words.text('platform.why.asked'),
      because: words.text('platform.why.asked-by', { name: known(task.delegated_by_name, 'the name of who asked') }),
    }
  const right = rightOn(
    person,
    task,
    offered.map(({ principal }) => principal),
  )
  if (!right) return { role: words.text('platform.why.looks-on'), because: null }
  const candidate = offered.find(({ principal }) => principal === right.actedAs)
  const principals = [right.actedAs, ...(candidate?.stands_in_for ? [candidate.stands_in_for] : [])]
  const titles = await itemTitles(
    db,
    principals.flatMap((one) => one.split(':').slice(1)),
  )
  const role = candidate
    ? words.principal(right.actedAs, titles, { requester: task.requester_id, ...about.definition })
    : words.text('platform.why.sees-all', { role: right.actedAs })
  const reasons: string[] = []
  const { standsFor } = right
  if (standsFor) {
    const stead = person.standsIn.find(({ absent }) => absent.id === standsFor.id)
    const { ends_at: until } = await getSubstitution(db, known(stead, 'the substitution for the absent person').id)
    const values = { name: standsFor.name, until: until.toISOString() }
    reasons.push(words.text('platform.why.substitute', readable(values, language)))
  }
  if (candidate?.stands_in_for)
    reasons.push(words.text('platform.why.vacant', { post: words.principal(candidate.stands_in_for, titles) }))
  return { role, because: reasons.length > 0 ? reasons.join(' ') : null }
}

/** Who decided before. */
async function beforeOf(context: WhyContext, { earlier, task, words }: Known): Promise<Why['before']> {
  const decided = earlier.flatMap((one) => {
    const by = whoOf(one.decided_by, one.decider_name)
    const took = by && (one.state === 'done' || one.state === 'accepted')
    return took ? [{ one, by, at: known(one.decided_at, 'when a decided task was decided') }] : []
  })
  return Promise.all(
    decided
      .toSorted((a, b) => a.at.getTime() - b.at.getTime())
      .map(async ({ one, by, at }) => ({
        desk: one.desk,
        name: words.element(task.flow, one.desk, one.name),
        by,
        for: whoOf(one.decided_for, one.decided_for_name),
        at: at.toISOString(),
        outcome: await outcomeOf(context, one, words),
      })),
  )
}

async function outcomeOf({ definitions }: WhyContext, task: TaskRow, words: Known['words']): Promise<string | null> {
  if (task.outcome === null || task.form_hash === null) return null
  return words.choice((await definitions.form(task.form_hash)).schema, 'outcome', task.outcome)
}

/** The path to this desk, from the start. */
async function pathOf(context: WhyContext, { task, earlier, words }: Known): Promise<Why['path']> {
  const { db } = context
  const activities = await listActivities(db, task.case_id)
  const taken = activities.filter(
    ({ type, canceled, started_at, task_id }, index) =>
      !canceled && task_id !== task.id && started_at <= task.created_at && (index === 0 || TOLD.test(type)),
  )
  return Promise.all(
    taken.map(async (one, index) => {
      const decided = earlier.find(({ id }) => id === one.task_id)
      const began = index === 0 ? { id: task.requester_id, name: task.requester_name } : null
      return {
        element: one.element,
        name: words.element(task.flow, one.element, one.name),
        at: one.started_at.toISOString(),
        by: (decided && whoOf(decided.decided_by, decided.decider_name)) ?? began,
        outcome: decided ? await outcomeOf(context, decided, words) : null,
      }
    }),
  )
}

/** The last decision table that led to this desk, with the rows that matched. */
async function decisionOf({ decisionsInWords }: WhyContext, about: Known): Promise<Why['decision']> {
  const { task, definition, decisions, graph, node } = about
  const made = decisions.find((one) => node && new Date(one.at) <= task.created_at && brought(one, about, graph, node))
  if (!made) return null
  return decisionsInWords.tell(made, { flow: task.flow, amount: definition.manifest.amount }, about.language)
}

/** Whether a decision table brought the case to this desk: a gateway read its result, or nobody has decided since. */
function brought({ element, at }: Decision, { earlier, task }: Known, graph: Graph, node: Node): boolean {
  const asker = graph.nodes.get(element ?? '')
  if (!asker || !graph.before(node).has(asker)) return false
  const since = new Date(at)
  const direct = !earlier.some(({ decided_at }) => decided_at && decided_at > since && decided_at <= task.created_at)
  const variable = asker.element.resultVariable
  return direct || (variable !== undefined && dependsOn(graph, variable, asker, node))
}

/** Where the case would go after each answer, if it were given now. */
async function nextOf(context: WhyContext, about: Known): Promise<Why['next']> {
  const { db, clock = () => new Date() } = context
  const { task, definition, graph, node, words, form } = about
  if (!node || form === undefined) return []
  const start = (await startFormOf(context, definition)).schema
  const lasting = lastingVariables(graph, definition.manifest, start)
  const corrects = task.form_key === definition.manifest.start
  const answers = await answersOf(context, about, form)
  const deadlines = await deadlinesOf(db, clock())
  return answers.map(({ outcome, title, given }) => {
    const stops = given.flatMap((values) => {
      const unknown = new Set(variablesOfForm(form).filter((name) => !(name in values)))
      if (corrects) for (const name of definition.manifest.derives ?? []) unknown.add(name)
      return nextStops(graph, node, { variables: { ...about.variables, ...values }, unknown, lasting })
    })
    // Leave out a desk that the case has nobody for.
    const leads = [...new Set(stops)].map((stop) => leadTo(stop)).filter(({ who }) => who !== '')
    return { outcome, title, leads }
  })

  function leadTo(stop: Node): Lead {
    const name = nameOf(stop, about)
    if (stop.type === 'UserTask') return { name, who: askedAt(stop, about), by: byWhen(stop) }
    return { name, who: words.text(stop.type === 'EndEvent' ? 'platform.why.ends' : 'platform.why.waits'), by: null }
  }

  function byWhen({ element: { dueDate } }: Node): string | null {
    const variable = /^\$\{(workday\d+)\}$/.exec(dueDate ?? '')?.[1]
    const days = /^P(\d+)D$/.exec(dueDate ?? '')?.[1]
    const at =
      variable === undefined
        ? days && new Date(clock().getTime() + Number(days) * DAY_MS).toISOString()
        : deadlines[variable]
    return at ? String(readable({ at }, about.language)['at']) : null
  }
}

/** The answers that a form permits, each with the variables it sets; one for each desk that it may name. */
async function answersOf(
  { db }: WhyContext,
  { task, definition, words }: Known,
  form: FieldSchema,
): Promise<{ outcome: string; title: string; given: Variables[] }[]> {
  const fields = Object.entries(form.properties ?? {})
  const toDesk = fields.find(([, field]) => field['x-desk'] !== undefined && field['x-variable'] === true)?.[0]
  const earlier = toDesk ? await listEarlierDesks(db, task.case_id, task.desk, definition.manifest.start) : []
  const people = earlier.filter(({ desk }) => definition.diagram.desks.get(desk)?.roles.some((role) => role !== 'user'))
  const desks = ['requester', ...people.map(({ desk }) => desk)]
  const named: Variables[] = toDesk ? desks.map((desk) => ({ [toDesk]: desk })) : [{}]
  const choices = optionsOf(form.properties?.['outcome'] ?? {})
  if (choices.length === 0) return [{ outcome: '', title: words.text('platform.why.done'), given: named }]
  return choices.map(({ value: outcome }) => ({
    outcome,
    title: words.choice(form, 'outcome', outcome),
    given: named.map((one) => ({ ...one, outcome, [`${task.desk}_outcome`]: outcome })),
  }))
}

/** Explains why the reader has a task, from the diagram, the case's tasks and the engine's history. */
export async function whyTask(context: WhyContext, person: Person, id: string, language?: Language): Promise<Why> {
  const { db, cases } = context
  const task = await findTask(db, id)
  if (!task) throw new BusinessError('platform.not-found')
  await cases.check(person, task.case_id)
  const about = await readKnown(context, task, language)
  const before = await beforeOf(context, about)
  const [right, decision, path, next] = await Promise.all([
    rightOf(context, person, about),
    decisionOf(context, about),
    pathOf(context, about),
    nextOf(context, about),
  ])
  return { rule: ruleOf(about, before), ...right, decision, path, before, next }
}

function either(some: readonly string[], language: Language = 'en'): string {
  return new Intl.ListFormat(language, { type: 'disjunction' }).format(some)
}

function list(some: readonly string[], language: Language = 'en'): string {
  return new Intl.ListFormat(language, { type: 'conjunction' }).format(some)
}
