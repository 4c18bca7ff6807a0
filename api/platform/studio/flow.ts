import { createHash } from 'node:crypto'
import { canonical } from '../audit/format.ts'
import { BusinessError } from '../errors.ts'
import { artifact } from '../flows/artifact.ts'
import type { Flow, Library } from '../flows/library.ts'
import type { Person } from '../identity/person.ts'
import { lint, lintDecisions } from '../models/lint.ts'
import { type Problem, readModel } from '../models/read.ts'
import { problemsOf, undecidedIn } from '../models/repository-models.ts'
import { ownedProcess } from './access.ts'

/** A decision table as a draft and a version have it; its key is `<area>/<file>.dmn`. */
export interface Table {
  key: string
  content: string
}

/** A model as an owner draws it. */
export interface Content {
  bpmn: string
  dmn: readonly Table[]
}

/** What is wrong with a model, and what said so. */
export interface ModelProblem extends Problem {
  level: 'error' | 'warning'
  source: 'gate' | 'lint'
  rule?: string
}

/** The flow of a process that somebody may have to do with, and by what right. Throws `platform.not-found`. */
export function ownedFlow(
  { flows }: Pick<Library, 'flows'>,
  person: Person,
  process: string,
): { flow: Flow; actedAs: string } {
  const actedAs = ownedProcess(person, process)
  const flow = [...flows.values()].find(({ manifest }) => manifest.process === process)
  if (!flow) throw new BusinessError('platform.not-found')
  return { flow, actedAs }
}

/** The flow with another diagram and other decision tables: of these, those that the diagram names. */
export function withContent(flow: Flow, { bpmn, dmn }: Content): Flow {
  const decisions = [...bpmn.matchAll(/decisionRef="([^"]+)"/g)].map((match) => match[1]!)
  const named = dmn.filter(({ content }) => decisions.some((decision) => content.includes(`id="${decision}"`)))
  return {
    ...flow,
    bpmn: artifact('bpmn', flow.bpmn.key, bpmn),
    dmn: named.map(({ key, content }) => artifact('dmn', key, content)),
  }
}

/** By which a diagram with its tables is known again, in whatever order they stand. */
export function hashOf({ bpmn, dmn }: Content): string {
  const tables = Object.fromEntries(dmn.map(({ key, content }) => [key, content]))
  return createHash('sha256')
    .update(canonical({ bpmn, dmn: tables }))
    .digest('hex')
}

/**
 * What keeps a model from being deployed, by the checks that the repository's own models pass: the gate first, and what
 * is wrong with it as a drawing only where the gate finds nothing; and whether somebody holds the roles of each desk
 * now. Empty when nothing does; a warning keeps nobody from it who says that it is meant.
 */
export async function modelProblems(flow: Flow, library: Library, held: ReadonlySet<string>): Promise<ModelProblem[]> {
  const refused = await problemsOf(flow, library, held)
  if (refused.length > 0) return refused.map((one) => ({ ...one, level: 'error', source: 'gate' }))
  const drawn = await lint(await readModel(flow.bpmn.content))
  const undecided = (await undecidedIn(flow, library)).map((one): ModelProblem => ({
    ...one,
    level: 'warning',
    source: 'gate',
    rule: UNDECIDED,
  }))
  return [...[...drawn, ...flow.dmn.flatMap(({ content }) => lintDecisions(content))].map(linted), ...undecided]
}

/** By which a row is known after which nobody decides: no mistake if two owners want it. */
export const UNDECIDED = 'nobody-decides'

/** The reasons of bpmnlint begin with the name of their rule. */
function linted({ element, reason }: Problem): ModelProblem {
  const [, rule, words] = /^([a-z/-]+): (.*)$/s.exec(reason) ?? []
  return { element, reason: words ?? reason, level: 'error', source: 'lint', ...(rule && { rule }) }
}

/** Refuses in words, element by element. */
export function refusedElements(refusal: string, problems: readonly Problem[]): BusinessError {
  const fields = problems.map(({ element, reason }) => ({
    field: element,
    code: 'platform.studio-problem',
    values: { reason },
  }))
  return new BusinessError(refusal, {}, fields)
}
