import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { randomUUID } from 'node:crypto'
import type { JsonObject } from '../../api/platform/kernel/db/database.generated.ts'
import type { RegisterDefinition } from '../../api/platform/model/definitions/register.ts'
import { registers } from '../../api/platform/records/registers/registers.ts'
import { publicView } from '../../api/platform/records/registers/views.ts'
import { type TestDatabase, freshDatabase } from './kit/database.ts'
import { anAccount } from './kit/rows.ts'

const common = {
  statuses: ['Active', 'Inactive'],
  changedBy: ['ADMIN'],
  seenBy: ['*'],
} satisfies Partial<RegisterDefinition>
const library = {
  registers: new Map<string, RegisterDefinition>([
    [
      't/maker',
      {
        ...common,
        title: 't.makers',
        titleField: '/name',
        item: { type: 'object', properties: { name: { type: 'string' } } },
      },
    ],
    [
      't/pupil',
      {
        ...common,
        statuses: ['active', 'suspended'],
        title: 't.pupils',
        titleField: '/name',
        item: { type: 'object', properties: { name: { type: 'string' } } },
      },
    ],
    [
      't/violin',
      {
        ...common,
        title: 't.violins',
        titleField: '/name',
        search: ['/name', '/code'],
        filters: ['/maker'],
        public: { where: { status: 'Active', 'data.shown': true }, fields: ['/name', '/picture'] },
        item: {
          type: 'object',
          required: ['name'],
          additionalProperties: false,
          properties: {
            name: { type: 'string', minLength: 1, 'x-messages': { required: 't.name-wanted' } },
            code: { type: 'string', 'x-unique': true },
            maker: { type: 'string', format: 'uuid', 'x-register': 't/maker' },
            pupil: { type: 'string', format: 'uuid', 'x-register': 't/pupil' },
            shown: { type: 'boolean' },
            picture: { type: 'string', format: 'uuid', 'x-widget': 'file' },
            strings: {
              type: 'array',
              items: { type: 'object', properties: { maker: { type: 'string', 'x-register': 't/maker' } } },
            },
          },
        },
      },
    ],
  ]),
}
let database: TestDatabase
let by: string
beforeAll(async () => {
  database = await freshDatabase()
  by = await anAccount(database.db)
})
afterAll(() => database.drop())

function within<T>(act: (own: ReturnType<typeof registers>) => Promise<T>): Promise<T> {
  return database.db.transaction().execute((trx) => act(registers(trx, library)))
}
const create = (data: JsonObject, register = 't/violin') => within((own) => own.create(register, data, by))

test('an item that its schema refuses is refused, field by field', async () => {
  await expect(create({ name: '', colour: 'red' })).rejects.toMatchObject({
    code: 'platform.form-invalid',
    fields: expect.arrayContaining([
      { field: '/colour', code: 'platform.check-additionalProperties' },
      { field: '/name', code: 't.name-wanted', values: { limit: 1 } },
    ]),
  })
})

test('a unique value belongs to one item, regardless of case and form of its letters', async () => {
  const first = await create({ name: 'Amati', code: 'V-1' })
  const taken = { code: 'platform.form-invalid', fields: [{ field: '/code', code: 'platform.value-taken' }] }
  await expect(create({ name: 'Copy', code: ' v-1 ' })).rejects.toMatchObject(taken)
  await within((own) => own.change(first, { code: 'V-2' }, by))
  await expect(create({ name: 'Now free', code: 'V-1' })).resolves.toMatchObject({ version: 1 })
})

test('of 16 who want the same unique value at once, one gets it', async () => {
  const results = await Promise.allSettled(Array.from({ length: 16 }, () => create({ name: 'Race', code: 'R-1' })))
  const refused = results.filter((result) => result.status === 'rejected')
  expect(refused).toHaveLength(15)
  expect(refused.every((result) => result.reason.fields[0].code === 'platform.value-taken')).toBe(true)
})

test('a reference is to an existing item of the right register that is in use', async () => {
  const violin = await create({ name: 'Other register' })
  const retired = await create({ name: 'Retired' }, 't/maker')
  const kept = await create({ name: 'Keeps it', maker: retired.id })
  await within((own) => own.setStatus(retired, 'Inactive', by))
  for (const [maker, code] of [
    [randomUUID(), 'platform.item-unknown'],
    [violin.id, 'platform.item-unknown'],
    [retired.id, 'platform.item-inactive'],
  ])
    await expect(create({ name: 'x', maker })).rejects.toMatchObject({ fields: [{ field: '/maker', code }] })
  await expect(create({ name: 'x', strings: [{}, { maker: randomUUID() }] })).rejects.toMatchObject({
    fields: [{ field: '/strings/1/maker', code: 'platform.item-unknown' }],
  })
  await expect(within((own) => own.change(kept, { name: 'Still keeps it' }, by))).resolves.toMatchObject({ version: 2 })
})

test('items can be referenced only in the first status of their register', async () => {
  const maker = await create({ name: 'On leave' }, 't/pupil')
  await expect(create({ name: 'Loan', pupil: maker.id })).resolves.toMatchObject({ version: 1 })
  expect(maker.status).toBe('active')
  await within((own) => own.setStatus(maker, 'suspended', by))
  await expect(create({ name: 'Loan', pupil: maker.id })).rejects.toMatchObject({
    fields: [{ field: '/pupil', code: 'platform.item-inactive' }],
  })
  const listed = (inUse: boolean) => within((own) => own.list('t/pupil', { search: 'on leave', inUse }))
  expect([(await listed(true)).items.length, (await listed(false)).items.length]).toEqual([0, 1])
})

test('many items are all created or none, each error with its place', async () => {
  const maker = await create({ name: 'Guarneri' }, 't/maker')
  const many = (...items: JsonObject[]) =>
    within((own) =>
      own.createMany(
        't/violin',
        items.map((data) => ({ data })),
        by,
      ),
    )
  await expect(
    many(
      { name: 'Fine', code: 'M-1', maker: maker.id },
      { name: '', code: 'M-1' },
      { name: 'Lost', maker: randomUUID(), strings: [{ maker: randomUUID() }] },
    ),
  ).rejects.toMatchObject({
    code: 'platform.form-invalid',
    fields: [
      { field: '/1/name', code: 't.name-wanted' },
      { field: '/1/code', code: 'platform.value-taken' },
      { field: '/2/maker', code: 'platform.item-unknown' },
      { field: '/2/strings/0/maker', code: 'platform.item-unknown' },
    ],
  })
  const made = await many({ name: 'B', code: 'M-1', maker: maker.id }, { name: 'A', code: 'M-2' })
  expect(made.map(({ title, version }) => [title, version])).toEqual([
    ['B', 1],
    ['A', 1],
  ])
  await expect(create({ name: 'Late', code: 'm-2' })).rejects.toMatchObject({ code: 'platform.form-invalid' })
  const { rows } = await database.pool.query(
    `select (select count(*)::int from app.register_item_version where item_id = any($1)) as versions,
       (select count(*)::int from app.register_reference where item_id = any($1)) as links,
       (select count(*)::int from app.audit_entry e join app.audit_payload p on p.entry_id = e.id
        where e.actor = $2 and e.object = any($3)) as told`,
    [made.map(({ id }) => id), by, made.map(({ id }) => `t/violin:${id}`)],
  )
  expect(rows).toEqual([{ versions: 2, links: 1, told: 2 }])
})

test('the database protects referenced items', async () => {
  const maker = await create({ name: 'Named' }, 't/maker')
  await create({ name: 'Names it', maker: maker.id })
  await database.owner.pool.query('delete from app.register_item_version where item_id = $1', [maker.id])
  await expect(
    database.owner.pool.query('delete from app.register_item where id = $1', [maker.id]),
  ).rejects.toMatchObject({
    code: '23503',
  })
})

test('every change is a version, and a change based on an old version is refused', async () => {
  const first = await create({ name: 'One', code: 'C-1' })
  const second = await within((own) => own.change(first, { name: 'Two', code: null }, by))
  expect(second).toMatchObject({ version: 2, title: 'Two', data: { name: 'Two' } })
  await expect(within((own) => own.change(first, { name: 'Lost' }, by))).rejects.toThrow('is at version 2, not 1')
  await within((own) => own.setStatus(second, 'Inactive', by))
  const { rows } = await database.pool.query(
    `select version, status, data->>'name' as name from app.register_item_version where item_id = $1 order by version`,
    [first.id],
  )
  expect(rows).toEqual([
    { version: 1, status: 'Active', name: 'One' },
    { version: 2, status: 'Active', name: 'Two' },
    { version: 3, status: 'Inactive', name: 'Two' },
  ])
  await expect(within((own) => own.setStatus({ ...second, version: 3 }, 'Broken', by))).rejects.toMatchObject({
    fields: [{ field: '/status' }],
  })
})

test('lists page by key, count, search and filter', async () => {
  const maker = await create({ name: 'Lister' }, 't/maker')
  for (let n = 0; n < 7; n++) await create({ name: `Listed ${n} %`, maker: maker.id })
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page = await within((own) => own.list('t/violin', { filters: { maker: maker.id }, limit: 3, cursor }))
    expect(page.count).toEqual({ value: 7, more: false })
    seen.push(...page.items.map((item) => item.title))
    cursor = page.next ?? undefined
  } while (cursor)
  expect(seen).toEqual(Array.from({ length: 7 }, (_, n) => `Listed ${n} %`))
  const found = await within((own) => own.list('t/violin', { search: 'listed 3 %' }))
  expect(found.items.map((item) => item.title)).toEqual(['Listed 3 %'])
  await expect(within((own) => own.list('t/violin', { filters: { code: 'x' } }))).rejects.toMatchObject({
    code: 'platform.filter-unknown',
  })
  await expect(within((own) => own.list('t/violin', { cursor: 'nonsense' }))).rejects.toMatchObject({
    code: 'platform.cursor-invalid',
  })
})

test('the public sees items marked public, and their listed fields only', async () => {
  await create({ name: 'Public one', shown: true, code: 'P-1' })
  await create({ name: 'Public two', shown: false })
  const { items } = await within((own) => own.list('t/violin', { public: true, search: 'public' }))
  expect(items.map((item) => publicView(library.registers.get('t/violin')!, item).data)).toEqual([
    { name: 'Public one' },
  ])
  await expect(within((own) => own.list('t/maker', { public: true }))).rejects.toMatchObject({
    code: 'platform.not-found',
  })
})

test('a picture on a public item becomes public, and must belong to the person who adds it', async () => {
  const [mine, theirs] = [randomUUID(), randomUUID()]
  const other = await anAccount(database.db)
  for (const [id, owner] of [
    [mine, by],
    [theirs, other],
  ] as const)
    await database.db
      .insertInto('file')
      .values({ id, name: 'a', content_type: 'image/png', size: 1, sha256: 'x', storage_key: id, owner_id: owner })
      .execute()
  await expect(create({ name: 'x', picture: theirs })).rejects.toMatchObject({
    fields: [{ field: '/picture', code: 'platform.file-unknown' }],
  })
  await create({ name: 'x', picture: mine })
  const { rows } = await database.pool.query('select public from app.file where id = any($1) order by public', [
    [mine, theirs],
  ])
  expect(rows).toEqual([{ public: false }, { public: true }])
})
