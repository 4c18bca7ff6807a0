import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { freshDatabase, type TestDatabase } from './kit/database.ts'
import { typesOf } from '../../api/platform/db/generate.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await freshDatabase()
})

afterAll(() => database.drop())

test('the types of the tables are those that the migrations make', async () => {
  const written = readFileSync(join(import.meta.dirname, '../../api/platform/db/database.generated.ts'), 'utf8')
  expect(await typesOf(database.appUrl)).toBe(written)
})
