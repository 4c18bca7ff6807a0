import { afterAll, beforeAll, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { BusinessError } from '../../api/platform/kernel/errors.ts'
import type { Manifest } from '../../api/platform/model/definitions/manifest.ts'
import { allocations } from '../../api/platform/work/allocations/allocations.ts'
import { getCaseRow, lockCase } from '../../api/platform/work/rows/cases.ts'
import { caseHasSlots } from '../../api/platform/work/allocations/case-slots.ts'
import { addSubmission, endSubmission } from '../../api/platform/work/rows/submissions.ts'
import { claimPicked, movePicked } from '../../api/platform/work/cases/picked.ts'
import manifest from '../../forms/vehicles/vehicle-reservation.flow.json' with { type: 'json' }
import { type TestDatabase, freshDatabase } from '../platform/kit/database.ts'
import { until } from '../platform/kit/poll.ts'
import { aCase, anAccount, anItem } from '../platform/kit/rows.ts'

const OPERATIONS = 100_000
/** Rows of a round are deleted after it: old versions of them would slow the next one down. */
const ROUNDS = 40
const FORM = 'vehicles/assignment'
const { assigns } = manifest as Pick<Manifest, 'assigns'>

let database: TestDatabase
let cases: string[], vehicles: string[], drivers: string[], holder: string
const formHash = 'f'.repeat(64)
beforeAll(async () => {
  database = await freshDatabase()
  holder = await anAccount(database.db)
  const many = <T>(count: number, make: () => Promise<T>) => Promise.all(Array.from({ length: count }, make))
  ;[vehicles, drivers] = await Promise.all([
    many(8, () => anItem(database.db, 'vehicles/vehicle')),
    many(10, () => anItem(database.db, 'vehicles/crew')),
  ])
  await database.db.insertInto('artifact').values({ hash: formHash, kind: 'form', key: FORM, content: '{}' }).execute()
  await database.owner.pool.query(tryAtRandom)
  cases = []
  for (let n = 0; n < 120; n += 1) cases.push(await aCase(database.db, holder, { reference: `VR-${n}` }))
})
afterAll(() => database.drop())

/** Pairs of live allocations of one thing that overlap, of two cases. */
async function overlaps(): Promise<number> {
  const { rows } = await database.owner.pool.query(
    `select count(*)::integer as count from app.allocation a join app.allocation b
       on a.item_id = b.item_id and a.case_id < b.case_id and a.during && b.during
     where a.state <> 'released' and b.state <> 'released'`,
  )
  return rows[0].count
}

test(`in ${OPERATIONS} random assignments and releases nothing is assigned twice, and nothing free is refused`, async () => {
  const all = { granted: 0, refused: 0, wrong: 0 }
  for (let round = 0; round < ROUNDS; round += 1) {
    const { rows } = await database.owner.pool.query(operations, [round / ROUNDS, OPERATIONS / ROUNDS, holder])
    for (const key of ['granted', 'refused', 'wrong'] as const) all[key] += rows[0][key]
    expect(await overlaps()).toBe(0)
    await database.owner.pool.query('truncate app.allocation cascade')
  }
  expect(all.wrong).toBe(0)
  expect(all.granted).toBeGreaterThan(OPERATIONS / 20)
  expect(all.refused).toBeGreaterThan(OPERATIONS / 20)
}, 300_000)

test('desks that decide at once, and change it, never assign a vehicle or a driver twice, and an answer that is void frees both', async () => {
  const wish = fc.record({
    case: fc.nat(99),
    vehicle: fc.nat(3),
    driver: fc.nat(4),
    from: fc.nat(200),
    hours: fc.integer({ min: 1, max: 12 }),
    isVoid: fc.boolean(),
    settles: fc.constantFrom('nothing' as const, 'takeMove' as const, 'dropMove' as const),
    other: fc.record({ vehicle: fc.nat(7), driver: fc.nat(9) }),
  })
  const wishes = fc.sample(wish, { numRuns: 720, seed: 7 })
  const codes: string[] = []
  const moved = { takeMove: 0, dropMove: 0 }
  const middle = Date.now()
  const client = async (own: typeof wishes) => {
    for (const one of own) codes.push(...(await decide(one)))
  }
  await Promise.all(Array.from({ length: 12 }, (_, n) => client(wishes.filter((__, at) => at % 12 === n))))
  // At random somebody may also drive too long a day.
  const others = new Set(codes.filter((code) => code !== 'platform.item-out-too-long'))
  expect(others).toEqual(new Set(['vehicles.vehicle-taken', 'vehicles.driver-taken']))
  expect(await overlaps()).toBe(0)
  const { rows } = await database.owner.pool.query(
    `select count(*) filter (where s.effect = 'void')::integer as void, count(*)::integer as live
       from app.allocation a join app.submission s on s.id = a.submission_id where a.state <> 'released'`,
  )
  expect(rows[0].void).toBe(0)
  expect(rows[0].live).toBeGreaterThan(20)
  expect(moved.takeMove).toBeGreaterThan(4)
  expect(moved.dropMove).toBeGreaterThan(4)

  /** Picks others for the case, some of them while its time runs, and takes or drops them. */
  async function changeMind({ case: number, settles, other }: (typeof wishes)[number]) {
    const caseId = cases[number]!
    if (settles === 'nothing') return
    const isPicked = await database.db.transaction().execute(async (trx) => {
      await lockCase(trx, caseId)
      if (!(await caseHasSlots(trx, caseId, 'booking')) || (await caseHasSlots(trx, caseId, 'move'))) return false
      const data = { vehicle: vehicles[other.vehicle]!, driver: drivers[other.driver]! }
      const row = await getCaseRow(trx, caseId)
      await movePicked(trx, { assigns } as Manifest, { row, form: 'vehicles/reassignment', data, now: new Date() })
      return true
    })
    if (!isPicked) return
    moved[settles] += 1
    await database.db.transaction().execute(async (trx) => {
      await lockCase(trx, caseId)
      await allocations(trx)[settles](caseId)
    })
  }

  async function decide({ case: number, vehicle, driver, from, hours, isVoid, ...more }: (typeof wishes)[number]) {
    const caseId = cases[number]!
    const begins = middle + (from - 100) * 3_600_000
    const span = { from: new Date(begins).toISOString(), until: new Date(begins + hours * 3_600_000).toISOString() }
    try {
      const submissionId = await database.db.transaction().execute(async (trx) => {
        await trx
          .updateTable('flow_case')
          .set({ data: JSON.stringify(span), facts: JSON.stringify({ restMinutes: hours > 8 ? 600 : 30 }) })
          .where('id', '=', caseId)
          .execute()
        const answer = { outcome: 'assign', vehicle: vehicles[vehicle]!, driver: drivers[driver]! }
        const { id } = await addSubmission(trx, {
          caseId,
          formKey: FORM,
          formHash,
          data: answer,
          by: holder,
          actedAs: null,
        })
        const row = await getCaseRow(trx, caseId)
        await claimPicked(trx, { assigns } as Manifest, {
          row,
          form: FORM,
          data: answer,
          submissionId: id,
          now: new Date(),
        })
        return id
      })
      if (isVoid) await endSubmission(database.db, submissionId, 'void', 'undone')
      else await changeMind({ case: number, vehicle, driver, from, hours, isVoid, ...more })
      return []
    } catch (error) {
      if (!(error instanceof BusinessError)) throw error
      return error.fields.map(({ code }) => code)
    }
  }
}, 300_000)

test('once a trip has begun, nothing is kept free before a vehicle that replaces another', async () => {
  const [own, earlier] = [cases[100]!, cases[101]!]
  const [broken, back] = [await anItem(database.db, 'vehicles/vehicle'), await anItem(database.db, 'vehicles/vehicle')]
  const now = new Date()
  const hours = (from: number, to: number) => {
    const moment = (hour: number) => new Date(+now + hour * 3_600_000).toISOString()
    return { from: moment(from), until: moment(to) }
  }
  await database.db.transaction().execute(async (trx) => {
    const claim = { holder, path: '/vehicle', before: 30, after: 30 }
    await allocations(trx).claim({ ...claim, caseId: own, item: broken, booked: hours(-2, 4) })
    // It came back 45 minutes ago.
    await allocations(trx).claim({ ...claim, caseId: earlier, item: back, booked: hours(-4, -0.75) })
    const row = await getCaseRow(trx, own)
    const data = { vehicle: back, ...hours(-2, 4) }
    await movePicked(trx, { assigns } as Manifest, { row, form: 'vehicles/reassignment', data, now })
  })
  expect(await caseHasSlots(database.db, own, 'move')).toBe(true)
})

test('of two claims at once that together take too much of a day, the database refuses the later one', async () => {
  const { pool } = database.owner
  const driver = await anItem(database.db, 'vehicles/crew')
  const claims = `insert into app.allocation (id, item_id, during, booked, state, holder_id, case_id, path, most_a_day)
    values (gen_random_uuid(), $1, tstzrange($2, $3), tstzrange($2, $3), 'claimed', $4, $5, '/driver', 12)`
  const on = (hour: string) => `2028-03-01T${hour}:00+05:30`
  const [first, second] = await Promise.all([pool.connect(), pool.connect()])
  try {
    await first.query('begin')
    await first.query(claims, [driver, on('06:00'), on('13:00'), holder, cases[102]])
    let outcome = 'waits'
    const later = second.query(claims, [driver, on('15:00'), on('20:30'), holder, cases[103]]).then(
      () => (outcome = 'claimed'),
      (error: unknown) => (outcome = (error as { constraint: string }).constraint),
    )
    await until('the later claim', async () => {
      const { rows } = await database.pool.query(`select from pg_locks where not granted`)
      return rows.length > 0 || outcome !== 'waits'
    })
    await first.query('commit')
    await later
    expect(outcome).toBe('allocation_hours_of_a_day')
  } finally {
    first.release()
    second.release()
  }
})

/** Assigns a vehicle and a driver to a case, or releases those of a case, `operations` times; says what was wrong. */
const tryAtRandom = `
  create function app.try_at_random(seed double precision, operations integer, holder uuid,
    out granted integer, out refused integer, out wrong integer) language plpgsql as $$
  declare
    cases uuid[] := array(select id from app.flow_case order by id);
    vehicles uuid[] := array(select id from app.register_item where register = 'vehicles/vehicle' order by id);
    drivers uuid[] := array(select id from app.register_item where register = 'vehicles/crew' order by id);
    chosen uuid; vehicle uuid; driver uuid; starts timestamptz; span tstzrange; kept tstzrange; rest tstzrange;
    is_free boolean;
  begin
    -- References are not what is tried here, and take most of the time; exclusion constraints still hold.
    perform set_config('session_replication_role', 'replica', true);
    perform setseed(seed);
    granted := 0; refused := 0; wrong := 0;
    for n in 1 .. operations loop
      chosen := cases[1 + floor(random() * array_length(cases, 1))];
      if random() < 0.4 then
        update app.allocation set state = 'released' where case_id = chosen and state <> 'released';
        continue;
      end if;
      vehicle := vehicles[1 + floor(random() * array_length(vehicles, 1))];
      driver := drivers[1 + floor(random() * array_length(drivers, 1))];
      starts := '2027-01-01'::timestamptz + floor(random() * 600) * interval '30 minutes';
      span := tstzrange(starts, starts + (1 + floor(random() * 20)) * interval '30 minutes');
      kept := tstzrange(lower(span) - interval '30 minutes', upper(span) + interval '30 minutes');
      rest := tstzrange(lower(span), upper(span) + interval '10 hours');
      is_free := not exists (select from app.allocation where state <> 'released' and case_id <> chosen
        and ((item_id = vehicle and during && kept) or (item_id = driver and during && rest)));
      begin
        insert into app.allocation (id, item_id, during, booked, state, holder_id, case_id, path) values
          (gen_random_uuid(), vehicle, kept, span, 'claimed', holder, chosen, '/vehicle'),
          (gen_random_uuid(), driver, rest, span, 'claimed', holder, chosen, '/driver');
        granted := granted + 1;
        if not is_free then wrong := wrong + 1; end if;
      exception when exclusion_violation then
        refused := refused + 1;
        if is_free then wrong := wrong + 1; end if;
      end;
    end loop;
  end $$`

const operations = 'select * from app.try_at_random($1, $2, $3)'
