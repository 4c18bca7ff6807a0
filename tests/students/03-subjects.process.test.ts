import { beforeAll, expect, test } from '@jest/globals'
import { subjectRegistration } from '../../processes/students/subject-registration.generated.ts'
import { clock } from '../platform/kit/clock.ts'
import { day } from '../platform/kit/days.ts'
import { asOwner, giveStatus } from '../platform/kit/owner.ts'
import { expectCase, expectEnded, expectMail } from '../platform/kit/expectations.ts'
import { as, type Case, type Person } from '../platform/kit/people.ts'
import { until } from '../platform/kit/poll.ts'

const { flow: FLOW, desks } = subjectRegistration

let chathura: Person, vindya: Person, head: Person, ma: Person, elsewhere: Person
let setup: string
beforeAll(async () => {
  ;[chathura, vindya, head, ma, elsewhere] = await Promise.all([
    as('student.chathura'),
    as('student.vindya'),
    as('hod.music'),
    as('ma.music'),
    as('ma.western-music'),
  ])
  const { items } = await chathura.get('/api/registers/students/subject-registration-setup/items?search=Music')
  setup = items[0].id
})

/** Sends the choice of these electives; the answer says what is wrong with it. */
async function chooses(who: Person, of: Case, ...codes: string[]) {
  const { id } = await who.task(of)
  const { facts } = await who.get(`/api/cases/${of.id}`)
  const electives = facts.electives.map((row: { subject: string }) => ({
    ...row,
    choice: codes.some((code) => row.subject.startsWith(code)) ? 'take' : 'leave',
  }))
  const data = { outcome: 'send', core: facts.core, electives }
  const { status, body } = await who.send('POST', `/api/tasks/${id}/complete`, { data })
  return status < 300 ? [] : body.errors.map(({ code }: { code: string }) => code)
}

/** What is said beside each elective while it is chosen, by the code of the subject. */
async function beside(who: Person, of: Case) {
  const { id } = await who.task(of)
  const { facts } = await who.get(`/api/cases/${of.id}`)
  const { notes, limits } = await who.get(`/api/tasks/${id}/beside`)
  const noteAt = (at: number) => notes.find(({ field }: any) => field === `/electives/${at}/choice`)?.text
  const said = facts.electives.map(({ subject }: any, at: number) => [subject.split(' ')[0], noteAt(at)])
  return { limits, ...Object.fromEntries(said) }
}

const registered = async (who: Person) => {
  const { items } = await who.get('/api/registers/students/subject-registration/items?search=2027')
  return items.map(({ data }: any) => data.credits)
}
const SEATS = '/api/registers/students/subject-registration-seat/items'
const seats = async (who: Person) => (await who.get(SEATS)).items.map(({ status }: any) => status)

test('the last place of a subject is taken once; who leaves it gives it to another, until the closing day', async () => {
  const [one, two] = await Promise.all([chathura.submit(FLOW, { setup }), vindya.submit(FLOW, { setup })])
  expect(await chooses(vindya, two, 'MUS2104')).toEqual(['students.prerequisite-missing'])
  expect(await chooses(chathura, one)).toEqual(['students.credits-outside'])

  const before = await beside(vindya, two)
  expect(before.limits).toEqual([{ field: '/electives', least: 12, most: 14 }])
  expect(before).toMatchObject({ MUS2103: 'Places left: 1 of 1', MUS2104: undefined })
  const { id: ofVindya } = await vindya.task(two)
  expect((await elsewhere.send('GET', `/api/tasks/${ofVindya}/beside`)).status).toBe(404)
  // Who sees the case and does not choose learns nothing from it.
  expect(await head.get(`/api/tasks/${ofVindya}/beside`)).toEqual({ notes: [], limits: [] })

  // Both ask at once for the only place.
  expect(await Promise.all([chooses(chathura, one, 'MUS2103'), chooses(vindya, two, 'MUS2103')])).toEqual([[], []])
  const pair = [
    { who: chathura, of: one, other: 'MUS2104' },
    { who: vindya, of: two, other: 'MUS2105' },
  ]
  const full = await until('one of them is told that it is full', async () => {
    const mails = await Promise.all(pair.map(async ({ who }) => (await who.get('/api/mailbox')).items))
    return pair.find((_, at) => mails[at].some(({ template }: any) => template === 'students.mail.subjects-full'))
  })
  const first = pair.find((each) => each !== full)!
  await expectCase(first.of).toBe('Pending Approval')
  expect(await seats(full.who)).toEqual([])
  expect(await beside(full.who, full.of)).toMatchObject({ MUS2103: 'No place is left' })
  // The next choice begins with the last one.
  const { facts } = await full.who.get(`/api/cases/${full.of.id}`)
  const taken = facts.electives.filter(({ choice }: any) => choice === 'take')
  expect(taken.map(({ subject }: any) => subject.split(' ')[0])).toEqual(['MUS2103'])

  expect((await elsewhere.send('GET', `/api/cases/${first.of.id}`)).status).toBe(404)
  await head.decides(first.of, 'return', { reason: 'Please talk to your teacher first' })
  await expectMail(first.who).about('students.mail.subjects-returned', first.of)
  expect(await beside(first.who, first.of)).toMatchObject({ MUS2103: 'You have a place' })
  expect(await chooses(first.who, first.of, 'MUS2103')).toEqual([])
  // A subject may be out of use by the time it is approved; the student must still be able to ask.
  const entry = (await first.who.get('/api/registers/platform/student/items?mine=true')).items[0].id
  const [subject] = await asOwner<{ id: string }>(`select id from app.register_item where data ->> 'code' = 'MUS2103'`)
  await giveStatus(subject!.id, 'Inactive')
  await giveStatus(entry, 'suspended')
  await expect(head.decides(first.of, 'approve', {}, desks.approveSubjects)).rejects.toThrow(
    'platform.requester-no-longer',
  )
  await giveStatus(entry, 'active')
  // A place that the office gives back by hand meanwhile is taken again.
  const [given] = (await first.who.get(SEATS)).items
  await ma.ok('POST', `${SEATS}/${given.id}/status`, { status: 'Released' }, { 'if-match': `"${given.version}"` })
  await head.decides(first.of, 'approve', {}, desks.approveSubjects)
  await expectCase(first.of).toBe('Registered')
  expect((await seats(first.who)).toSorted()).toEqual(['Released', 'Taken'])
  await giveStatus(subject!.id, 'Active')
  expect(await registered(first.who)).toEqual([12])

  // A change: the place stays taken until the new choice is approved.
  await until('a change can be asked for', async () => {
    const { status } = await first.who.send('POST', `/api/cases/${first.of.id}/acts/change`, {
      data: { why: 'Another subject' },
    })
    return status < 300
  })
  expect(await chooses(first.who, first.of, first.other)).toEqual([])
  await expectCase(first.of).toBe('Pending Approval')
  expect(await chooses(full.who, full.of, 'MUS2103')).toEqual([])
  await until('it is full again', async () => {
    const { items } = await full.who.get('/api/mailbox')
    return items.filter(({ template }: any) => template === 'students.mail.subjects-full').length === 2
  })
  await ma.decides(first.of, 'approve', {}, desks.approveSubjects)
  await expectCase(first.of).toBe('Registered')
  expect(await seats(first.who)).toEqual(['Released', 'Released'])

  expect(await chooses(full.who, full.of, 'MUS2103')).toEqual([])
  await ma.decides(full.of, 'approve', {}, desks.approveSubjects)
  await expectCase(full.of).toBe('Registered')
  expect(await seats(full.who)).toEqual(['Taken'])
  // The Management Assistant of the student gives it back by hand, and nobody elsewhere does.
  const [seat] = (await full.who.get(SEATS)).items.filter(({ status }: any) => status === 'Taken')
  const release = (who: Person) =>
    who.send('POST', `${SEATS}/${seat.id}/status`, { status: 'Released' }, { 'if-match': `"${seat.version}"` })
  expect((await release(full.who)).status).toBe(404)
  expect(await release(elsewhere)).toMatchObject({
    body: { errors: [{ field: '/student', code: 'platform.belongs-elsewhere' }] },
  })
  expect(await release(ma)).toMatchObject({ status: 200, body: { status: 'Released' } })
  await clock.passes('P31D', full.of)
  await expectEnded(full.of)
  await expectCase(full.of).toBe('Registered')
})

test('who moves to another intake is not approved for the old batch, and gives its places back with the next choice', async () => {
  const [praveen, affairs, ar] = await Promise.all([as('student.praveen'), as('ma.welfare'), as('ar.music')])
  const SETUPS = '/api/registers/students/subject-registration-setup/items'
  const ofOldBatch = await praveen.get(`${SETUPS}/${setup}`)
  const own = (await praveen.get('/api/registers/platform/student/items?mine=true')).items[0]
  const before: Case = (await praveen.get(`/api/cases?mine=true&flow=${FLOW}`)).items[0]
  const approved = async () => {
    await head.decides(before, 'approve', {}, desks.approveSubjects)
    await expectCase(before).toBe('Registered')
  }
  const changesTo = async (code: string) => {
    await until('a change can be asked for', async () => {
      const change = { data: { why: 'Another subject' } }
      return (await praveen.send('POST', `/api/cases/${before.id}/acts/change`, change)).status < 300
    })
    expect(await chooses(praveen, before, code)).toEqual([])
    await expectCase(before).toBe('Pending Approval')
  }
  await approved()
  await changesTo('MUS2103')
  await approved()
  expect(await seats(praveen)).toEqual(['Taken'])
  await changesTo('MUS2103')

  const { items: batches } = await ma.get('/api/registers/batches/batch/items?search=Oriental Music 2026')
  const moves = async (into: { intake: string; batch: string }) => {
    const { faculty } = own.data
    const data = { kind: 'Intake', ...into, faculty, students: [{ student: own.id }], reason: 'Senate, 14 May' }
    const move = await affairs.submit('intakes/status-change', { ...data, effective_on: day(0) })
    await ar.decides(move, 'approve')
    await expectCase(move).toBe('In Effect')
  }
  await moves({ intake: batches[0].data.intake, batch: batches[0].id })
  await expect(head.decides(before, 'approve', {}, desks.approveSubjects)).rejects.toThrow(
    'platform.requester-not-meant-now',
  )
  await praveen.withdraws(before)
  await expectEnded(before)
  expect(await seats(praveen)).toEqual(['Taken'])

  const { name: _, limits: _limits, ...alike } = ofOldBatch.data
  const there = await ma.ok('POST', SETUPS, { data: { ...alike, name: `Moved ${Date.now()}`, batch: batches[0].id } })
  const after = await praveen.submit(FLOW, { setup: there.id })
  expect(await chooses(praveen, after, 'MUS2103')).toEqual([])
  await head.decides(after, 'approve', {}, desks.approveSubjects)
  await expectCase(after).toBe('Registered')
  // The subject is the same; the place was one of the old batch.
  expect(await seats(praveen)).toEqual(['Released'])
  await moves({ intake: own.data.intake, batch: own.data.batch })
})
