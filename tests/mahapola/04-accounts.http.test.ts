import { expect, test } from '@jest/globals'
import { as } from '../platform/kit/people.ts'
import { studentId } from './installment.ts'

const ACCOUNTS = '/api/registers/platform/student-account/items'

test('a second person certifies a new or changed bank account of a student', async () => {
  const [maker, colleague] = await Promise.all([as('ma.welfare'), as('assistant.welfare')])
  const [bank] = (await maker.get('/api/registers/vouchers/bank/items?search=9001')).items
  const [branch] = (await maker.get('/api/registers/vouchers/branch/items?search=9001-021')).items
  const named = { account_name: 'H. Gamage', bank: bank.id, branch: branch.id, account_number: '0099 1234 5678' }
  const data = { student: await studentId('hasini'), ...named }
  const made = await maker.ok('POST', ACCOUNTS, { data })
  expect(made.status).toBe('To Certify')

  const certify = (person: typeof maker, version: number) =>
    person.send('POST', `${ACCOUNTS}/${made.id}/status`, { status: 'Certified' }, { 'if-match': `"${version}"` })
  expect((await certify(maker, 1)).body).toMatchObject({ code: 'platform.certified-by-changer' })
  expect((await certify(colleague, 1)).body).toMatchObject({ status: 'Certified' })

  const changed = await colleague.ok(
    'PUT',
    `${ACCOUNTS}/${made.id}`,
    { data: { ...data, account_number: '0099 1234 9999' } },
    { 'if-match': '"2"' },
  )
  expect(changed.status).toBe('To Certify')
  expect((await certify(colleague, 3)).status).toBe(403)
  expect((await certify(maker, 3)).status).toBe(200)
})
