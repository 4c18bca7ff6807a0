import { expect, test } from '@jest/globals'
import { firstCard } from '../../processes/id-cards/first-card.generated.ts'
import { expectCase, expectEnded, expectMail } from '../platform/kit/expectations.ts'
import { asOwner } from '../platform/kit/owner.ts'
import { as, type Case } from '../platform/kit/people.ts'
import { until } from '../platform/kit/poll.ts'

const { flow: FLOW, desks } = firstCard
const CARDS = '/api/registers/id-cards/card/items'

interface Member {
  title: string
  message: string | null
  case: Case | null
}

test('a Management Assistant prepares the cards of a batch, prints them and hands one over', async () => {
  const [ma, elsewhere, chathura, vindya] = await Promise.all([
    as('ma.music'),
    as('ma.western-music'),
    as('student.chathura'),
    as('student.vindya'),
  ])
  const { items } = await ma.get('/api/registers/batches/batch/items?search=Oriental Music 2025')
  const batch = items[0].id as string
  const path = `/api/batches/${FLOW}/${batch}`
  const members = async (state: string): Promise<Member[]> => (await ma.get(`${path}/members?state=${state}`)).members
  const named = async (state: string) => (await members(state)).map(({ title, message }) => [title, message])

  // A student starts none, and another department opens none.
  await expect(chathura.submit(FLOW, { batch })).rejects.toThrow('platform.not-allowed')
  expect((await elsewhere.send('GET', `${path}/members`)).status).toBe(404)
  expect((await elsewhere.send('POST', path)).status).toBe(404)
  expect(await named('left-out')).toContainEqual(['Praveen Sivakumar', 'No photo in the particulars'])
  const toOpen = await named('to-open')
  expect(toOpen).toEqual([
    ['Chathura Bandara', null],
    ['Vindya Liyanage', null],
  ])

  await ma.ok('POST', path)
  await until('the batch is done', async () => (await ma.get(path)).latest.state === 'done')
  const opened = await members('under-way')
  expect(opened.map(({ title }) => title)).toEqual(toOpen.map(([title]) => title))
  const [first, second] = opened.map((one) => one.case!)
  // Not even of another batch can a second case of a student run: the database knows.
  const twice = `insert into app.case_claim (case_id, flow, item_id) select $2, flow, item_id from app.case_claim where case_id = $1`
  await expect(asOwner(twice, [first!.id, second!.id])).rejects.toThrow('case_claim_once')
  const before = async () => (await chathura.get(`${CARDS}?mine=true`)).items
  const card = await until('the card is prepared', async () => (await before())[0])
  expect(card).toMatchObject({ status: 'In Preparation', data: { photo: expect.any(String), name: 'C. Bandara' } })

  await ma.decides(first!, 'printed', {}, desks.printFirst)
  await expectCase(first!).toBe('Ready to Collect')
  await expectMail(chathura).about('id-cards.mail.first-ready', first!)
  await ma.decides(second!, 'reject', { reason: 'The face cannot be seen' }, desks.printFirst)
  await expectCase(second!).toBe('Rejected')
  await expectEnded(second!)
  expect((await vindya.get(`${CARDS}?mine=true`)).items).toMatchObject([{ status: 'Cancelled' }])

  const { id } = await ma.task(first!, desks.handOverFirst)
  const hands = (more: object) =>
    ma.send('POST', `/api/tasks/${id}/complete`, {
      data: { outcome: 'collected', identity: 'nic', identity_number: '200534512345', ...more },
    })
  expect((await hands({ card: 'SC-2020-000001' })).body.errors).toMatchObject([{ code: 'id-cards.another-card' }])
  expect((await hands({ card: card.data.number })).status).toBe(200)
  await expectCase(first!).toBe('Collected')
  expect((await before())[0]).toMatchObject({ status: 'Active' })
  expect((await members('done')).map(({ title }) => title)).toEqual(['Chathura Bandara'])
  // The other one waits for a better photo.
  expect(await named('to-open')).toEqual([['Vindya Liyanage', null]])

  // Who takes the photo out before a spoilt card is prepared again, gets none.
  await ma.ok('POST', path)
  await until('the batch is done', async () => (await ma.get(path)).latest.state === 'done')
  const [third] = (await members('under-way')).map((one) => one.case!)
  await ma.decides(third!, 'printed', {}, desks.printFirst)
  const PARTICULARS = '/api/registers/students/particulars/items'
  const [mine] = (await vindya.get(`${PARTICULARS}?mine=true`)).items
  const kept = await vindya.get(`${PARTICULARS}/${mine.id}`)
  const without = { data: { ...kept.data, photo: undefined } }
  await vindya.ok('PUT', `${PARTICULARS}/${mine.id}`, without, { 'if-match': `"${kept.version}"` })
  await ma.decides(third!, 'reprint', { reason: 'The print is spoilt' }, desks.handOverFirst)
  await expectCase(third!).toBe('Rejected')
  const { body } = await expectMail(vindya).about('id-cards.mail.first-not-prepared', third!)
  expect(body).toContain('No photo in the particulars')
  expect((await vindya.get(`${CARDS}?mine=true`)).items.map((one: any) => one.status)).not.toContain('In Preparation')
})
