import { parentPort } from 'node:worker_threads'
import { type TableAnalysis, analyseTables } from './decision-analysis.ts'
import { gateDecisions } from './decisions.ts'
import { lint, lintDecisions } from './lint.ts'
import { type Problem, readModel } from './read.ts'
import { type CheckedModel, type CheckLibrary, problemsOf } from './repository-models.ts'

// The thread that checks models; `checking.ts` asks it. It knows neither database nor settings.

/** What is wrong with a model, and what said so. */
export interface ModelProblem extends Problem {
  level: 'error' | 'warning'
  source: 'gate' | 'lint'
  rule?: string
}

/** What the thread is asked. */
export type Question =
  | { kind: 'gate'; model: CheckedModel; held?: ReadonlySet<string> }
  | { kind: 'model'; model: Extract<CheckedModel, { manifest: unknown }>; held: ReadonlySet<string> }
  | { kind: 'tables'; dmn: string }

/** What it answers: once for each question, in the order in which they are asked. */
export type Answer = { found: unknown } | { fault: Error }

let library: CheckLibrary

parentPort!.on('message', (asked: { question: Question; library?: CheckLibrary }) => {
  if (asked.library) library = asked.library
  void answer(asked.question).then(
    (found) => parentPort!.postMessage({ found } satisfies Answer),
    (fault: Error) => parentPort!.postMessage({ fault } satisfies Answer),
  )
})

async function answer(question: Question): Promise<Problem[] | TableAnalysis> {
  if (question.kind === 'gate') return problemsOf(question.model, library, question.held)
  if (question.kind === 'model') return modelProblems(question)
  const problems = gateDecisions(question.dmn)
  return problems.length > 0 ? { problems, gaps: [], overlaps: [] } : analyseTables(question.dmn)
}

async function modelProblems({ model, held }: Extract<Question, { kind: 'model' }>): Promise<ModelProblem[]> {
  const refused = await problemsOf(model, library, held)
  if (refused.length > 0) return refused.map((one) => ({ ...one, level: 'error', source: 'gate' }))
  const drawn = await lint(await readModel(model.bpmn.content))
  return [...drawn, ...model.dmn.flatMap(({ content }) => lintDecisions(content))].map(linted)
}

/** The reasons of bpmnlint begin with the name of their rule. */
function linted({ element, reason }: Problem): ModelProblem {
  const [, rule, words] = /^([a-z/-]+): (.*)$/s.exec(reason) ?? []
  return { element, reason: words ?? reason, level: 'error', source: 'lint', ...(rule && { rule }) }
}
