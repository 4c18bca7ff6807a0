import { expect, test } from '@jest/globals'
import { as } from '../platform/kit/people.ts'

test('a student of a postgraduate degree gets the role of one with the account', async () => {
  const [admin, head] = await Promise.all([as('admin'), as('head.welfare')])
  const STUDENTS = '/api/registers/platform/student/items'
  const now = Date.now()
  const roleOf = async (batchName: string, number: number) => {
    const { items: batches } = await admin.get(`/api/registers/batches/batch/items?search=${batchName}`)
    const batch = batches[0]
    const { items: faculties } = await admin.get('/api/registers/platform/faculty/items?search=Music')
    const data = {
      ...{
        reg_no: `T/${now}/${number}`,
        full_name: `Test Student ${number}`,
        nic: `${1990 + number}${now}`.slice(0, 12),
      },
      ...{ email: `t${now}.${number}@example.org`, faculty: faculties[0].id, programme: batch.title },
      ...{ intake: batch.data.intake, batch: batch.id },
    }
    const { id } = await admin.ok('POST', STUDENTS, { data })
    expect(await head.ok('POST', '/api/students/password-links', { items: [id] })).toMatchObject({ sent: 1 })
    const { items: people } = await admin.get(`/api/people?search=${data.email}`)
    const { grants } = await admin.get(`/api/people/${people[0].id}`)
    return grants.map(({ role }: { role: string }) => role)
  }
  expect(await roleOf('Oriental Music 2025', 1)).toEqual(['Undergraduate Student'])
  expect(await roleOf('Master of Performing Arts 2025', 2)).toEqual(['Post Graduate Student'])
})
