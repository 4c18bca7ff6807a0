import { expect, test } from '@jest/globals'
import { extractText, getDocumentProxy } from 'unpdf'
import { expectCase, expectEnded, expectMail } from '../platform/kit/expectations.ts'
import { as, type Case, type Person } from '../platform/kit/people.ts'
import { INSTALLMENT, aScheme, agree, anInstallment, lineOf, run, signAll, sums } from './installment.ts'

/** The words of a paper of a run, as its PDF prints them. */
async function paper(reader: Person, of: Case, name: string): Promise<string> {
  const pdf = await reader.bytes(`/api/cases/${of.id}/run/paper?paper=${name}`)
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(pdf)), { mergePages: true })
  return text.replaceAll(/\s+/g, ' ')
}

test('an installment is prepared, signed in three ways, approved, paid and handed to the bank', async () => {
  const [preparer, bursar, student] = await Promise.all([as('ma.welfare'), as('bursar'), as('student.nuwan')])
  const scheme = await aScheme(['nuwan', 'selvi', 'kavindi', 'hasini'])

  const of = await preparer.submit(INSTALLMENT, await anInstallment(scheme))
  await expectCase(of).toBe('ar')
  // Hasini has no bank account.
  expect(await run(preparer, of)).toMatchObject({
    state: 'open',
    lines: 3,
    total: 3 * 505_000,
    totalInWords: expect.stringContaining('fifteen thousand'),
    counts: { leftOut: [{ reason: 'no-account', count: 1 }] },
    may: { act: false, sign: true, giveBack: false },
  })

  const sheet = await paper(preparer, of, 'signing-sheet')
  // Each desk has a block to sign in before it has agreed.
  const desks = ['Check as assistant registrar', 'Approve as Vice Chancellor']
  for (const words of [
    'Signing sheet',
    'Not paid yet',
    of.reference,
    'Nuwan Jayawardena',
    '15,150.00',
    'Prepared by',
    ...desks,
  ])
    expect(sheet).toContain(words)
  expect(sheet).not.toContain('Hasini')

  const { items } = await student.get('/api/me/run-lines')
  type Own = { scheme: string; code: string | null }
  const isOpen = (line: Own) => line.scheme === scheme.name && line.code !== null
  const own = items.find(isOpen)
  await student.ok('POST', `/api/me/run-lines/${own.id}/sign`)
  const other = await (await as('student.selvi')).get('/api/me/run-lines')
  const { code } = other.items.find(isOpen)
  expect(await preparer.ok('POST', `/api/cases/${of.id}/run/signatures`, { codes: [code] })).toEqual({
    byCode: [expect.objectContaining({ total: 505_000 })],
    ...{ signed: 1, refused: [] },
  })
  const leftOut = await (await as('student.hasini')).get('/api/me/run-lines')
  expect(leftOut.items.find((line: Own) => line.scheme === scheme.name)).toMatchObject({
    ...{ state: 'left-out', code: null },
  })
  await signAll(preparer, of)

  await agree(of)
  await expectCase(of).toBe('sent&closed')
  await expectMail(preparer).about('mahapola.mail.paid', of)
  await expectEnded(of)
  expect(await sums(of)).toEqual({
    ...{ state: 'paid', total: 1_515_000, returned: 0 },
    ...{ lines: 1_515_000, ledger: 1_515_000, entries: 1 },
  })
  expect(await lineOf(preparer, of, 'Nuwan')).toMatchObject({
    state: 'paid',
    signature: 'signed',
    account: '•••• 1000',
  })

  const file = (await bursar.bytes(`/api/cases/${of.id}/run/export?sheet=bank-file&format=csv`)).toString()
  const lines = file.trim().split(/\r?\n/)
  expect(lines[0]).toContain('line,bank,branch,account,name,amount,reference')
  expect(lines).toHaveLength(4)
  expect(file).toContain('9001,007,800044111000,N. Jayawardena,5050.00')
  const annexure = (await preparer.bytes(`/api/cases/${of.id}/run/export?sheet=annexure&format=csv`)).toString()
  expect(annexure).toContain('15150.00')
  const printed = await paper(preparer, of, 'annexure')
  const agreed = ['Bursar', 'Registrar', 'Vice Chancellor']
  for (const words of ['Annexure', 'Paid on', 'Faculty of', '15,150.00', 'Fifteen thousand', ...agreed])
    expect(printed.toLowerCase()).toContain(words.toLowerCase())
}, 120_000)
