import { known } from '../../../kernel/known.ts'
import {
  type Kind,
  type Values,
  intersection,
  allValues,
  inWords,
  isEverything,
  hasNoValues,
  readCell,
  normalised,
  without,
} from './values.ts'
import type { Problem } from '../read.ts'
import { type XmlElement, descendants, parseXml } from '../xml.ts'

/** Values that no row matches, with a description. */
export interface Gap {
  decision: string
  words: string
}

/** Rows that overlap, or of which one never applies. */
export interface Overlap {
  decision: string
  /** Ids of the rows, in table order. */
  rules: string[]
  words: string
}

/** Findings for the tables of a document; `problems` are the cells that cannot be analysed, with the reason. */
export interface TableAnalysis {
  problems: Problem[]
  gaps: Gap[]
  overlaps: Overlap[]
}

/** Maximum pieces of remaining space; more would not help a reader. */
const mostPieces = 500
/** Maximum value comparisons for all tables of a document; takes a fraction of a second. */
const mostWork = 400_000
const mostTold = 20

interface Row {
  id: string
  /** From 1. */
  number: number
  cells: Values[]
  outputs: string
}

interface Column {
  label: string
  kind: Kind
  all: Values
}

/**
 * Analyses every decision table of a document: inputs that no row matches, rows that overlap although the hit policy
 * forbids it (UNIQUE, or ANY with different answers), and rows that never apply because earlier ones match everything
 * (FIRST). It covers literal numbers, texts and booleans. Other cells are reported as problems and their rows are left
 * out, so that the other findings stay valid. A missing input matches no value.
 */
export function analyseTables(xml: string): TableAnalysis {
  const decisions = parseXml(xml).children.filter(({ name }) => name === 'dmn:decision')
  // Gaps and overlaps get half of the budget each, so that neither suppresses the other.
  const work = mostWork / (2 * Math.max(1, decisions.length))
  const found = decisions.flatMap((decision) => {
    const table = decision.children.find(({ name }) => name === 'dmn:decisionTable')
    return table ? [analyse(attribute(decision, 'id'), table, work)] : []
  })
  return {
    problems: found.flatMap(({ problems }) => problems),
    gaps: found.flatMap(({ gaps }) => gaps).slice(0, mostTold),
    overlaps: found.flatMap(({ overlaps }) => overlaps).slice(0, mostTold),
  }
}

function analyse(decision: string, table: XmlElement, work: number): TableAnalysis {
  const rules = table.children.filter(({ name }) => name === 'dmn:rule')
  const written = rules.map(({ children }) => children.filter(({ name }) => name === 'dmn:inputEntry').map(textOf))
  const columns = table.children
    .filter(({ name }) => name === 'dmn:input')
    .map((input, index) => columnOf(input, index, written))
  const problems: Problem[] = []
  const rows = rules.flatMap((rule, index) => {
    const cells = columns.flatMap((column, place) => {
      const read = readCell(written[index]?.[place] ?? '', column.kind, domainOf(column))
      if (!('unread' in read)) return [read]
      problems.push({
        element: attribute(rule, 'id'),
        reason: `Row ${index + 1}, ${column.label}: ${read.unread}; the row is left out`,
      })
      return []
    })
    const outputs = rule.children
      .filter(({ name }) => name === 'dmn:outputEntry')
      .map(textOf)
      .join('\n')
    return cells.length < columns.length ? [] : [{ id: attribute(rule, 'id'), number: index + 1, cells, outputs }]
  })
  const policy = table.attributes.get('hitPolicy') ?? 'UNIQUE'
  const complete = rows.length === rules.length
  return {
    problems,
    gaps: columns.length === 0 ? [] : gapsOf(decision, columns, rows, { complete, budget: { left: work } }),
    overlaps:
      policy === 'FIRST'
        ? hidden(decision, rows, columns, { left: work })
        : atOnce(decision, rows, columns, { policy, budget: { left: work } }),
  }
}

function columnOf(input: XmlElement, place: number, written: readonly (readonly string[])[]): Column {
  const expression = input.children.find(({ name }) => name === 'dmn:inputExpression')
  const label = input.attributes.get('label') || (expression ? textOf(expression) : '') || `input ${place + 1}`
  const type = (expression?.attributes.get('typeRef') ?? '').toLowerCase()
  const texts = written.map((entries) => entries[place] ?? '')
  const kind: Kind =
    type === 'integer' || type === 'long'
      ? 'integer'
      : type === 'boolean' || type === 'string'
        ? type
        : type === 'number' || type === 'double'
          ? 'number'
          : texts.some((text) => text.includes('"'))
            ? 'string'
            : texts.some((text) => /\b(true|false)\b/.test(text))
              ? 'boolean'
              : 'number'
  const values = input.children.find(({ name }) => name === 'dmn:inputValues')
  const domain =
    kind === 'string' && values ? [...textOf(values).matchAll(/"([^"]*)"/g)].flatMap(([, name]) => name ?? []) : []
  return { label, kind, all: allValues(kind, domain.length > 0 ? domain : undefined) }
}

function domainOf({ all }: Column): readonly string[] | undefined {
  return all.kind === 'names' ? all.domain : undefined
}

type Box = readonly Values[]

interface Budget {
  left: number
}

/** The values of one input: rows and boxes have them for every column. */
function valuesAt(box: Box, place: number): Values {
  return known(box[place], 'the values of an input')
}

function sizeOf(values: Values): number {
  return 1 + (values.kind === 'numbers' ? values.parts.length : values.names.size)
}

/** Whether boxes intersect; beyond the budget they count as intersecting. */
function meet(box: Box, other: Box, budget: Budget): boolean {
  return box.every((values, place) => {
    const others = valuesAt(other, place)
    budget.left -= sizeOf(values) * sizeOf(others)
    return budget.left < 0 || !hasNoValues(intersection(values, others))
  })
}

/** The part of a box outside another, as disjoint boxes; undefined if there are too many. */
function boxWithout(box: Box, other: Box, columns: readonly Column[], budget: Budget): Box[] | undefined {
  if (!meet(box, other, budget)) return [box]
  const rest: Box[] = []
  const kept = [...box]
  for (const [place, column] of columns.entries()) {
    const [own, others] = [valuesAt(kept, place), valuesAt(other, place)]
    const outside = normalised(without(own, others), column.kind)
    if (!hasNoValues(outside)) {
      budget.left -= box.length
      rest.push(kept.map((values, index) => (index === place ? outside : values)))
    }
    if (budget.left < 0 || rest.length > mostPieces) return undefined
    kept[place] = normalised(intersection(own, others), column.kind)
  }
  return rest
}

/** The part of boxes that no row covers; undefined if it falls into too many pieces. */
function leftOf(
  boxes: readonly Box[],
  rows: readonly Row[],
  columns: readonly Column[],
  budget: Budget,
): readonly Box[] | undefined {
  let left = boxes
  for (const { cells } of rows) {
    const next: Box[] = []
    for (const box of left) {
      const rest = boxWithout(box, cells, columns, budget)
      if (!rest || next.length + rest.length > mostPieces) return undefined
      next.push(...rest)
    }
    left = next
  }
  return left
}

function gapsOf(
  decision: string,
  columns: readonly Column[],
  rows: readonly Row[],
  { complete, budget }: { complete: boolean; budget: Budget },
): Gap[] {
  const left = leftOf([columns.map(({ all }) => all)], rows, columns, budget)
  if (!left) return [{ decision, words: 'The table is too entangled to say whether a row always applies' }]
  const perhaps = complete ? '' : ', unless a row that is left out here does'
  const wide = left.slice(0, mostTold).map((box) => widened(box, columns, rows, budget))
  const told = new Set(wide.map((box) => `No row applies where ${said(box, columns)}${perhaps}`))
  return [...told].map((words) => ({ decision, words }))
}

/** A box without any covered part, extended input by input as far as possible, so that its description is short. */
function widened(box: Box, columns: readonly Column[], rows: readonly Row[], budget: Budget): Box {
  return columns.reduce<Box>((wide, { all }, place) => {
    if (budget.left < 0) return wide
    budget.left -= wide.length
    const wider = wide.map((values, index) => (index === place ? all : values))
    return rows.some(({ cells }) => meet(wider, cells, budget)) ? wide : wider
  }, box)
}

function atOnce(
  decision: string,
  rows: readonly Row[],
  columns: readonly Column[],
  { policy, budget }: { policy: string; budget: Budget },
): Overlap[] {
  const fault = policy === 'ANY' ? 'and answer differently' : 'and the table allows only one (UNIQUE)'
  const told: Overlap[] = []
  for (const [index, row] of rows.entries())
    for (const other of rows.slice(index + 1)) {
      budget.left--
      const allowed = policy === 'ANY' && row.outputs === other.outputs
      const met = !allowed && meet(row.cells, other.cells, budget)
      if (budget.left < 0) return [...told, unsaid(decision)]
      if (!met) continue
      const shared = columns.map(({ kind }, place) =>
        normalised(intersection(valuesAt(row.cells, place), valuesAt(other.cells, place)), kind),
      )
      if (shared.some(hasNoValues)) continue
      const words = `Rows ${row.number} and ${other.number} both apply where ${said(shared, columns)}, ${fault}`
      told.push({ decision, rules: [row.id, other.id], words })
      if (told.length === mostTold) return told
    }
  return told
}

/** The rows that never apply, because earlier ones cover them. */
function hidden(decision: string, rows: readonly Row[], columns: readonly Column[], budget: Budget): Overlap[] {
  const told: Overlap[] = []
  for (const [index, row] of rows.entries()) {
    const above = rows.slice(0, index).filter(({ cells }) => budget.left >= 0 && meet(cells, row.cells, budget))
    const left = budget.left < 0 || above.length === 0 ? undefined : leftOf([row.cells], above, columns, budget)
    if (budget.left < 0) return [...told, unsaid(decision)]
    if (left?.length !== 0) continue
    const numbers = above.map(({ number }) => number)
    told.push({
      decision,
      rules: [...above.map(({ id }) => id), row.id],
      words: `Row ${row.number} never gets its turn: ${numbers.length > 1 ? `rows ${numbers.slice(0, -1).join(', ')} and ${numbers.at(-1)} take` : `row ${numbers[0]} takes`} everything before`,
    })
    if (told.length === mostTold) return told
  }
  return told
}

function unsaid(decision: string): Overlap {
  return { decision, rules: [], words: 'The table is too entangled to say of each row whether it gets its turn alone' }
}

function said(box: Box, columns: readonly Column[]): string {
  const parts = columns.flatMap(({ label }, place) => {
    const values = valuesAt(box, place)
    return isEverything(values) ? [] : [`${label} ${inWords(values)}`]
  })
  return parts.length === 0 ? 'anything is given' : parts.join(' and ')
}

function textOf(element: XmlElement): string {
  return (descendants(element).find(({ name }) => name === 'dmn:text')?.text ?? '').trim()
}

function attribute(element: XmlElement, name: string): string {
  return element.attributes.get(name) ?? ''
}
