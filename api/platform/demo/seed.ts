import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Kysely, type Transaction, sql } from 'kysely'
import { v5 as uuid5 } from 'uuid'
import type { DB, JsonObject, JsonValue } from '../db/database.generated.ts'
import type { files } from '../files/files.ts'
import type { Library } from '../flows/library.ts'
import { accounts } from '../identity/accounts.ts'
import { hashPassword } from '../identity/password.ts'
import { registers } from '../registers/registers.ts'
import { DEMO_PASSWORD } from './password.ts'
import { drawPicture } from './pictures.ts'

export interface SeedDependencies {
  db: Kysely<DB>
  library: Library
  files: ReturnType<typeof files>
  /** The root folder of the product. */
  root: string
  /** Whether demo items and demo people are wanted beside the first contents of registers. */
  demo: boolean
}

/** An item of a `<register>.seed.json` or `<register>.demo.json`. */
interface SeedItem {
  id?: string
  /** Its name within the register, from which its id follows. */
  key: string
  status?: string
  data: JsonObject
}

interface SeedPerson {
  username: string
  name: string
  email: string
  post: string
  grants: { role: string; scope?: { kind: string; id: string } }[]
}

/** Any number: it only has to be the same for everyone who seeds. */
const LOCK = 7_001_002
/** Ids follow from names under it, so that every installation has the same ones and a second run finds them. */
const NAMESPACE = '5c0f8a52-4a52-5b0e-9d0c-7d3a3c1e6a10'
const PEOPLE = 'people'

/**
 * Loads what registers begin with (`*.seed.json`), and demo items and people (`*.demo.json`) where they are wanted.
 * Several nodes may call it at once, and at every start: what is there, changed or not, is left alone. In the data,
 * `@<area>/<register>/<key>` stands for the id of that item and `file:<name>` for a picture drawn for it.
 */
export async function seed({ db, library, files: store, root, demo }: SeedDependencies): Promise<void> {
  const wanted = readItems(root, demo)
  const people = demo ? readPeople(root) : []
  const missing = async (on: Kysely<DB>) => ({
    items: await withoutPresent(on, 'register_item', wanted, ({ register, item }) => idOf(register, item)),
    people: await withoutPresent(on, 'account', people, personId),
  })
  const before = await missing(db)
  if (before.items.length === 0 && before.people.length === 0) return

  const ids = new Map(wanted.map(({ register, item }) => [`@${register}/${item.key}`, idOf(register, item)]))
  await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${LOCK})`.execute(trx)
    const now = await missing(trx)
    // On connections of their own, because their bytes lie outside the database; the lock keeps other nodes from it.
    await drawPictures(db, store, now.items)
    const own = registers(trx, library)
    for (const { register, item } of inOrder(now.items)) {
      const data = resolved(item.data, ids) as JsonObject
      await own.create(register, data, null, { id: idOf(register, item), ...(item.status && { status: item.status }) })
    }
    await createPeople(trx, now.people, ids)
  })
}

type Wanted = { register: string; item: SeedItem }

function readItems(root: string, demo: boolean): Wanted[] {
  const suffixes = demo ? ['.seed.json', '.demo.json'] : ['.seed.json']
  const forms = join(root, 'forms')
  return readdirSync(forms).flatMap((area) =>
    readdirSync(join(forms, area)).flatMap((file) => {
      const suffix = suffixes.find((one) => file.endsWith(one))
      if (!suffix || file === `${PEOPLE}${suffix}`) return []
      const items = JSON.parse(readFileSync(join(forms, area, file), 'utf8')) as SeedItem[]
      return items.map((item) => ({ register: `${area}/${file.slice(0, -suffix.length)}`, item }))
    }),
  )
}

function readPeople(root: string): SeedPerson[] {
  const file = join(root, 'forms', 'platform', `${PEOPLE}.demo.json`)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as SeedPerson[]) : []
}

function idOf(register: string, { id, key }: SeedItem): string {
  return id ?? uuid5(`${register}/${key}`, NAMESPACE)
}

function personId({ username }: SeedPerson): string {
  return uuid5(`account/${username}`, NAMESPACE)
}

function pictureId(name: string): string {
  return uuid5(`picture/${name}`, NAMESPACE)
}

async function withoutPresent<T>(
  db: Kysely<DB>,
  table: 'register_item' | 'account' | 'file',
  all: readonly T[],
  id: (one: T) => string,
): Promise<T[]> {
  if (all.length === 0) return []
  const rows = await db.selectFrom(table).select('id').where('id', 'in', all.map(id)).execute()
  const present = new Set(rows.map((row) => row.id))
  return all.filter((one) => !present.has(id(one)))
}

/** Items after those that they refer to. References to what is there already do not count. */
function inOrder(items: readonly Wanted[]): Wanted[] {
  const open = new Map(items.map((one) => [`@${one.register}/${one.item.key}`, one]))
  const ordered: Wanted[] = []
  const place = (name: string): void => {
    const one = open.get(name)
    if (!one) return
    open.delete(name)
    strings(one.item.data).forEach(place)
    ordered.push(one)
  }
  for (const name of open.keys()) place(name)
  return ordered
}

function strings(value: JsonValue | undefined): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : []
}

/** The data with ids in place of names. */
function resolved(value: JsonValue | undefined, ids: ReadonlyMap<string, string>): JsonValue | undefined {
  if (typeof value === 'string') {
    if (value.startsWith('file:')) return pictureId(value.slice('file:'.length))
    if (!/^@[a-z-]+\/[a-z-]+\/\S+$/.test(value)) return value
    const id = ids.get(value)
    if (id === undefined) throw new Error(`first contents name ${value}, which is nowhere`)
    return id
  }
  if (Array.isArray(value)) return value.map((one) => resolved(one, ids) as JsonValue)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, resolved(one, ids)]))
}

async function drawPictures(db: Kysely<DB>, store: SeedDependencies['files'], items: readonly Wanted[]): Promise<void> {
  const named = items.flatMap(({ item }) => strings(item.data)).filter((one) => one.startsWith('file:'))
  const names = [...new Set(named.map((one) => one.slice('file:'.length)))]
  const missing = await withoutPresent(db, 'file', names, pictureId)
  await Promise.all(
    missing.map(async (name) => {
      const content = await drawPicture(name)
      await store.save({ id: pictureId(name), name: `${name.replaceAll('/', '-')}.webp`, content, owner: null })
    }),
  )
}

async function createPeople(
  trx: Transaction<DB>,
  people: readonly SeedPerson[],
  ids: ReadonlyMap<string, string>,
): Promise<void> {
  if (people.length === 0) return
  const passwordHash = await hashPassword(DEMO_PASSWORD)
  const own = accounts(trx)
  for (const person of people) {
    const { grants, ...account } = person
    const id = await own.create({ id: personId(person), passwordHash, ...account })
    for (const { role, scope } of grants)
      await own.grant(id, { role, ...(scope && { scope: { kind: scope.kind, id: String(resolved(scope.id, ids)) } }) })
  }
}
