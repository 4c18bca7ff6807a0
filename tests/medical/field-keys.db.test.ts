import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { fieldKeys } from '../../api/platform/kernel/field-keys.ts'
import { refuseMissingKeys } from '../../api/platform/records/registers/sealed.ts'
import { type TestDatabase, freshDatabase } from '../platform/kit/database.ts'
import { anItem } from '../platform/kit/rows.ts'

const secret = (letter: string) => letter.repeat(32)

let database: TestDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

test('two keys of the same name are refused, and a start without a key that something is sealed with', async () => {
  expect(() => fieldKeys(`a:${secret('x')} a:${secret('y')}`)).toThrow('names a key twice')
  const item_id = await anItem(database.owner.db, 'medical/patient')
  const old = fieldKeys(`old:${secret('x')}`)
  const { keyId: key_id, sealed } = old.seal('label', 'text')
  await database.db.insertInto('sealed_fields').values({ item_id, version: 1, key_id, sealed }).execute()
  await refuseMissingKeys(database.db, fieldKeys(`new:${secret('y')} old:${secret('x')}`))
  await expect(refuseMissingKeys(database.db, fieldKeys(`new:${secret('y')}`))).rejects.toThrow('need: old')
})
