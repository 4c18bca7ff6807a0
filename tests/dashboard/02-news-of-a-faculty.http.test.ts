import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Caller, type TestApp, testApp } from '../platform/kit/app.ts'
import { type TestDatabase, freshDatabase } from '../platform/kit/database.ts'
import { day } from '../platform/kit/days.ts'
import { anItem } from '../platform/kit/rows.ts'
import { PDF, uploadsTo } from '../platform/kit/uploads.ts'

const NEWS = '/api/registers/dashboard/news/items'

let database: TestDatabase
let own: TestApp
let office: Caller
let deanOfMusic: Caller
let music: string
let [ofMusic, elsewhere]: [Record<string, Caller>, Record<string, Caller>] = [{}, {}]

beforeAll(async () => {
  database = await freshDatabase()
  own = await testApp(database)
  const { db } = database
  music = await anItem(db, 'platform/faculty')
  const arts = await anItem(db, 'platform/faculty')
  const keys = await anItem(db, 'platform/department', { data: { faculty: music } })
  const painting = await anItem(db, 'platform/department', { data: { faculty: arts } })
  const at = (kind: string, id: string) => ({ scope: { kind, id } })
  office = await own.person('office', { role: 'Registrar Office AR' })
  deanOfMusic = await own.person('dean.music', { role: 'Dean', ...at('faculty', music) })
  const entered = async (name: string, register: string, data: object) => {
    const caller = await own.person(name)
    const record_id = await anItem(db, register, { data })
    await db.updateTable('account').set({ record_id }).where('id', '=', caller.id).execute()
    return caller
  }
  ofMusic = {
    student: await own.person('student', { role: 'Undergraduate Student', ...at('faculty', music) }),
    head: await own.person('head', { role: 'HOD', ...at('department', keys) }),
    // Their own entry says where they are, and no role does.
    lecturer: await entered('lecturer', 'platform/employee', { department: keys }),
    postgraduate: await entered('postgraduate', 'platform/student', { faculty: music }),
  }
  elsewhere = {
    student: await own.person('student.arts', { role: 'Undergraduate Student', ...at('faculty', arts) }),
    head: await own.person('head.arts', { role: 'HOD', ...at('department', painting) }),
    dean: await own.person('dean.arts', { role: 'Dean', ...at('faculty', arts) }),
    lecturer: await entered('lecturer.arts', 'platform/employee', { department: painting }),
    finance: await own.person('finance', { role: 'Finance MA' }),
    nobody: await own.person('nobody'),
  }
})
afterAll(async () => {
  await own.close()
  await database.drop()
})

const publish = (who: Caller, title: string, more: object = {}) =>
  who.send('POST', NEWS, { data: { title, text: 'The term begins.', from: day(0), until: day(3), ...more } })
const told = async (who: Caller, path: string): Promise<string[]> =>
  (await who.send('GET', path)).json().items.map(({ title }: { title: string }) => title)

test('news of a faculty reach its people, and nobody of another by any way', async () => {
  const file = await uploadsTo(deanOfMusic, 'times.pdf', PDF)
  const made = await publish(deanOfMusic, 'Auditions of Music', { faculty: music, file })
  expect(made.statusCode).toBe(201)
  const { id } = made.json()
  expect((await publish(office, 'Of the university')).statusCode).toBe(201)
  const paths = ['/api/news', NEWS, `${NEWS}?inUse=true`]
  for (const [name, reader] of [...Object.entries(ofMusic), ['dean', deanOfMusic], ['office', office]] as const) {
    for (const path of paths)
      expect([name, path, (await told(reader, path)).toSorted()]).toEqual([
        ...[name, path],
        ['Auditions of Music', 'Of the university'],
      ])
    expect([name, (await reader.send('GET', `${NEWS}/${id}`)).statusCode]).toEqual([name, 200])
    expect([name, (await reader.send('GET', `/api/files/${file}`)).statusCode]).toEqual([name, 200])
  }
  for (const [name, reader] of Object.entries(elsewhere)) {
    for (const path of paths)
      expect([name, path, await told(reader, path)]).toEqual([name, path, ['Of the university']])
    for (const path of [`${NEWS}?search=Auditions`, `${NEWS}?filter.faculty=${music}`])
      expect([name, path, await told(reader, path)]).toEqual([name, path, []])
    const one = await reader.send('GET', `${NEWS}/${id}`)
    expect([name, one.statusCode, one.body.includes('Auditions')]).toEqual([name, 404, false])
    expect([name, (await reader.send('GET', `/api/files/${file}`)).statusCode]).toEqual([name, 404])
  }
})

test('a Dean publishes for the own faculty, and neither for another nor for all', async () => {
  const refused = async (who: Caller, more: object) => (await publish(who, 'Mine', more)).statusCode
  expect(await refused(elsewhere['dean']!, { faculty: music })).toBe(403)
  expect(await refused(deanOfMusic, {})).toBe(403)
  expect(await refused(ofMusic['student']!, { faculty: music })).toBe(403)
})

test('news that move to another faculty leave the readers of the former one', async () => {
  const arts = await anItem(database.db, 'platform/faculty')
  const { id, version, data } = (await publish(office, 'Moves', { faculty: music })).json()
  expect(await told(ofMusic['student']!, '/api/news')).toContain('Moves')
  const moved = { data: { ...data, faculty: arts } }
  expect((await office.send('PUT', `${NEWS}/${id}`, moved, { 'if-match': `"${version}"` })).statusCode).toBe(200)
  expect(await told(ofMusic['student']!, '/api/news')).not.toContain('Moves')
})
