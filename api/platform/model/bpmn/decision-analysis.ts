import {
  type Kind,
  type Values,
  both,
  every,
  inWords,
  isEverything,
  isNothing,
  readCell,
  tidied,
  without,
} from './decision-values.ts'
import type { Problem } from './read.ts'
import { type XmlElement, descendants, parseXml } from './xml.ts'

/** Values for which no row applies, and what that means in words. */
export interface Gap {
  decision: string
  words: string
}

/** Rows of which more than one applies, or of which one never gets its turn. */
export interface Overlap {
  decision: string
  /** Ids of the rows, in the order of the table. */
  rules: string[]
  words: string
}

/** What was found in the tables of a document; `problems` are the cells that could not be looked at, and why. */
export interface TableAnalysis {
  problems: Problem[]
  gaps: Gap[]
  overlaps: Overlap[]
}

/** So many pieces of what is left over are followed; beyond, a person sees no more either. */
const mostPieces = 500
/** So many comparisons of values are made for all tables of a document, a fraction of a second. */
const mostWork = 400_000
const mostTold = 20

interface Row {
  id: string
  /** From 1, as people count. */
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
 * Looks through every decision table of a document: for which inputs no row applies, which rows apply at the same time
 * although the table allows one (UNIQUE, or ANY with different answers), and which never get their turn because those
 * above take everything (FIRST). Counted through are fixed numbers, texts, yes and no; a cell that asks anything else is
 * told as a problem, and its row left out, so that what is said of the others holds. An input without a value counts as none of all.
 */
export function analyseTables(xml: string): TableAnalysis {
  const decisions = parseXml(xml).children.filter(({ name }) => name === 'dmn:decision')
  // Halved between what is left open and what is decided twice, so that neither is silent because of the other.
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
    const cells = columns.map((column, place) => {
      const read = readCell(written[index]![place] ?? '', column.kind, domainOf(column))
      if (!('unread' in read)) return read
      problems.push({
        element: attribute(rule, 'id'),
        reason: `Row ${index + 1}, ${column.label}: ${read.unread}; the row is left out`,
      })
      return undefined
    })
    const outputs = rule.children
      .filter(({ name }) => name === 'dmn:outputEntry')
      .map(textOf)
      .join('\n')
    return cells.includes(undefined)
      ? []
      : [{ id: attribute(rule, 'id'), number: index + 1, cells: cells as Values[], outputs }]
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
  const domain = kind === 'string' && values ? [...textOf(values).matchAll(/"([^"]*)"/g)].map((match) => match[1]!) : []
  return { label, kind, all: every(kind, domain.length > 0 ? domain : undefined) }
}

function domainOf({ all }: Column): readonly string[] | undefined {
  return all.kind === 'names' ? all.domain : undefined
}

type Box = readonly Values[]

interface Budget {
  left: number
}

function sizeOf(values: Values): number {
  return 1 + (values.kind === 'numbers' ? values.parts.length : values.names.size)
}

/** Whether boxes have something in common, as far as the budget goes: beyond, they are taken to have. */
function meet(box: Box, other: Box, budget: Budget): boolean {
  return box.every((values, place) => {
    budget.left -= sizeOf(values) * sizeOf(other[place]!)
    return budget.left < 0 || !isNothing(both(values, other[place]!))
  })
}

/** What of a box another one does not cover, in boxes that do not overlap; undefined where that are too many. */
function boxWithout(box: Box, other: Box, columns: readonly Column[], budget: Budget): Box[] | undefined {
  if (!meet(box, other, budget)) return [box]
  const rest: Box[] = []
  const kept = [...box]
  for (const [place, column] of columns.entries()) {
    const outside = tidied(without(kept[place]!, other[place]!), column.kind)
    if (!isNothing(outside)) {
      budget.left -= box.length
      rest.push(kept.map((values, index) => (index === place ? outside : values)))
    }
    if (budget.left < 0 || rest.length > mostPieces) return undefined
    kept[place] = tidied(both(kept[place]!, other[place]!), column.kind)
  }
  return rest
}

/** What a list of rows leaves of boxes; undefined where that falls into too many pieces. */
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

/** A box that no row covers any of, as large as it can be made one input after the other: so it is said in few words. */
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
      const shared = row.cells.map((cell, place) => tidied(both(cell, other.cells[place]!), columns[place]!.kind))
      if (shared.some(isNothing)) continue
      const words = `Rows ${row.number} and ${other.number} both apply where ${said(shared, columns)}, ${fault}`
      told.push({ decision, rules: [row.id, other.id], words })
      if (told.length === mostTold) return told
    }
  return told
}

/** The rows that never get their turn, because those above them take all that they would. */
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
  const parts = box.flatMap((values, place) =>
    isEverything(values) ? [] : [`${columns[place]!.label} ${inWords(values)}`],
  )
  return parts.length === 0 ? 'anything is given' : parts.join(' and ')
}

function textOf(element: XmlElement): string {
  return (descendants(element).find(({ name }) => name === 'dmn:text')?.text ?? '').trim()
}

function attribute(element: XmlElement, name: string): string {
  return element.attributes.get(name) ?? ''
}
