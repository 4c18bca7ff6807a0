import type { Table } from '../../api/studio.ts'

type How = 'added' | 'removed' | 'changed'

/** A row of a table that differs, as it is written: `"A", > 5 ⇒ "Bursar"`; null where it is not there. */
interface RowDifference {
  how: How
  /** Where it stands, from 1: among the new rows, or among the old ones if it is gone. */
  row: number
  before: string | null
  after: string | null
}

export interface TableDifference {
  key: string
  how: How
  /** Empty where the table differs in something else than what its rows say. */
  rows: RowDifference[]
}

/** The decision tables that differ, by their keys, each with its rows; a row is the same as long as its id is. */
export function tableDifferences(before: readonly Table[], after: readonly Table[]): TableDifference[] {
  const [old, now] = [contents(before), contents(after)]
  return [...new Set([...old.keys(), ...now.keys()])].toSorted().flatMap((key): TableDifference[] => {
    const [was, is] = [old.get(key), now.get(key)]
    if (was === is) return []
    const how = was === undefined ? 'added' : is === undefined ? 'removed' : 'changed'
    return [{ key, how, rows: how === 'changed' ? rowDifferences(rowsOf(was!), rowsOf(is!)) : [] }]
  })
}

const contents = (tables: readonly Table[]) => new Map(tables.map(({ key, content }) => [key, content]))

function rowDifferences(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): RowDifference[] {
  const placeIn = (rows: ReadonlyMap<string, string>, id: string) => [...rows.keys()].indexOf(id) + 1
  const present = [...after].flatMap(([id, words]): RowDifference[] => {
    const was = before.get(id) ?? null
    if (was === words) return []
    return [{ how: was === null ? 'added' : 'changed', row: placeIn(after, id), before: was, after: words }]
  })
  const gone = [...before]
    .filter(([id]) => !after.has(id))
    .map(([id, words]): RowDifference => ({ how: 'removed', row: placeIn(before, id), before: words, after: null }))
  return [...present, ...gone]
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
  const plain = text.replace(/<!\[CDATA\[(.*?)\]\]>/gs, '$1').trim()
  return plain.replace(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => characters[name]!)
}

const characters: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }
