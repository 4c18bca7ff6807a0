import { caseRecordRepository } from '../../work/rows/case-record.ts'
import type { Decision, Engine } from '../../kernel/engine/port.ts'
import { cachePromise } from '../../model/deployed/definitions.ts'
import type { Language } from '../../model/library/library.ts'
import { readCondition } from '../../model/bpmn/expressions.ts'
import type { Graph, Node } from '../../model/bpmn/graph.ts'
import { pathsOf } from '../../work/tasks/ahead.ts'
import { decisionWords } from '../../work/tasks/decision-words.ts'
import { type EntryReport, listReportedEntries, listInstances } from './report-repository.ts'
import { listEntries, findCases } from './search-repository.ts'
import { type AuditDependencies, type AuditQuery, daysOf } from './search.ts'
import { type DescribedEntry, describeEntries, titleOfFlow, wordsContext } from './words.ts'

/** Standard reports for auditors. */
export const reportNames = ['self-decisions', 'substitutes', 'administrators', 'grants', 'skipped-desks'] as const
export type ReportName = (typeof reportNames)[number]

type Span = Pick<AuditQuery, 'from' | 'until'>

/** Rows per page, and entries or cases read at a time. */
const PAGE_ROWS = 100
const BATCH = 100
/** Maximum cases whose decisions a request reads from the engine; a file reads all. */
const MAX_CASES = 500

/** The maximum number of cases, and whether it was reached. */
interface Bound {
  readonly most: number
  reached: boolean
}

/** Reports on the audit trail. Callers must have checked the auditor's right. */
export interface ReportsContext extends AuditDependencies {
  engine: Pick<Engine, 'decisions' | 'decisionXml'>
  /** Cached paths of diagrams, by version id. */
  graphs: Map<string, Promise<Graph>>
  decisionsInWords: ReturnType<typeof decisionWords>
}

export function reportsContext(given: Omit<ReportsContext, 'graphs' | 'decisionsInWords'>): ReportsContext {
  return { ...given, graphs: new Map(), decisionsInWords: decisionWords(given) }
}

/** The entries of a report, newest first, read in batches. */
async function* reportedEntries(
  { db, library, definitions }: ReportsContext,
  name: EntryReport,
  span: Span,
  language?: Language,
) {
  const telling = wordsContext({ db, library, definitions }, language)
  let beyond: { at: string; id: string } | undefined
  for (;;) {
    const ids = await listReportedEntries(db, name, { ...daysOf(span), beyond, limit: BATCH })
    const rows = await listEntries(db, ids)
    yield* await describeEntries(telling, rows)
    const last = rows.at(-1)
    if (rows.length < BATCH || !last) return
    beyond = { at: last.at, id: last.id }
  }
}

/** The desks that a decision table let a case skip, for cases that began in the period; newest first. */
async function* skippedDesks(
  context: ReportsContext,
  span: Span,
  language?: Language,
  bound?: Bound,
): AsyncGenerator<DescribedEntry> {
  const { db, engine } = context
  let beyond: { created: string; id: string } | undefined
  for (let looked = 0; ; looked += BATCH) {
    if (bound && looked >= bound.most) {
      bound.reached = true
      return
    }
    const { rows } = await findCases(db, daysOf(span), { beyond, limit: BATCH })
    const instances = await listInstances(
      db,
      rows.map(({ id }) => id),
    )
    for (const row of rows) {
      const instance = instances.get(row.id)
      const made = instance === undefined ? [] : await engine.decisions(instance)
      if (made.length > 0) yield* await skippedIn(context, row, made, language)
    }
    const last = rows.at(-1)
    if (rows.length < BATCH || !last) return
    beyond = { created: last.created, id: last.id }
  }
}

async function skippedIn(
  { db, library, definitions, graphs, decisionsInWords }: ReportsContext,
  row: { id: string; reference: string; flow: string; process_definition_id: string },
  made: readonly Decision[],
  language?: Language,
): Promise<DescribedEntry[]> {
  const definition = await definitions.get(row.process_definition_id)
  const { manifest, diagram } = definition
  const graph = await cachePromise(graphs, definition.id, () => pathsOf(definition.xml, manifest.process))
  const visited = new Set((await caseRecordRepository(db).listActivities(row.id)).map(({ element }) => element))
  const telling = wordsContext({ db, library, definitions }, language)
  const { words } = telling
  const found: DescribedEntry[] = []
  const named = new Set<string>()
  for (const one of made) {
    const desks = desksPast(graph, one, visited).filter((desk) => !named.has(desk))
    for (const desk of desks) named.add(desk)
    if (desks.length === 0) continue
    const told = await decisionsInWords.tell(one, { flow: row.flow, amount: manifest.amount }, language)
    for (const desk of desks) {
      const name = words.element(row.flow, desk, diagram.names.get(desk))
      found.push({
        id: `${row.id}:${desk}`,
        at: new Date(one.at).toISOString(),
        sequence: null,
        action: 'desk.skipped',
        text: words.text('platform.audit-desk-skipped', { desk: name, table: told.name }),
        by: { id: null, name: told.name, registered: true, post: null },
        authority: null,
        for: null,
        reason: told.rows
          .map(({ rule, inputs }) => rule ?? inputs.map((input) => `${input.name}: ${input.value}`).join(', '))
          .join('; '),
        caseId: row.id,
        reference: row.reference,
        flow: { key: row.flow, text: titleOfFlow(telling, row.flow) ?? row.flow },
        desk: { key: desk, text: name },
        erased: false,
        missing: false,
      })
    }
  }
  return found
}

function entriesOf(
  context: ReportsContext,
  name: ReportName,
  span: Span,
  language?: Language,
  bound?: Bound,
): AsyncGenerator<DescribedEntry> {
  return name === 'skipped-desks'
    ? skippedDesks(context, span, language, bound)
    : reportedEntries(context, name, span, language)
}

/** All rows of a report, read lazily. */
export function reportRows(context: ReportsContext, name: ReportName, span: Span, language?: Language) {
  return entriesOf(context, name, span, language)
}

/** The newest rows of a report; `narrow`: not all cases of the period were read. */
export async function readReport(
  context: ReportsContext,
  name: ReportName,
  span: Span,
  language?: Language,
): Promise<{ items: DescribedEntry[]; more: boolean; narrow: boolean }> {
  const items: DescribedEntry[] = []
  const bound = { most: MAX_CASES, reached: false }
  for await (const one of entriesOf(context, name, span, language, bound)) {
    if (items.length === PAGE_ROWS) return { items, more: true, narrow: false }
    items.push(one)
  }
  return { items, more: false, narrow: bound.reached }
}

/**
 * The desks directly behind a path that a gateway did not take because of a table's result: the case passed the gateway
 * and never reached the desk. Desks behind another gateway count for that one.
 */
function desksPast(graph: Graph, { element }: Decision, visited: ReadonlySet<string>): string[] {
  const asker = graph.nodes.get(element ?? '')
  const variable = asker?.element.resultVariable
  if (!asker || variable === undefined) return []
  const stops = ({ type }: Node) => type === 'ExclusiveGateway' || type === 'UserTask'
  const past = [...graph.from([asker])].flatMap((gateway) => {
    const flows = gateway.type === 'ExclusiveGateway' && visited.has(gateway.id) ? (gateway.element.outgoing ?? []) : []
    const reads = flows.some(({ conditionExpression }) => {
      const read = readCondition(conditionExpression?.body ?? 'true')
      return !('refused' in read) && read.variables.includes(variable)
    })
    if (!reads) return []
    const ways = flows.flatMap(({ targetRef }) => graph.nodes.get(targetRef?.id ?? '') ?? [])
    return ways.flatMap((way) =>
      [...graph.from([way], stops)].filter(({ type }) => type === 'UserTask').map(({ id }) => id),
    )
  })
  return [...new Set(past)].filter((desk) => !visited.has(desk))
}
