import { beforeAll, expect, test } from '@jest/globals'
import { extractText, getDocumentProxy } from 'unpdf'
import { expectCase, expectEnded, expectMail } from '../platform/kit/expectations.ts'
import { day } from '../platform/kit/days.ts'
import { asOwner } from '../platform/kit/owner.ts'
import { as, type Case, type Person, send } from '../platform/kit/people.ts'
import { until } from '../platform/kit/poll.ts'
import { uploads } from '../platform/kit/uploads.ts'
import {
  AWARDS,
  SUBMISSION,
  aScholarship,
  anApplication,
  anInstalment,
  desks,
  entry,
  homeOf,
  paysInstalment,
} from './scholarship.ts'

let nuwan: Person, selvi: Person, amaya: Person, ma: Person, ar: Person, registrar: Person
beforeAll(async () => {
  ;[nuwan, selvi, amaya, ma, ar, registrar] = await Promise.all([
    as('student.nuwan'),
    as('student.selvi'),
    as('student.amaya'),
    as('ma.welfare'),
    as('head.welfare'),
    as('registrar'),
  ])
})

test('a student applies, is selected, approved and awarded, and is paid for a month', async () => {
  const residence = 'Certificate of residence'
  const scholarship = await aScholarship('EAY', { asked_documents: [{ title: residence, required: true }] })
  const bare = await anApplication(nuwan, scholarship)
  const file = async (title: string) => ({ title, file: await uploads(nuwan, 'residence.pdf') })
  const refusedWith = async (asked_documents: object[]) => {
    const data = { ...bare, ...(asked_documents.length > 0 && { asked_documents }) }
    return (await nuwan.send('POST', '/api/cases', { flow: SUBMISSION, data })).body.errors
  }
  expect(await refusedWith([])).toMatchObject([{ field: '/asked_documents', code: 'platform.field-required' }])
  expect(await refusedWith([await file('Something else')])).toMatchObject([
    { field: '/asked_documents/0/title', code: 'platform.row-not-asked' },
    { field: '/asked_documents', code: 'platform.rows-missing', message: `Still missing: ${residence}` },
  ])
  const data = { ...bare, asked_documents: [await file(residence)] }
  const application = await nuwan.submit(SUBMISSION, data)
  await expectCase(application).toBe('Pending for Student Selection')
  // Rs. 240,000 a year, a GPA of 3.2, 120 km and two siblings.
  const { facts } = await ma.get(`/api/cases/${application.id}`)
  expect(facts).toMatchObject({
    points: 75,
    pointsIncome: 30,
    pointsResults: 20,
    pointsDistance: 5,
    pointsSiblings: 20,
  })
  const [read] = await asOwner<{ fields: string[] }>(
    `select p.payload -> 'fields' as fields from app.audit_entry e join app.audit_payload p on p.entry_id = e.id
     where e.action = 'sensitive.read' and e.case_id = $1 order by e.id desc limit 1`,
    [application.id],
  )
  const files = ['/income_certificate', '/results_sheet', '/asked_documents/0/file']
  expect(read!.fields).toEqual(expect.arrayContaining(files))
  const again = await nuwan.send('POST', '/api/cases', { flow: SUBMISSION, data })
  expect([again.status, again.body.code]).toEqual([409, 'platform.once-only'])

  const asked_documents = [{ title: residence, file: await uploads(selvi, 'residence.pdf') }]
  const tied = await selvi.submit(SUBMISSION, await anApplication(selvi, scholarship, { asked_documents }))
  const { rows } = await ma.get(`/api/reports/scholarships/ranking?filter.scholarship=${scholarship.id}`)
  expect(rows).toHaveLength(2)
  const equal = (other: Case) => expect.objectContaining({ rank: 1, points: 75, tie: other.reference })
  expect(rows).toEqual([equal(tied), equal(application)])
  // Other points count for both, whenever they applied.
  const POINTS = '/api/registers/scholarships/points/items'
  const head = await as('head.welfare')
  const { items: bands } = await head.get(`${POINTS}?limit=100`)
  const band = bands.find(({ data: { criterion, points } }: any) => criterion === 'siblings' && points === 20)
  const gives = async (points: number) => {
    const { version } = await head.get(`${POINTS}/${band.id}`)
    await head.ok('PUT', `${POINTS}/${band.id}`, { data: { ...band.data, points } }, { 'if-match': `"${version}"` })
  }
  await gives(25)
  const ranked = await ma.get(`/api/reports/scholarships/ranking?filter.scholarship=${scholarship.id}`)
  expect(ranked.rows.map(({ rank, points, siblings }: any) => [rank, points, siblings])).toEqual([
    [1, 80, 25],
    [1, 80, 25],
  ])
  await gives(20)

  await award(application)
  await expectCase(application).toBe('Done')
  await expectMail(nuwan).about('scholarships.mail.awarded', application)
  await expectEnded(application)
  const { items } = await ma.get(`${AWARDS}?filter.scholarship=${scholarship.id}`)
  expect(items).toHaveLength(1)
  const given = await ma.get(`${AWARDS}/${items[0].id}`)
  expect(given.data).toMatchObject({ from: '2026-01', amount: 400_000, case_reference: application.reference })

  await readsLetter(application, given.data.number)
  const [own, others] = [await nuwan.get('/api/me/awards'), await selvi.get('/api/me/awards')]
  const ofScheme = { scheme: scholarship.title }
  const months = { from: '2026-01', until: '2027-12' }
  expect(own.awards).toContainEqual(
    expect.objectContaining({ ...ofScheme, ...months, amount: 400_000, active: true, reason: null }),
  )
  expect(others.awards).not.toContainEqual(expect.objectContaining(ofScheme))
  const applied = ({ applications }: { applications: Case[] }) => applications.map(({ id }) => id)
  expect([applied(own).includes(application.id), applied(own).includes(tied.id)]).toEqual([true, false])
  expect(applied(others)).toContain(tied.id)
  // A document comes later: the register is the system's, but for this field.
  const corrects = (changed: object) =>
    ma.send('PUT', `${AWARDS}/${given.id}`, { data: changed }, { 'if-match': `"${given.version}"` })
  const wrong = await corrects({ ...given.data, documents_complete: true, amount: 500_000 })
  expect(wrong.body.errors).toMatchObject([{ field: '/amount', code: 'platform.item-fixed' }])
  expect((await corrects({ ...given.data, documents_complete: true })).status).toBe(200)
  await pay(scholarship.id)
  await ma.decides(tied, 'reject', { reason: 'Another student needs it more' }, desks.select)
  await expectCase(tied).toBe('Not Completed')
}, 120_000)

test('who the criteria do not fit is told why, and no more awards are given than there are', async () => {
  const scholarship = await aScholarship('EAY', { awards: 1, minimum_results: 3 })
  const [colombo, kandy] = [await entry('platform/district', 'Colombo'), await entry('platform/district', 'Kandy')]
  const { id: district } = (await homeOf(nuwan)) === colombo.id ? kandy : colombo
  const local = await aScholarship('EAY', { district, minimum_results: 3 })
  const refused = await nuwan.send('POST', '/api/cases', {
    flow: SUBMISSION,
    data: await anApplication(nuwan, local, { results: 2.9 }),
  })
  expect(refused.body.errors.map(({ field, code }: any) => [field, code])).toEqual([
    ['/district', 'scholarships.other-district'],
    ['/results', 'scholarships.results-too-low'],
  ])
  // The register of results holds 3.2 of her.
  const better = await selvi.send('POST', '/api/cases', {
    flow: SUBMISSION,
    data: await anApplication(selvi, scholarship, { results: 3.9 }),
  })
  expect(better.body.errors).toMatchObject([{ field: '/results', message: expect.stringContaining('3.2 for 2025') }])
  const graduates = await entry('platform/faculty', 'Graduate Studies')
  const [foreign, later] = [
    await aScholarship('PC', { faculty: graduates.id }),
    await aScholarship('PC', { opens: day(5) }),
  ]
  // The register of results holds 3.2 of her; his are not known.
  const demanding = await aScholarship('EAY', { minimum_results: 3.3 })
  const hers = await selvi.get(`/api/flows/${SUBMISSION}/opening`)
  expect(hers.unfit).toContainEqual({
    ...{ id: demanding.id, title: demanding.title, reason: 'Only for students with better results' },
  })
  expect(hers.items).not.toContainEqual(expect.objectContaining({ id: demanding.id }))
  const { items, unfit } = await nuwan.get(`/api/flows/${SUBMISSION}/opening`)
  expect(items).toContainEqual(expect.objectContaining({ id: demanding.id }))
  const reasonOf = ({ id }: { id: string }) => unfit.find((one: { id: string }) => one.id === id)?.reason
  expect(reasonOf(foreign)).toMatch(/^Only for Faculty: .*Graduate Studies$/)
  expect(reasonOf(later)).toMatch(/^This opens on /)
  const offered = items.map(({ id }: { id: string }) => id)
  expect([scholarship, foreign, later].map(({ id }) => offered.includes(id))).toEqual([true, false, false])
  const fine = async (student: Person, more: object = {}) =>
    student.submit(SUBMISSION, await anApplication(student, scholarship, more))
  const [first, rich, last] = [await fine(nuwan), await fine(selvi, { income: 90_000_000 }), await fine(amaya)]
  // Owners may write rules about all of these.
  const { id: check } = await ma.task(rich, desks.checkIncome)
  const [row] = (await ma.get(`/api/tasks/${check}/why`)).decision.rows
  expect(row.inputs).toEqual([
    { name: 'Type', value: 'EAY' },
    { name: 'Family income a year', value: '900,000' },
    { name: 'Results (GPA)', value: '3.2' },
    { name: 'Faculty', value: 'Faculty of Visual Arts' },
    { name: 'Year of study', value: expect.stringMatching(/^[1-6]$/) },
    { name: 'District', value: expect.stringMatching(/^[A-Z][a-z ]+$/) },
  ])
  await ma.decides(rich, 'consider', {}, desks.checkIncome)
  // Two awards are decided before either is written.
  const notBefore = new Date(Date.now() + 20_000).toISOString()
  const data = { outcome: 'award', from: '2026-01', until: '2027-12', documents_complete: true }
  for (const each of [first, rich, last]) await approve(each)
  for (const each of [first, rich]) {
    const { id } = await registrar.task(each, desks.awardEAY)
    await registrar.ok('POST', `/api/tasks/${id}/complete`, { data, notBefore })
  }
  const ended = await until('one has the award, and one has none', async () => {
    const both = await Promise.all([first, rich].map(({ id }) => ma.get(`/api/cases/${id}`)))
    return both.every(({ state }) => state === 'ended') && both.map(({ status }) => status.key)
  })
  expect(ended.toSorted()).toEqual(['Done', 'Not Completed'])
  const [loser, of] = ended[0] === 'Done' ? [selvi, rich] : [nuwan, first]
  await expectMail(loser).about('scholarships.mail.no-award-left', of)
  // Then the desk is told before it decides.
  await expect(registrar.decides(last, 'award', data, desks.awardEAY)).rejects.toThrow('All awards of this scholarship')
}, 120_000)

/** The student's letter, which anybody can verify: who holds it, who signed, and what it says of the award. */
async function readsLetter({ id }: Case, number: string): Promise<void> {
  const { documents } = await nuwan.get(`/api/cases/${id}`)
  expect(documents).toEqual([expect.objectContaining({ kind: 'scholarships/award-letter' })])
  const [row] = await asOwner<{ code: string }>('select code from app.document_verification where case_id = $1', [id])
  const { body: verified } = await send('GET', `/api/public/documents/${row!.code}`)
  const { name } = await nuwan.get('/api/me')
  expect(verified).toMatchObject({ holder: name, state: 'valid', signedBy: ['Assistant Registrar', 'Registrar'] })
  const pdf = await nuwan.bytes(`/api/cases/${id}/documents/${documents[0].id}`)
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(pdf)), { mergePages: true })
  for (const words of [number, 'Rs. 4,000.00 a month, from 2026-01 to 2027-12']) expect(text).toContain(words)
}

async function approve(of: Case): Promise<void> {
  await ma.decides(of, 'select', {}, desks.select)
  await expectCase(of).toBe('Pending for AR Approval')
  await ar.decides(of, 'approve', {}, desks.approveEAY)
}

async function award(of: Case): Promise<void> {
  await approve(of)
  const months = { from: '2026-01', until: '2027-12', documents_complete: false }
  const beyond = registrar.decides(of, 'award', { ...months, until: '2099-12' }, desks.awardEAY)
  await expect(beyond).rejects.toThrow('This scholarship is paid from 2026-01 to 2027-12')
  await registrar.decides(of, 'award', months, desks.awardEAY)
}

/** Pays October to everybody with an award of the scholarship. */
async function pay(scholarship: string): Promise<void> {
  const run = await anInstalment(scholarship)
  await expectCase(run).toBe('ar')
  const { items } = await ma.get(`/api/cases/${run.id}/run/lines?signature=pending`)
  expect(items).toHaveLength(1)
  await ma.ok('POST', `/api/cases/${run.id}/run/signatures`, { lines: items.map(({ id }: { id: string }) => id) })
  await paysInstalment(run)
  expect(await ma.get(`/api/cases/${run.id}/run`)).toMatchObject({ state: 'paid', total: 400_000 })
}
