import { createHash } from 'node:crypto'
import { expect, test } from '@jest/globals'
import { clock } from '../platform/kit/clock.ts'
import { day } from '../platform/kit/days.ts'
import { expectCase, expectEnded, expectMail } from '../platform/kit/expectations.ts'
import { asOwner } from '../platform/kit/owner.ts'
import { as, send } from '../platform/kit/people.ts'
import { until } from '../platform/kit/poll.ts'
import { PIXEL, uploads } from '../platform/kit/uploads.ts'
import { CHAIN, CLEARANCES, RESIGNATION, aResignation, anEmployee, desks } from './resignation.ts'

/** An instrument whose loan needs no approval. */
const BARCODE = 'FM-GB-004'
const STATUSES = [
  'pending recommendation',
  'pending recommendation',
  'pending recommendation',
  'checked by ma',
  'recommended by ar',
  'recommended by registrar',
]

test('an employee resigns, every desk agrees, the letter verifies, all is cleared, and the last day ends the account', async () => {
  const employee = await anEmployee()
  const keeper = await as('book.keeper')
  const { items } = await employee.get(`/api/registers/instruments/instrument/items?search=${BARCODE}`)
  const loan = await employee.submit('instruments/instrument-loan', {
    instrument: items[0].id,
    until: day(20),
    purpose: 'A play',
  })
  const scanned = { barcode: BARCODE, condition: 'good' }
  const photo = await uploads(keeper, 'photo.png', PIXEL)
  await keeper.decides(loan, 'handed-over', { ...scanned, photo }, 'userTask_handOver')
  await expectCase(loan).toBe('Lent')
  const leave = await employee.submit(RESIGNATION, await aResignation(employee))
  expect(leave.reference).toMatch(/^RS-\d{4}-\d{6}$/)
  for (const [index, [desk, username, outcome]] of CHAIN.entries()) {
    const person = await as(username)
    await person.task(leave, desk)
    await expectCase(leave).toBe(STATUSES[index]!)
    await person.decides(leave, outcome, {}, desk)
  }
  await expectCase(leave).toBe('approved by vc')
  await expectMail(employee).about('resignations.mail.approved', leave)

  const { documents } = await employee.get(`/api/cases/${leave.id}`)
  expect(documents).toEqual([expect.objectContaining({ kind: 'resignations/acceptance-letter' })])
  expect(documents[0].number).toMatch(/^RL-\d{4}-\d{6}$/)
  const [{ code }] = (await asOwner<{ code: string }>(
    'select code from app.document_verification where document_id = $1',
    [documents[0].id],
  )) as [{ code: string }]
  const verify = (language = 'en') =>
    send('GET', `/api/public/documents/${code}`, { headers: { 'accept-language': language } })
  const { body: verified } = await verify()
  const { name } = await employee.get('/api/me')
  expect(verified).toEqual({
    ...{ title: 'Acceptance of resignation', number: documents[0].number, holder: name, state: 'valid', endedAt: null },
    ...{ signedBy: ['Registrar', 'Vice Chancellor'], issuedAt: documents[0].issuedAt },
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
  expect((await verify('si')).body.signedBy).toEqual(['ලේඛකාධිකාරී', 'උපකුලපති'])
  const bytes = await employee.bytes(`/api/cases/${leave.id}/documents/${documents[0].id}`)
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(verified.sha256)
  expect((await send('GET', `/api/public/documents/${'0'.repeat(32)}`)).status).toBe(404)

  const clearInstruments = () => keeper.decides(leave, 'clear', {}, desks.clearInstruments)
  await expect(clearInstruments()).rejects.toThrow('platform.still-shown')
  await keeper.decides(loan, 'returned', scanned, 'userTask_takeBack')
  await expectEnded(loan)
  for (const [desk, username] of CLEARANCES) await (await as(username)).decides(leave, 'clear', {}, desk)
  await clock.passes('P60D', leave)
  await expectEnded(leave)
  await expectMail(await as('hr.ma')).about('resignations.mail.left', leave)
  expect((await employee.send('GET', '/api/me')).status).toBe(401)
  const admin = await as('admin')
  await until('the roles have ended', async () => {
    const { active, grants } = await admin.get(`/api/people/${employee.id}`)
    return !active && grants.every(({ state }: { state: string }) => state === 'ended')
  })
  const entry = await admin.get(`/api/registers/platform/employee/items/${employee.record}`)
  expect(entry.status).toBe('Inactive')
})
