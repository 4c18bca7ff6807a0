import { asOwner } from '../platform/kit/owner.ts'
import { randomBytes, randomUUID } from 'node:crypto'
import { resignation } from '../../processes/resignations/resignation.generated.ts'
import { as, type Case, type Person } from '../platform/kit/people.ts'
import { PIXEL, uploads } from '../platform/kit/uploads.ts'
import { day } from '../platform/kit/days.ts'

export const { desks, flow: RESIGNATION } = resignation

/** The people at the desks for a lecturer of Western Music, in diagram order, and their agreeing outcomes. */
export const CHAIN = [
  [desks.recommendByHead, 'hod.western-music', 'recommend'],
  [desks.recommendByDean, 'dean.music', 'recommend'],
  [desks.checkByMA, 'hr.ma', 'check'],
  [desks.recommendByAR, 'hr.ar', 'recommend'],
  [desks.recommendByRegistrar, 'registrar', 'recommend'],
  [desks.approveByViceChancellor, 'vc', 'approve'],
] as const

/** The desks that clear people who leave. */
export const CLEARANCES = [
  [desks.clearLibrary, 'head.library'],
  [desks.clearFinance, 'finance'],
  [desks.clearInstruments, 'book.keeper'],
  [desks.clearComputers, 'head.information-technology'],
] as const

/** An employee that no other test uses: an entry, an account and a role of their own. */
export async function anEmployee({
  kind = 'academic',
  department = 'Western',
  role = 'Lecturer',
}: { kind?: 'academic' | 'non-academic'; department?: string; role?: string } = {}): Promise<
  Person & { record: string }
> {
  const admin = await as('admin')
  const run = randomBytes(4).toString('hex')
  const [unit, designation] = await Promise.all([
    admin.get(`/api/registers/platform/department/items?search=${department}`),
    admin.get('/api/registers/platform/designation/items?limit=1'),
  ])
  const name = `Employee ${run}`
  const email = `leaver.${run}@example.org`
  const data = {
    ...{ employee_id: `L${run}`, full_name: name, nic: `19${String(parseInt(run, 16)).padStart(10, '0')}`, email },
    ...{ designation: designation.items[0].id, kind, department: unit.items[0].id },
  }
  const { id: record } = await admin.ok('POST', '/api/registers/platform/employee/items', { data })
  await asOwner(
    `with made as (
       insert into app.account (id, username, email, name, password_hash, record_id, email_confirmed_at)
       select $1, $2, $3, $4, (select password_hash from app.account where username = 'student.nuwan'), $5, now()
       returning id)
     insert into app.role_grant (id, account_id, role, scope_kind, scope_id, origin)
     select gen_random_uuid(), id, $6, 'department', $7, 'seed' from made`,
    [randomUUID(), `leaver.${run}`, email, name, record, role, unit.items[0].id],
  )
  return Object.assign(await as(`leaver.${run}`), { record })
}

/** A resignation as somebody writes it, with their uploaded letter. */
export async function aResignation(who: Person, more: object = {}): Promise<Record<string, unknown>> {
  return {
    notice_period: 'one_month',
    last_working_day: day(40),
    reason: 'I take up a post abroad.',
    letter: await uploads(who, 'letter.png', PIXEL),
    ...more,
  }
}

/** Lets the desks agree in order, from one desk up to, but not including, another. */
export async function agree(of: Case, { from, upTo }: { from?: string; upTo?: string } = {}): Promise<void> {
  let begun = from === undefined
  for (const [desk, username, outcome] of CHAIN) {
    begun ||= desk === from
    if (desk === upTo) return
    if (begun) await (await as(username)).decides(of, outcome, {}, desk)
  }
}
