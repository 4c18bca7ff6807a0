import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { emptyVote } from '../../api/vouchers/votes/year-end.ts'
import { type MoneyWorld, TODAY, cheque, moneyWorld } from './money.ts'
import { aCase } from '../platform/kit/rows.ts'

let world: MoneyWorld
beforeAll(async () => {
  world = await moneyWorld()
})
afterAll(() => world.database.drop())

/** A cancelled visit whose advance was paid from these votes. */
async function cancelledVisit(lines: Record<string, number>): Promise<string> {
  const { database, person, answered, work } = world
  const advance = await world.voucher(world.payee, lines)
  await work('commit', advance)
  await answered(advance, 'vouchers/pay', cheque(await world.account(100 + Math.floor(Math.random() * 9e5))))
  await work('pay', advance)
  await answered(advance, 'vouchers/settle', { outcome: 'settle', settled_on: TODAY, received_by: 'The payee' })
  await work('settle', advance)
  const visit = await aCase(database.db, person, { flow: 'field-visits/field-visit' })
  await database.db
    .insertInto('case_link')
    .values({ case_id: advance, origin_id: visit, name: 'advance', once: true })
    .execute()
  return visit
}

async function returns(visit: string, amount: number, receipt: string = randomUUID()) {
  await world.answered(visit, 'field-visits/advance-settlement', { outcome: 'returned', amount, receipt })
  return world.work('field-visits.return-advance', visit)
}

test('a receipt that was entered at two desks at once is posted once', async () => {
  const [first, second] = [
    await cancelledVisit({ [await world.vote(700)]: 700 }),
    await cancelledVisit({ [await world.vote(500)]: 500 }),
  ]
  expect(await returns(first, 700, 'R/17')).toMatchObject({ kind: 'completed' })
  expect(await returns(second, 500, 'r-17')).toMatchObject({
    kind: 'business-error',
    code: 'field-visits.receipt-used',
  })
  expect(await returns(second, 500, 'R/18')).toMatchObject({ kind: 'completed' })
})

test('what came back in part is credited line by line, and lapses on a vote that is closed', async () => {
  const ids = await Promise.all([world.vote(300), world.vote(300)])
  // Against the order of their ids.
  const [first, second] = ids.toSorted().toReversed() as [string, string]
  const visit = await cancelledVisit({ [first]: 300, [second]: 200 })
  await returns(visit, 350)
  expect([await world.on(first), await world.on(second)]).toMatchObject([
    { available: 300, spent: 0 },
    { available: 150, spent: 150 },
  ])

  const closed = await world.vote(400)
  const late = await cancelledVisit({ [closed]: 400 })
  await world.own(async (items, trx) => {
    await emptyVote(trx, closed)
    await items.setStatus(await items.lock('vouchers/vote', closed), 'Closed', world.person)
  })
  await returns(late, 100)
  expect(await world.on(closed)).toMatchObject({ available: 0, spent: 300 })
})
