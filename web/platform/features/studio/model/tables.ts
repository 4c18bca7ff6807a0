import type { Table } from '../../../kernel/api/studio.ts'

type How = 'added' | 'removed' | 'changed'

/** A row of a table that differs, as written: `"A", > 5 ⇒ "Bursar"`; null where it does not exist. */
interface RowDifference {
  /** `moved`: its order among the existing rows changed, and so its priority. */
  how: How | 'moved'
  /** Its row number from 1: among the new rows, or among the old ones if it was removed. */
  row: number
  before: string | null
  after: string | null
}

export interface TableDifference {
  key: string
  how: How
  /** The hit policy of each table of the file, if it changed. */
  policy: { before: string[]; after: string[] } | null
  /** Empty if the table differs only in something other than its rows and their order. */
  rows: RowDifference[]
}

/** The decision tables that differ, by key, with their rows; rows are matched by id. */
export function tableDifferences(before: readonly Table[], after: readonly Table[]): TableDifference[] {
  const [old, now] = [contents(before), contents(after)]
  return [...new Set([...old.keys(), ...now.keys()])].toSorted().flatMap((key): TableDifference[] => {
    const [was, is] = [old.get(key), now.get(key)]
    if (was === is) return []
    if (was === undefined || is === undefined)
      return [{ key, how: was === undefined ? 'added' : 'removed', policy: null, rows: [] }]
    const [wrote, writes] = [plain(was), plain(is)]
    const policy = { before: policiesOf(wrote), after: policiesOf(writes) }
    const same = policy.before.join() === policy.after.join()
    return [{ key, how: 'changed', policy: same ? null : policy, rows: rowDifferences(rowsOf(wrote), rowsOf(writes)) }]
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

/** The document without comments, and with CDATA as escaped text. */
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

/** The document without comments and with normalised text nodes. */
function plain(dmn: string): string {
  return dmn.replace(/<!--.*?-->|<!\[CDATA\[(.*?)\]\]>/gs, (_, text: string | undefined) =>
    (text ?? '').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  )
}

function policiesOf(dmn: string): string[] {
  const tables = dmn.matchAll(/<(?:\w+:)?decisionTable\b([^>]*)>/g)
  return [...tables].map(([, attributes = '']) => /\bhitPolicy="([^"]*)"/.exec(attributes)?.[1] ?? 'UNIQUE')
}

/** The text of each row by id; equal ids in two tables of a file are kept apart. */
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
  return text.trim().replace(/&(lt|gt|quot|apos|amp);/g, (written, name: string) => characters[name] ?? written)
}

const characters: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }
