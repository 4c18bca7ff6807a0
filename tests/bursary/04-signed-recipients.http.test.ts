import { expect, test } from '@jest/globals'
import { day } from '../platform/kit/days.ts'
import { expectEnded } from '../platform/kit/expectations.ts'
import { as } from '../platform/kit/people.ts'
import { VALUE, aBursary, anInstallment, paying } from './installment.ts'

const REPORT = '/api/reports/bursary/signed-recipients'

test('the list of signed recipients says who has signed when, by month, bursary and signature', async () => {
  const [clerk, registrar] = await Promise.all([as('ma.welfare'), as('head.welfare')])
  const bursary = await aBursary(['Anoma Silva', 'Kamala Perera', 'Nimal Fernando', 'Ruwan Silva'])
  const of = await anInstallment(bursary)
  await registrar.task(of, paying.decideByAR)
  const { items } = await clerk.get(`/api/cases/${of.id}/run/lines`)
  const idOf = (name: string) => items.find((line: { name: string }) => line.name === name).id
  const act = (name: string, what: string) =>
    registrar.ok('POST', `/api/cases/${of.id}/run/lines/${idOf(name)}/acts`, { act: what, text: 'Asked for' })
  await act('Nimal Fernando', 'hold')
  await act('Ruwan Silva', 'strike')
  await clerk.ok('POST', `/api/cases/${of.id}/run/signatures`, { lines: [idOf('Anoma Silva')] })

  const rows = async (filter: Record<string, string>) => {
    const query = Object.entries(filter).map(([name, value]) => `filter.${name}=${value}`)
    return (await clerk.get(`${REPORT}?${query.join('&')}`)).rows
  }
  const row = (student: string, place: number, signed: string | null) => ({
    student,
    regNo: `${bursary.name.replace('Bursary ', '')}/${place}`,
    month: bursary.month,
    scheme: bursary.name,
    installment: { id: of.id, text: of.reference },
    amount: VALUE,
    signature: `platform.run.signature.${signed ? 'signed' : 'pending'}`,
    signed,
  })
  const [anoma, kamala, nimal] = [
    row('Anoma Silva', 0, day(0)),
    row('Kamala Perera', 1, null),
    // Held back, and not struck: he may still be paid.
    row('Nimal Fernando', 2, null),
  ]
  expect(await rows({ scheme: bursary.id })).toEqual([anoma, kamala, nimal])
  expect(await rows({ month: bursary.criterion })).toEqual([anoma, kamala, nimal])
  expect(await rows({ scheme: bursary.id, signature: 'signed' })).toEqual([anoma])
  expect(await rows({ scheme: bursary.id, signature: 'pending' })).toEqual([kamala, nimal])

  for (const [username, status] of [
    ['student.nuwan', 404],
    ['hod.western-music', 404],
    ['deputy.bursar', 200],
  ] as const)
    expect({ username, status: (await (await as(username)).send('GET', REPORT)).status }).toEqual({ username, status })

  // What is withdrawn pays nobody, so nobody is on the list.
  await clerk.withdraws(of)
  await expectEnded(of)
  expect(await rows({ scheme: bursary.id })).toEqual([])
}, 120_000)
