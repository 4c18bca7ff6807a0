import { expect, test } from '@jest/globals'
import { expectCase } from '../platform/kit/expectations.ts'
import { asOwner } from '../platform/kit/owner.ts'
import { as, type Case, type Person } from '../platform/kit/people.ts'
import { INSTALLMENT, aScheme, agree, anInstallment, desks, lineOf, run, signAll } from './installment.ts'

/** The code that a student shows at the counter for a run, if there is something to sign. */
async function codeOf(name: string, of: Case): Promise<string | null> {
  const { items } = await (await as(`student.${name}`)).get('/api/me/run-lines')
  const clerk = await as('ma.welfare')
  const { items: lines } = await clerk.get(`/api/cases/${of.id}/run/lines`)
  const ids = new Set(lines.map(({ id }: { id: string }) => id))
  return items.find(({ id }: { id: string }) => ids.has(id)).code
}

test('at the counter a code signs its own line once, and says why another does not count', async () => {
  const [clerk, registrar] = await Promise.all([as('ma.welfare'), as('head.welfare')])
  const [scheme, elsewhere] = [await aScheme(['nuwan', 'selvi', 'kavindi']), await aScheme(['tharindu'])]
  const of = await clerk.submit(INSTALLMENT, await anInstallment(scheme))
  const another = await clerk.submit(INSTALLMENT, await anInstallment(elsewhere))
  await registrar.task(of, desks.decideByAR)

  const [nuwan, selvi, kavindi] = await Promise.all(['nuwan', 'selvi', 'kavindi'].map((name) => codeOf(name, of)))
  expect(new Set([nuwan, selvi, kavindi]).size).toBe(3)
  const act = async (name: string, what: string, text: string) => {
    const { id } = await lineOf(registrar, of, name)
    await registrar.ok('POST', `/api/cases/${of.id}/run/lines/${id}/acts`, { act: what, text })
  }
  await act('Selvi', 'hold', 'Two accounts')
  await act('Kavindi', 'strike', 'Has left')
  expect(await codeOf('kavindi', of)).toBeNull()
  const scans = (person: Person, ...codes: (string | null)[]) =>
    person.send('POST', `/api/cases/${of.id}/run/signatures`, { codes })
  // Those who decide, students themselves and strangers record nothing.
  for (const username of ['bursar', 'student.nuwan', 'hod.western-music']) {
    const { status } = await scans(await as(username), nuwan!)
    expect({ username, refused: status === 403 || status === 404 }).toEqual({ username, refused: true })
  }
  for (const wrong of ['', nuwan!.toUpperCase(), `${nuwan}0`]) expect((await scans(clerk, wrong)).status).toBe(400)
  const nothing = { signed: 0, byCode: [], refused: [] }
  // A code of no line, and one of another run.
  expect((await scans(clerk, 'f'.repeat(32))).body).toEqual(nothing)
  expect((await scans(clerk, await codeOf('tharindu', another))).body).toEqual(nothing)
  expect(await run(clerk, another)).toMatchObject({ counts: { signed: 0 } })

  const { items } = await clerk.get(`/api/cases/${of.id}/run/lines`)
  const lineNamed = (name: string) => items.find((line: { name: string }) => line.name.startsWith(name))
  const { name, code } = lineNamed('Nuwan')
  expect((await scans(clerk, nuwan!)).body).toEqual({
    ...{ signed: 1, refused: [], byCode: [{ name, code, total: 505_000 }] },
  })
  expect((await scans(clerk, nuwan!)).body).toEqual(nothing)
  expect(await codeOf('nuwan', of)).toBeNull()
  // Several at once: who is struck is named, and the others count, also who is held back and stands at the counter.
  const { body } = await scans(clerk, selvi!, kavindi!)
  expect(body).toMatchObject({ signed: 1, byCode: [{ name: lineNamed('Selvi').name }] })
  expect(body.refused).toMatchObject([{ name: lineNamed('Kavindi').name, message: 'Struck out: Has left' }])
  const noted = await asOwner<{ how: string; count: number }>(
    `select p.payload ->> 'how' as how, jsonb_array_length(p.payload -> 'lines') as count
     from app.audit_entry e join app.audit_payload p on p.entry_id = e.id
     where e.action = 'run.signed' and e.case_id = $1 order by e.id`,
    [of.id],
  )
  expect(noted).toEqual([
    { how: 'code', count: 1 },
    { how: 'code', count: 1 },
  ])

  await clerk.withdraws(another)
  await agree(of)
  await expectCase(of).toBe('sent&closed')
  expect((await scans(clerk, selvi!)).body.code).toBe('platform.run-not-open')
}, 120_000)

test('the annexures say by run and faculty how many students got how much, and what came back', async () => {
  const [clerk, bursar] = await Promise.all([as('ma.welfare'), as('bursar')])
  const scheme = await aScheme(['nuwan', 'selvi', 'kavindi', 'tharindu'])
  const of = await clerk.submit(INSTALLMENT, await anInstallment(scheme))
  const REPORT = `/api/reports/mahapola/annexures`
  const rows = async (filter: string) => (await clerk.get(`${REPORT}?${filter}`)).rows
  expect(await rows(`filter.scheme=${scheme.id}`)).toEqual([])
  await signAll(clerk, of)
  await agree(of)
  await expectCase(of).toBe('sent&closed')
  await bursar.bytes(`/api/cases/${of.id}/run/export?sheet=bank-file&format=csv`)
  const back = await lineOf(bursar, of, 'Nuwan')
  const given = { reason: 'The account is closed', bankReference: 'R-17' }
  await bursar.ok('POST', `/api/cases/${of.id}/run/lines/${back.id}/return`, given)

  const { items } = await clerk.get(`/api/cases/${of.id}/run/lines`)
  const faculties = Map.groupBy(items as { faculty: string; name: string; total: number }[], ({ faculty }) => faculty)
  expect(faculties.size).toBeGreaterThan(1)
  const wanted = [...faculties]
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([faculty, lines]) => ({
      instalment: { id: of.id, text: of.reference },
      month: scheme.month,
      scheme: scheme.name,
      faculty,
      students: lines.length,
      paid: lines.length * 505_000,
      returned: lines.some(({ name }) => name === back.name) ? 505_000 : null,
    }))
  expect(wanted.reduce((sum, { paid }) => sum + paid, 0)).toBe((await run(clerk, of)).total)
  expect(await rows(`filter.scheme=${scheme.id}`)).toEqual(wanted)
  expect(await rows(`filter.scheme=${scheme.id}&filter.month=${scheme.month}`)).toEqual(wanted)
  expect(await rows(`filter.scheme=${scheme.id}&filter.month=${scheme.next}`)).toEqual([])
  for (const username of ['student.nuwan', 'hod.western-music', 'shroff'])
    expect({ username, status: (await (await as(username)).send('GET', REPORT)).status }).toEqual({
      username,
      status: 404,
    })
}, 120_000)
