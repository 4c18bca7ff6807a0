import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { freshDatabase, type TestDatabase } from './kit/database.ts'
import { typesOf } from '../../api/platform/edge/commands/generate-database-types.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await freshDatabase()
})

afterAll(() => database.drop())

test('the types of the tables match the migrations', async () => {
  const written = readFileSync(join(import.meta.dirname, '../../api/platform/kernel/db/database.generated.ts'), 'utf8')
  expect(await typesOf(database.appUrl)).toBe(written)
})
