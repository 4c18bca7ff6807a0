import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { up } from '../../api/platform/kernel/db/migrations/0036-sole-older-applications.ts'
import { takeSoleKey } from '../../api/platform/work/rows/sole.ts'
import { soleKeyOf } from '../../api/platform/work/cases/requester.ts'
import { loadLibrary } from '../../api/platform/model/library/library.ts'
import { known } from '../../api/platform/kernel/known.ts'
import { type TestDatabase, freshDatabase } from '../platform/kit/database.ts'
import { aCase, anAccount } from '../platform/kit/rows.ts'

const FLOW = 'recruitment/job-application'
let database: TestDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database?.drop())

const dataOf = (vacancy: string, nic: string) => ({ vacancy, record: { basic_information: { nic } } })

async function anOlder(vacancy: string, nic: string, more: object = {}): Promise<string> {
  const { db } = database
  const id = await aCase(db, await anAccount(db), { flow: FLOW })
  const data = JSON.stringify(dataOf(vacancy, nic))
  await db
    .updateTable('flow_case')
    .set({ data, ...more })
    .where('id', '=', id)
    .execute()
  return id
}

test('applications of before the limit hold their NIC, the first of one person only, and none that does not count', async () => {
  const vacancy = randomUUID()
  const first = await anOlder(vacancy, '991354567v')
  const second = await anOlder(vacancy, '199913504567')
  const elsewhere = await anOlder(randomUUID(), '991354567V')
  const refused = await anOlder(vacancy, '199981234567', { state: 'ended', status: 'Not Selected' })
  const told = jest.spyOn(console, 'warn').mockImplementation(() => {})
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a migration knows no tables
  await up(database.owner.db as unknown as Kysely<unknown>)
  expect(told.mock.calls).toEqual([[`another application of the same person counts: CASE-${second}`]])
  told.mockRestore()
  const rows = await database.db.selectFrom('flow_case').select(['id', 'sole_key']).where('flow', '=', FLOW).execute()
  const keyed = rows.filter(({ sole_key }) => sole_key !== null).map(({ id }) => id)
  expect(keyed.toSorted()).toEqual([first, elsewhere].toSorted())

  // It is the key that a new application of the same person asks for.
  const { manifest } = known(loadLibrary(process.cwd()).flows.get(FLOW), FLOW)
  const again = async (caseId: string, nic: string) =>
    takeSoleKey(database.db, {
      caseId,
      flow: FLOW,
      manifest,
      key: String(soleKeyOf(manifest, dataOf(vacancy, nic), new Map())),
    })
  await expect(again(second, '199913504567')).rejects.toMatchObject({ code: 'platform.sole-only' })
  await again(refused, '199981234567')
})
