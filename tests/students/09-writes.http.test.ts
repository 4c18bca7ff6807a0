import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Caller, type TestApp, testApp } from '../platform/kit/app.ts'
import { type TestDatabase, freshDatabase } from '../platform/kit/database.ts'
import { anItem } from '../platform/kit/rows.ts'

let database: TestDatabase
let own: TestApp
let student: string
let entries: { register: string; id: string }[]
beforeAll(async () => {
  database = await freshDatabase()
  own = await testApp(database)
  const { db } = database
  const faculty = await anItem(db, 'platform/faculty')
  const department = await anItem(db, 'platform/department', { data: { faculty } })
  student = await anItem(db, 'platform/student', { status: 'active', data: { faculty, department } })
  const about = { student, name: 'An entry' }
  const owned = ['particulars', 'admission', 'document', 'request-deferment', 'subject-registration'].map(
    (name) => `students/${name}`,
  )
  const registers = [...owned, 'id-cards/card', 'platform/student-account', 'intakes/student-change']
  entries = [{ register: 'platform/student', id: student }]
  for (const register of registers) entries.push({ register, id: await anItem(db, register, { data: about }) })
})
afterAll(async () => {
  await own.close()
  await database.drop()
})

/** Every operation that writes an entry, or what belongs to one. */
function writes(register: string, id: string): [method: string, path: string, body: object][] {
  const items = `/api/registers/${register}/items`
  const data = register === 'platform/student' ? { full_name: 'X' } : { student }
  return [
    ['POST', items, { data }],
    ['PUT', `${items}/${id}`, { data }],
    ['POST', `${items}/${id}/status`, { status: 'Inactive' }],
  ]
}

/** What one may write of one's own students names the field with the student; some statuses nobody sets. */
const REFUSED = [403, 404, 'platform.belongs-elsewhere', 'platform.status-of-case']

test('nobody of another department or faculty writes anything about a student', async () => {
  const { db } = database
  const faculty = await anItem(db, 'platform/faculty')
  const department = await anItem(db, 'platform/department', { data: { faculty } })
  const roles = [
    { role: 'MA', scope: { kind: 'department', id: department } },
    { role: 'MA', scope: { kind: 'faculty', id: faculty } },
    { role: 'HOD', scope: { kind: 'department', id: department } },
    { role: 'Dean', scope: { kind: 'faculty', id: faculty } },
    { role: 'Faculty AR', scope: { kind: 'faculty', id: faculty } },
  ]
  const before = await db.selectFrom('register_item').select(['id', 'version']).orderBy('id').execute()
  for (const [index, grant] of roles.entries()) {
    const who: Caller = await own.person(`elsewhere-${index}`, grant)
    for (const { register, id } of entries)
      for (const [method, path, body] of writes(register, id)) {
        const answer = await who.send(method as 'POST', path, body, { 'if-match': '"1"' })
        const { statusCode } = answer
        const code = [403, 404].includes(statusCode)
          ? statusCode
          : (answer.json().errors?.[0]?.code ?? answer.json().code)
        const asked = `${grant.role}: ${method} ${path}`
        expect([asked, REFUSED.includes(code) ? 'refused' : code]).toEqual([asked, 'refused'])
      }
  }
  const after = await db
    .selectFrom('register_item')
    .select(['id', 'version'])
    .where(
      'id',
      'in',
      before.map(({ id }) => id),
    )
    .orderBy('id')
    .execute()
  expect(after).toEqual(before)
})
