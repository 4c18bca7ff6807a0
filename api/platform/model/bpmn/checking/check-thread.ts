import { parentPort } from 'node:worker_threads'
import { known } from '../../../kernel/known.ts'
import { type TableAnalysis, analyseTables } from '../decisions/analysis.ts'
import { gateDecisions } from '../decisions/decisions.ts'
import { lint, lintDecisions } from '../lint/lint.ts'
import { type Problem, readModel } from '../read.ts'
import {
  UNDECIDED,
  type CheckedModel,
  type CheckLibrary,
  type FlowModel,
  problemsOf,
  steeredIn,
  undecidedIn,
} from './repository-models.ts'
import { UnreadableModel } from '../xml.ts'

// The thread that checks models for `checking.ts`. It has neither database nor settings.

/** A problem of a model, and the check that found it. */
export interface ModelProblem extends Problem {
  level: 'error' | 'warning'
  source: 'gate' | 'lint'
  rule?: string
}

/** A request to the thread. */
export type Question =
  | { kind: 'gate'; model: CheckedModel; held?: ReadonlySet<string> }
  | { kind: 'model'; model: FlowModel; held: ReadonlySet<string> }
  | { kind: 'tables'; dmn: string; model?: FlowModel }

/** The response: one per request, in order. */
export type Answer = { found: unknown } | { fault: Error }

let library: CheckLibrary
const port = known(parentPort, 'the port to the thread that asks')

port.on('message', (asked: { question: Question; library?: CheckLibrary }) => {
  if (asked.library) library = asked.library
  void answer(asked.question).then(
    (found) => port.postMessage({ found } satisfies Answer),
    (fault: Error) => port.postMessage({ fault } satisfies Answer),
  )
})

async function answer(question: Question): Promise<Problem[] | TableAnalysis> {
  if (question.kind === 'gate') return problemsOf(question.model, library, question.held)
  if (question.kind === 'model') return modelProblems(question)
  const problems = gateDecisions(question.dmn)
  if (problems.length > 0) return { problems, gaps: [], overlaps: [] }
  const found = analyseTables(question.dmn)
  return { ...found, problems: [...(await steered(question.model)), ...found.problems] }
}

/** Conflicts between the tables of a model and its diagram; nothing if the diagram cannot be read. */
async function steered(model: FlowModel | undefined): Promise<Problem[]> {
  if (!model) return []
  try {
    const found = await steeredIn(model, library)
    return found.map(({ rule, task, words }) => ({ element: rule ?? task, reason: words }))
  } catch (error) {
    if (error instanceof UnreadableModel) return []
    throw error
  }
}

/** A warning does not prevent a confirmed deployment. */
async function modelProblems({ model, held }: Extract<Question, { kind: 'model' }>): Promise<ModelProblem[]> {
  const refused = await problemsOf(model, library, held)
  if (refused.length > 0) return refused.map((one) => ({ ...one, level: 'error', source: 'gate' }))
  const drawn = await lint(await readModel(model.bpmn.content))
  const undecided = (await undecidedIn(model, library)).map((one): ModelProblem => ({
    ...one,
    level: 'warning',
    source: 'gate',
    rule: UNDECIDED,
  }))
  return [...[...drawn, ...model.dmn.flatMap(({ content }) => lintDecisions(content))].map(linted), ...undecided]
}

/** bpmnlint's reasons begin with the name of their rule. */
function linted({ element, reason }: Problem): ModelProblem {
  const [, rule, words] = /^([a-z/-]+): (.*)$/s.exec(reason) ?? []
  return { element, reason: words ?? reason, level: 'error', source: 'lint', ...(rule && { rule }) }
}
