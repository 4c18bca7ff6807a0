import type { Kysely } from 'kysely'
import type { DB, JsonObject } from '../platform/kernel/db/database.generated.ts'
import { BusinessError } from '../platform/kernel/errors.ts'
import { isObject } from '../platform/kernel/objects.ts'
import { findItem, itemTitles } from '../platform/work/rows/items.ts'
import { textAt } from '../platform/model/definitions/register.ts'

const CURRICULUMS = 'setup/curriculum'

/** A version of a curriculum. */
interface Version {
  id: string
  title: string
  version: number
  status: string
}

/** Where a subject stands in a version. */
interface Place {
  year: number
  semester: number
  kind: string
  credits: number
  /** The codes of its prerequisites. */
  needs: string
}

/** A subject in one or both versions. */
interface Row {
  subject: { id: string; title: string }
  is: 'added' | 'removed' | 'changed' | 'same'
  before: Place | null
  after: Place | null
}

/**
 * Two versions of a curriculum: what became of each subject between `before` and `after`. By default the one is
 * compared with the version before it, or after it if it is the first; if there is no other, it alone is told.
 */
export async function compareCurriculums(db: Kysely<DB>, id: string, other: string | undefined) {
  const one = await findItem(db, CURRICULUMS, id)
  if (!one) throw new BusinessError('platform.not-found')
  const program = textAt(one.data, '/program') ?? ''
  const all = await versionsOf(db, program)
  const position = all.findIndex((version) => version.id === id)
  const chosen = other === undefined ? (all[position - 1] ?? all[position + 1]) : all.find((v) => v.id === other)
  if (other !== undefined && !chosen) throw new BusinessError('platform.not-found')
  const versions = all.map(({ id: of, title, version, status }) => ({ id: of, title, version, status }))
  const [before, after] = [all[position], chosen].flatMap((v) => v ?? []).toSorted((a, b) => a.version - b.version)
  if (!before) throw new BusinessError('platform.not-found')
  const places = {
    before: await placesIn(db, before.data),
    after: after ? await placesIn(db, after.data) : new Map<string, Place>(),
  }
  const titles = await itemTitles(db, [...places.before.keys(), ...places.after.keys()])
  return {
    versions,
    before: before.id,
    after: after?.id ?? null,
    credits: { before: sum([...places.before.values()]), after: sum([...places.after.values()]) },
    totals: totalsOf(places),
    rows: rowsOf(places, titles),
  }
}

async function versionsOf(db: Kysely<DB>, program: string): Promise<(Version & { data: JsonObject })[]> {
  const rows = await db
    .selectFrom('register_item as i')
    .innerJoin('register_reference as r', (join) => join.onRef('r.item_id', '=', 'i.id').on('r.path', '=', '/program'))
    .select(['i.id', 'i.title', 'i.status', 'i.data'])
    .where('i.register', '=', CURRICULUMS)
    .where('r.target_id', '=', program)
    .execute()
  return rows.map((row) => ({ ...row, version: Number(row.data['version']) })).toSorted((a, b) => a.version - b.version)
}

/** Where each subject stands, in the order of the curriculum. Credits that it does not give are those of the subject. */
async function placesIn(db: Kysely<DB>, { subjects }: JsonObject): Promise<Map<string, Place>> {
  const rows = Array.isArray(subjects) ? subjects.flatMap((row) => (isObject(row) ? [row] : [])) : []
  const named = new Map(
    await entries(
      db,
      rows.flatMap(({ subject, kind }) => [String(subject), String(kind)]),
    ),
  )
  const needed = new Map(
    await entries(
      db,
      [...named.values()].flatMap(({ data }) => needsOf(data)),
    ),
  )
  return new Map(
    rows.map((row) => [
      String(row['subject']),
      {
        year: Number(row['year']),
        semester: Number(row['semester']),
        kind: named.get(String(row['kind']))?.title ?? '',
        credits: named.get(String(row['kind']))?.data['uncounted']
          ? 0
          : Number(row['credits'] ?? named.get(String(row['subject']))?.data['credits'] ?? 0),
        needs: needsOf(named.get(String(row['subject']))?.data)
          .map((id) => needed.get(id)?.data['code'] ?? '')
          .join(', '),
      },
    ]),
  )
}

async function entries(db: Kysely<DB>, ids: readonly string[]) {
  if (ids.length === 0) return []
  const rows = await db.selectFrom('register_item').select(['id', 'title', 'data']).where('id', 'in', ids).execute()
  return rows.map((row) => [row.id, row] as const)
}

function rowsOf(
  { before, after }: { before: Map<string, Place>; after: Map<string, Place> },
  titles: ReadonlyMap<string, string>,
): Row[] {
  return [...new Set([...before.keys(), ...after.keys()])].map((id) => {
    const [was, becomes] = [before.get(id) ?? null, after.get(id) ?? null]
    return { subject: { id, title: titles.get(id) ?? '' }, is: stateOf(was, becomes), before: was, after: becomes }
  })
}

function stateOf(before: Place | null, after: Place | null): Row['is'] {
  if (!before) return 'added'
  if (!after) return 'removed'
  return JSON.stringify(before) === JSON.stringify(after) ? 'same' : 'changed'
}

/** The subjects that a subject needs. */
function needsOf(data: JsonObject | undefined): string[] {
  const rows = data?.['prerequisites']
  return Array.isArray(rows) ? rows.flatMap((row) => (isObject(row) ? [String(row['subject'])] : [])) : []
}

/** The credits of each semester, and of each year (semester null), in their order. */
function totalsOf({ before, after }: Record<'before' | 'after', Map<string, Place>>) {
  const places = [...before.values(), ...after.values()]
  const years = [...new Set(places.map(({ year }) => year))].toSorted((a, b) => a - b)
  const told = (is: (place: Place) => boolean) => ({
    before: sum([...before.values()].filter(is)),
    after: sum([...after.values()].filter(is)),
  })
  return years.flatMap((year) => {
    const within = places.filter((place) => place.year === year)
    const semesters = [...new Set(within.map(({ semester }) => semester))].toSorted((a, b) => a - b)
    return [
      ...semesters.map((semester) => ({
        ...{ year, semester },
        ...told((place) => place.year === year && place.semester === semester),
      })),
      { year, semester: null, ...told((place) => place.year === year) },
    ]
  })
}

const sum = (places: readonly Place[]) => places.reduce((total, { credits }) => total + credits, 0)
