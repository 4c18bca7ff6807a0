import { audit } from '../../processes/audit/audit.generated.ts'
import { as, type Case } from '../platform/kit/people.ts'
import { day } from '../platform/kit/days.ts'

export const { desks, flow: AUDIT } = audit

/** The people at the desks of an audit of Western Music, and their agreeing outcomes. */
const CHAIN = [
  [desks.giveInformation, 'hod.western-music', 'give', { answers: [{ request: 'Petty cash book', answer: 'Here.' }] }],
  [desks.verify, 'audit.verifier', 'verify', { findings: [{ check: 'The float agrees', result: 'met' }] }],
  [desks.approve, 'auditor', 'approve', {}],
] as const

/** An audit of the Department of Western Music as an auditor opens it. */
export async function anAudit(more: object = {}): Promise<Record<string, unknown>> {
  const admin = await as('admin')
  const [departments, lists] = await Promise.all([
    admin.get('/api/registers/platform/department/items?search=Western'),
    admin.get('/api/registers/audit/check-list/items?search=cash'),
  ])
  return {
    ...{ title: 'Petty cash', kind: 'financial', audited: 'department', department: departments.items[0].id },
    period_from: day(-90),
    period_to: day(-1),
    check_list: lists.items[0].id,
    requests: [{ request: 'Petty cash book' }],
    ...more,
  }
}

/** Lets the desks agree in order, from one desk up to, but not including, another. */
export async function agree(of: Case, { from, upTo }: { from?: string; upTo?: string } = {}): Promise<void> {
  let begun = from === undefined
  for (const [desk, username, outcome, more] of CHAIN) {
    begun ||= desk === from
    if (desk === upTo) return
    if (begun) await (await as(username)).decides(of, outcome, more, desk)
  }
}
