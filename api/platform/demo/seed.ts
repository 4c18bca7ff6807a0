import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Kysely, type Transaction, sql } from 'kysely'
import type { DB, JsonObject, JsonValue } from '../db/database.generated.ts'
import type { files } from '../files/files.ts'
import type { Library } from '../flows/library.ts'
import { accounts } from '../identity/accounts.ts'
import { hashPassword } from '../identity/password.ts'
import { registers } from '../registers/registers.ts'
import { accountId, itemId, named, pictureId } from './names.ts'
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

/**
 * Loads what registers begin with (`*.seed.json`), and demo items and people (`*.demo.json`) where they are wanted.
 * Several nodes may call it at once, and at every start: what is there, changed or not, is left alone. Answers whether
 * it was this call that made the demo people.
 */
export async function seed({ db, library, files: store, root, demo }: SeedDependencies): Promise<boolean> {
  const wanted = readItems(root, library, demo)
  const people = demo ? readPeople(root) : []
  const missing = async (on: Kysely<DB>) => ({
    items: await withoutPresent(on, 'register_item', wanted, ({ register, item }) => itemId(register, item.key)),
    people: await withoutPresent(on, 'account', people, ({ username }) => accountId(username)),
  })
  const before = await missing(db)
  if (before.items.length === 0 && before.people.length === 0) return false

  return db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${LOCK})`.execute(trx)
    const now = await missing(trx)
    // On connections of their own, because their bytes lie outside the database; the lock keeps other nodes from it.
    await drawPictures(db, store, now.items)
    const own = registers(trx, library)
    for (const { register, item } of inOrder(now.items)) {
      const { key, status, data } = item
      await own.create(register, named(data), null, { id: itemId(register, key), ...(status && { status }) })
    }
    await createPeople(trx, now.people)
    return now.people.length > 0
  })
}

type Wanted = { register: string; item: SeedItem }

function readItems(root: string, library: Library, demo: boolean): Wanted[] {
  const suffixes = demo ? ['.seed.json', '.demo.json'] : ['.seed.json']
  return [...library.registers.keys()].flatMap((register) =>
    suffixes
      .map((suffix) => join(root, 'forms', `${register}${suffix}`))
      .filter((file) => existsSync(file))
      .flatMap((file) => JSON.parse(readFileSync(file, 'utf8')) as SeedItem[])
      .map((item) => ({ register, item })),
  )
}

function readPeople(root: string): SeedPerson[] {
  return JSON.parse(readFileSync(join(root, 'forms/platform/people.demo.json'), 'utf8')) as SeedPerson[]
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

async function drawPictures(db: Kysely<DB>, store: SeedDependencies['files'], items: readonly Wanted[]): Promise<void> {
  const pictures = items.flatMap(({ item }) => strings(item.data)).filter((one) => one.startsWith('file:'))
  const names = [...new Set(pictures.map((one) => one.slice('file:'.length)))]
  const missing = await withoutPresent(db, 'file', names, pictureId)
  // One after the other: drawn all at once they would take some hundred megabytes that are never given back.
  for (const name of missing) {
    const content = await drawPicture(name)
    await store.save({ id: pictureId(name), name: `${name.replaceAll('/', '-')}.webp`, content, owner: null })
  }
}

async function createPeople(trx: Transaction<DB>, people: readonly SeedPerson[]): Promise<void> {
  if (people.length === 0) return
  const passwordHash = await hashPassword(DEMO_PASSWORD)
  const own = accounts(trx)
  for (const { grants, ...account } of people) {
    const id = await own.create({ id: accountId(account.username), passwordHash, ...account })
    for (const { role, scope } of grants)
      await own.grant(id, { role, ...(scope && { scope: { kind: scope.kind, id: named(scope.id) } }) })
  }
}
