import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Kysely, type Transaction, sql } from 'kysely'
import { readJson } from '../../kernel/json-file.ts'
import { known } from '../../kernel/known.ts'
import { grantsOfPost } from '../../features/access/posts.ts'
import { addGrants, type NewGrantRow } from '../../people/access/grant-rows.ts'
import { addHolder } from '../../people/access/holder-rows.ts'
import { readUnits } from '../../people/access/units.ts'
import type { DB, JsonObject, JsonValue } from '../../kernel/db/database.generated.ts'
import type { files } from '../../records/files/files.ts'
import { inUse } from '../../model/definitions/register.ts'
import type { FieldKeys } from '../../kernel/field-keys.ts'
import type { Library } from '../../model/library/library.ts'
import { createAccount } from '../../people/identity/accounts.ts'
import { readGroups, seedGroups } from '../../people/identity/groups.ts'
import { hashPassword } from '../../people/identity/password.ts'
import { holdersOf } from '../../records/registers/refusals.ts'
import { registers } from '../../records/registers/registers.ts'
import { declareEncryptedFields, sealedFields, split } from '../../records/registers/sealed.ts'
import { stock } from '../../records/stock/stock.ts'
import { accountId, dated, itemId, named, pictureId, type StandIns } from './names.ts'
import { DEMO_PASSWORD } from './password.ts'
import { awaitStories } from './stories.ts'
import { drawPicture } from './pictures.ts'
import { demoStudents } from './students.ts'

export interface SeedDependencies {
  db: Kysely<DB>
  library: Library
  files: ReturnType<typeof files>
  root: string
  /** Keys of encrypted fields. */
  fieldKeys: FieldKeys
  /** Whether to load demo entries and people in addition to initial data. */
  demo: boolean
}

/**
 * An entry of a `<register>.seed.json` or `<register>.demo.json`. With `each` it is made for every `every`th demo entry
 * in use of another register, beginning with the `first`th, at most `count` times: `{key}` and `{<field>}` in its texts
 * are those of that entry, and `{place}` numbers them in four digits.
 */
interface SeedItem {
  /** Its name within the register, which determines its id. */
  key: string
  status?: string
  data: JsonObject
  /** Of a batch of stock: the units that are on hand. */
  units?: number
  each?: { register: string; every: number; first?: number; count: number }
}

interface SeedPerson {
  username: string
  name: string
  email: string
  post: string
  grants: { role: string; scope?: { kind: string; id: string } }[]
  /** Keys of the posts that they hold. */
  posts?: string[]
}

/** The reason in the grants of demo people. */
const REASON = 'Demo data'

/** Advisory lock key; arbitrary, but the same on every node. */
const LOCK = 7_001_002

/**
 * Loads initial entries (`*.seed.json`) and, if requested, demo entries and people (`*.demo.json`). Several nodes may
 * call it at once, and at every start: existing rows are not changed. If this call created all demo people, nobody has
 * played their cases before, and they are to be played.
 */
export async function seed({ db, library, files: store, root, fieldKeys, demo }: SeedDependencies): Promise<void> {
  await db.transaction().execute((trx) => declareEncryptedFields(trx, library))
  await seedGroups(db, readGroups(root))
  const wanted = readItems(root, library, demo)
  const people = demo ? readPeople(root) : []
  const missing = async (on: Kysely<DB>) => ({
    items: await withoutPresent(on, 'register_item', wanted, ({ register, item }) => itemId(register, item.key)),
    people: await withoutPresent(on, 'account', people, ({ username }) => accountId(username)),
  })
  const before = { ...(await missing(db)), grants: await grantsNeverGiven(db, people) }
  if (Object.values(before).every((some) => some.length === 0)) return

  await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${LOCK})`.execute(trx)
    const now = await missing(trx)
    // Pictures use their own connections, because their content is outside the database; the lock excludes other nodes.
    await drawPictures(db, store, now.items)
    const standIns = await createItems(trx, { library, fieldKeys }, now.items)
    await createPeople(trx, now.people, standIns)
    await addGrants(trx, await grantsNeverGiven(trx, people, standIns))
    if (people.length > 0 && now.people.length === people.length) await awaitStories(trx, root)
  })
}

type Wanted = { register: string; item: SeedItem }

/**
 * Creates entries. Where somebody has entered one with the same unique value before, that one stands in, also for the
 * entries that refer to it.
 */
async function createItems(
  trx: Transaction<DB>,
  { library, fieldKeys }: Pick<SeedDependencies, 'library' | 'fieldKeys'>,
  wanted: readonly Wanted[],
): Promise<StandIns> {
  const own = registers(trx, library)
  const standIns = new Map<string, string>()
  for (const { register, items } of batches(inOrder(wanted))) {
    const definition = known(library.registers.get(register), `the register ${register}`)
    const entries = items.map(({ key, status = inUse(definition), data }) => ({
      ...{ id: itemId(register, key), status },
      data: named(dated(data), standIns),
    }))
    const placed = entries.map((entry, index) => ({ ...entry, index }))
    for (const { index, holder } of await holdersOf(trx, definition, register, placed))
      standIns.set(known(entries[index], 'an entry to create').id, holder)
    const rest = entries.filter(({ id }) => !standIns.has(id))
    if (rest.length === 0) continue
    const parts = rest.map((entry) => ({ ...entry, ...split(definition, entry.data) }))
    const made = await own.createMany(
      register,
      parts.map(({ id, status, plain }) => ({ id, status, data: plain })),
      null,
    )
    if (definition.sealed)
      for (const [index, item] of made.entries())
        await sealedFields(trx, fieldKeys).write(item, known(parts[index], 'an entry').secret)
    if (definition.stock)
      for (const item of made)
        await stock(trx).open(definition.stock, item, {
          units: items.find(({ key }) => itemId(register, key) === item.id)?.units ?? 0,
          reason: REASON,
          by: null,
        })
  }
  return standIns
}

function readItems(root: string, library: Library, demo: boolean): Wanted[] {
  const suffixes = demo ? ['.seed.json', '.demo.json'] : ['.seed.json']
  const written = [...library.registers.keys()].flatMap((register) =>
    suffixes
      .map((suffix) => join(root, 'forms', `${register}${suffix}`))
      .filter((file) => existsSync(file))
      .flatMap((file) => readJson<SeedItem[]>(file))
      .map((item) => ({ register, item })),
  )
  const students: SeedItem[] = demo ? demoStudents(readPeople(root)) : []
  const whole: Wanted[] = [...written, ...students.map((item) => ({ register: 'platform/student', item }))]
  const usedIn = (register: string) =>
    whole.flatMap((one) => {
      const { status, each } = one.item
      const first = library.registers.get(register)?.statuses[0]
      return one.register === register && !each && (status ?? first) === first ? [one.item] : []
    })
  return whole.flatMap(({ register, item }) =>
    item.each ? eachOf(item, usedIn(item.each.register)).map((one) => ({ register, item: one })) : [{ register, item }],
  )
}

/** The entries that an entry with `each` stands for. */
function eachOf({ each, ...template }: SeedItem, others: readonly SeedItem[]): SeedItem[] {
  const { every, first = every, count } = known(each, 'the entries it is made for')
  return others
    .slice(first - 1)
    .filter((_, index) => index % every === 0)
    .slice(0, count)
    .map(({ key, data }, index) => {
      const values: Record<string, unknown> = { ...data, key, place: String(index + 1).padStart(4, '0') }
      const written = JSON.stringify(template).replaceAll(/\{([a-z_]+)\}/g, (_, name: string) =>
        JSON.stringify(String(values[name])).slice(1, -1),
      )
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an entry, in which only texts were changed
      return JSON.parse(written) as SeedItem
    })
}

function readPeople(root: string): SeedPerson[] {
  return readJson(join(root, 'forms/platform/people.demo.json'))
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

/**
 * Sorts entries after those that they refer to, and those of one register together, so that few statements create them.
 * References to existing entries do not count.
 */
function inOrder(items: readonly Wanted[]): Wanted[] {
  const byName = new Map(items.map((one) => [`@${one.register}/${one.item.key}`, one]))
  const depths = new Map<string, number>()
  const depthOf = (name: string): number => {
    const one = byName.get(name)
    if (!one) return 0
    const found = depths.get(name)
    if (found !== undefined) return found
    // Two entries that refer to each other cannot both come first.
    depths.set(name, 0)
    const depth = 1 + Math.max(0, ...strings(one.item.data).map(depthOf))
    depths.set(name, depth)
    return depth
  }
  const placed = [...byName].map(([name, one]) => ({ one, depth: depthOf(name) }))
  return placed
    .toSorted((a, b) => a.depth - b.depth || a.one.register.localeCompare(b.one.register))
    .map(({ one }) => one)
}

/** Groups entries of one register without references to each other, so that each group can be created at once. */
function batches(items: readonly Wanted[]): { register: string; items: SeedItem[] }[] {
  const found: { register: string; items: SeedItem[] }[] = []
  for (const { register, item } of items) {
    const last = found.at(-1)
    const refersToOwn = strings(item.data).some((one) => one.startsWith(`@${register}/`))
    if (last?.register === register && !refersToOwn) last.items.push(item)
    else found.push({ register, items: [item] })
  }
  return found
}

function strings(value: JsonValue | undefined): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : []
}

async function drawPictures(db: Kysely<DB>, store: SeedDependencies['files'], items: readonly Wanted[]): Promise<void> {
  const pictures = items.flatMap(({ item }) => strings(item.data)).filter((one) => one.startsWith('file:'))
  const names = [...new Set(pictures.map((one) => one.slice('file:'.length)))]
  const missing = await withoutPresent(db, 'file', names, pictureId)
  // One at a time: all at once would take some hundred megabytes of memory that are not returned.
  for (const name of missing) {
    const content = await drawPicture(name)
    await store.save({ id: pictureId(name), name: `${name.replaceAll('/', '-')}.webp`, content, owner: null })
  }
}

/** Fields of every seeded grant. */
const SEEDED = { startsAt: null, endsAt: null, by: null, reason: REASON }

function seededGrants(account: string, grants: SeedPerson['grants'], standIns?: StandIns): NewGrantRow[] {
  return grants.map(({ role, scope }) => ({
    ...SEEDED,
    account,
    role,
    scope: scope ? { kind: scope.kind, id: named(scope.id, standIns) } : null,
    origin: 'seed',
  }))
}

/**
 * Grants that existing demo people never had, such as that of the owner of a new flow. A grant that somebody has ended
 * stays ended.
 */
async function grantsNeverGiven(
  db: Kysely<DB>,
  people: readonly SeedPerson[],
  standIns?: StandIns,
): Promise<NewGrantRow[]> {
  if (people.length === 0) return []
  const rows = await db
    .selectFrom('account as a')
    .leftJoin('role_grant as g', 'g.account_id', 'a.id')
    .select(['a.id', 'g.role', 'g.scope_kind', 'g.scope_id'])
    .where(
      'a.id',
      'in',
      people.map(({ username }) => accountId(username)),
    )
    .execute()
  const present = new Set(rows.map(({ id }) => id))
  const keyOf = (...parts: (string | null)[]) => JSON.stringify(parts)
  const given = new Set(rows.map((row) => keyOf(row.id, row.role, row.scope_kind, row.scope_id)))
  return people
    .flatMap(({ username, grants }) => seededGrants(accountId(username), grants, standIns))
    .filter(({ account }) => present.has(account))
    .filter(({ account, role, scope }) => !given.has(keyOf(account, role, scope?.kind ?? null, scope?.id ?? null)))
}

async function createPeople(trx: Transaction<DB>, people: readonly SeedPerson[], standIns: StandIns): Promise<void> {
  if (people.length === 0) return
  const passwordHash = await hashPassword(DEMO_PASSWORD)
  const units = await readUnits(trx)
  for (const { grants, posts = [], post: written, ...account } of people) {
    const { username } = account
    // The text follows from the post.
    const text = posts.length > 0 ? null : written
    const id = await createAccount(trx, { id: accountId(username), passwordHash, ...account, post: text })
    await addGrants(trx, seededGrants(id, grants, standIns))
    for (const key of posts) {
      const post = units.find({ kind: 'post', id: named(`@platform/post/${key}`, standIns) })
      if (!post?.role) throw new Error(`${username} holds the post ${key}, which is not among the demo posts`)
      const holder = await addHolder(trx, { ...SEEDED, post: post.id, account: id, acting: false })
      const given = { ...SEEDED, account: id, origin: 'post' as const, holder }
      await addGrants(
        trx,
        grantsOfPost({ ...post, role: post.role }).map((grant) => ({ ...given, ...grant })),
      )
    }
    await bindToEntry(trx, id, username, standIns)
  }
  // The addresses do not exist, so mark them as confirmed without a mail.
  const made = people.map(({ username }) => accountId(username))
  await trx
    .updateTable('account')
    .set({ email_confirmed_at: sql`now()` })
    .where('id', 'in', made)
    .execute()
}

/** Links an account to the person's entry among employees, students or temporary employees, if there is one. */
async function bindToEntry(trx: Transaction<DB>, id: string, username: string, standIns: StandIns): Promise<void> {
  const entries = ['platform/employee', 'platform/student', 'platform/temporary-employee'].map((register) =>
    named(`@${register}/${username}`, standIns),
  )
  await trx
    .updateTable('account')
    .set((eb) => ({ record_id: eb.selectFrom('register_item').select('id').where('id', 'in', entries).limit(1) }))
    .where('id', '=', id)
    .execute()
}
