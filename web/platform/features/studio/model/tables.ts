import type { Table } from '../../../kernel/api/studio.ts'

type How = 'added' | 'removed' | 'changed'

/** A row of a table that differs, as it is written: `"A", > 5 ⇒ "Bursar"`; null where it is not there. */
interface RowDifference {
  /** `moved`: it stands elsewhere among the rows that were there before, and so has its turn earlier or later. */
  how: How | 'moved'
  /** Where it stands, from 1: among the new rows, or among the old ones if it is gone. */
  row: number
  before: string | null
  after: string | null
}

export interface TableDifference {
  key: string
  how: How
  /** Which of several rows counts, where that differs: the hit policy of each table of the file. */
  policy: { before: string[]; after: string[] } | null
  /** Empty where the table differs in something else than what its rows say and where they stand. */
  rows: RowDifference[]
}

/** The decision tables that differ, by their keys, each with its rows; a row is the same as long as its id is. */
export function tableDifferences(before: readonly Table[], after: readonly Table[]): TableDifference[] {
  const [old, now] = [contents(before), contents(after)]
  return [...new Set([...old.keys(), ...now.keys()])].toSorted().flatMap((key): TableDifference[] => {
    const [was, is] = [old.get(key), now.get(key)]
    if (was === is) return []
    const how = was === undefined ? 'added' : is === undefined ? 'removed' : 'changed'
    if (how !== 'changed') return [{ key, how, policy: null, rows: [] }]
    const [wrote, writes] = [plain(was!), plain(is!)]
    const policy = { before: policiesOf(wrote), after: policiesOf(writes) }
    const same = policy.before.join() === policy.after.join()
    return [{ key, how, policy: same ? null : policy, rows: rowDifferences(rowsOf(wrote), rowsOf(writes)) }]
  })
}

const contents = (tables: readonly Table[]) => new Map(tables.map(({ key, content }) => [key, content]))

function rowDifferences(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): RowDifference[] {
  const placeIn = (rows: ReadonlyMap<string, string>, id: string) => [...rows.keys()].indexOf(id) + 1
  const stay = inOrder([...after.keys()].flatMap((id) => (before.has(id) ? placeIn(before, id) : [])))
  const present = [...after].flatMap(([id, words]): RowDifference[] => {
    const [was, row] = [before.get(id) ?? null, placeIn(after, id)]
    if (was === null) return [{ how: 'added', row, before: was, after: words }]
    const said: RowDifference[] = was === words ? [] : [{ how: 'changed', row, before: was, after: words }]
    const moved = !stay.has(placeIn(before, id))
    return moved ? [...said, { how: 'moved', row, before: String(placeIn(before, id)), after: words }] : said
  })
  const gone = [...before]
    .filter(([id]) => !after.has(id))
    .map(([id, words]): RowDifference => ({ how: 'removed', row: placeIn(before, id), before: words, after: null }))
  return [...present, ...gone]
}

/** The most of these numbers that stand in order: those that need not have moved. */
function inOrder(numbers: readonly number[]): ReadonlySet<number> {
  interface Run {
    last: number
    length: number
    before?: Run | undefined
  }
  const runs: Run[] = []
  let most: Run | undefined
  for (const last of numbers) {
    let before: Run | undefined
    for (const run of runs) if (run.last < last && run.length > (before?.length ?? 0)) before = run
    const longest = { last, length: (before?.length ?? 0) + 1, before }
    runs.push(longest)
    if (longest.length > (most?.length ?? 0)) most = longest
  }
  const found = new Set<number>()
  for (let run = most; run; run = run.before) found.add(run.last)
  return found
}

/** The document without comments, and its texts all written in the same way. */
function plain(dmn: string): string {
  return dmn.replace(/<!--.*?-->|<!\[CDATA\[(.*?)\]\]>/gs, (_, text: string | undefined) =>
    (text ?? '').replace(/[&<>]/g, (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[character]!),
  )
}

function policiesOf(dmn: string): string[] {
  const tables = dmn.matchAll(/<(?:\w+:)?decisionTable\b([^>]*)>/g)
  return [...tables].map(([, attributes = '']) => /\bhitPolicy="([^"]*)"/.exec(attributes)?.[1] ?? 'UNIQUE')
}

/** What each row says, by its id; the same id in two tables of a file is told apart. */
function rowsOf(dmn: string): Map<string, string> {
  const rows = new Map<string, string>()
  for (const [, attributes = '', inside = ''] of dmn.matchAll(/<(?:\w+:)?rule\b([^>]*)>(.*?)<\/(?:\w+:)?rule>/gs)) {
    const id = /\bid="([^"]*)"/.exec(attributes)?.[1] ?? ''
    const words = `${entries(inside, 'inputEntry')} ⇒ ${entries(inside, 'outputEntry')}`
    rows.set(rows.has(id) ? `${id} ${rows.size}` : id, words)
  }
  return rows
}

function entries(rule: string, kind: string): string {
  const found = rule.matchAll(new RegExp(`<(?:\\w+:)?${kind}\\b[^>]*?(?:/>|>(.*?)</(?:\\w+:)?${kind}>)`, 'gs'))
  return [...found].map(([, inside = '']) => textIn(inside) || '–').join(', ')
}

/** The text of an entry, as its author wrote it. */
function textIn(entry: string): string {
  const text = /<(?:\w+:)?text\b[^>]*>(.*?)<\/(?:\w+:)?text>/s.exec(entry)?.[1] ?? ''
  return text.trim().replace(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => characters[name]!)
}

const characters: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }
