import { expect, test } from '@jest/globals'
import { day } from '../platform/kit/days.ts'
import { as } from '../platform/kit/people.ts'

const NEWS = '/api/registers/dashboard/news/items'

test('the start page tells what is news today, newest first; those without the right publish nothing', async () => {
  const [office, student] = await Promise.all([as('registrar.office'), as('student.nuwan')])
  const item = (title: string, from: number, until: number) => ({
    data: { title, text: 'The library closes at noon.', from: day(from), until: day(until) },
  })
  expect((await student.send('POST', NEWS, item('Mine', 0, 1))).status).toBe(403)
  const wrong = await office.send('POST', NEWS, item('Ends first', 2, 1))
  expect(wrong.body.errors).toMatchObject([{ field: '/until' }])
  await office.ok('POST', NEWS, item('Tomorrow', 1, 2))
  await office.ok('POST', NEWS, item('Over', -2, -1))
  await office.ok('POST', NEWS, item('Last day', -3, 0))
  const { id, version } = await office.ok('POST', NEWS, item('First day', 0, 3))
  const told = async () => (await student.get('/api/news')).items.map((one: { title: string }) => one.title)
  expect((await told()).slice(0, 2)).toEqual(['First day', 'Last day'])
  await office.ok('POST', `${NEWS}/${id}/status`, { status: 'Withdrawn' }, { 'if-match': `"${version}"` })
  expect((await told())[0]).toBe('Last day')
  expect(await told()).not.toContain('Tomorrow')
  expect(await told()).not.toContain('Over')
})
