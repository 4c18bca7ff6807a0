import { expect, test } from '@jest/globals'
import { day } from '../platform/kit/days.ts'
import { expectCase } from '../platform/kit/expectations.ts'
import { asOwner } from '../platform/kit/owner.ts'
import { as } from '../platform/kit/people.ts'

const items = (register: string) => `/api/registers/${register}/items`

test('a student who moves into the batch of another programme follows that programme', async () => {
  const [admin, ma, ar] = await Promise.all(['admin', 'ma.music', 'ar.music'].map(as))
  const [student] = await asOwner<{ id: string; data: Record<string, string> }>(
    `select i.id, i.data from app.register_item i where i.register = 'platform/student' and i.status = 'active'
       and i.data ? 'batch' and i.data ->> 'reg_no' like 'FOM/%'
       and not exists (select from app.account a where a.record_id = i.id)
       and not exists (select from app.case_claim c where c.item_id = i.id) order by i.id desc limit 1`,
  )
  const { id, data } = student!
  const own = await admin!.get(`${items('setup/degree-program')}/${data['programme']}`)
  const now = Date.now()
  const other = await admin!.ok('POST', items('setup/degree-program'), {
    data: { ...own.data, name: `Programme ${now}`, code: `P${now}` },
  })
  const { items: intakes } = await admin!.get(`${items('intakes/intake')}?limit=50`)
  const intake = intakes.find((one: { id: string }) => one.id !== data['intake']).id
  const batch = await admin!.ok('POST', items('batches/batch'), {
    data: { name: `Batch ${now}`, intake, programme: other.id, year: 1 },
  })
  const change = await ma!.submit('intakes/status-change', {
    ...{ kind: 'Intake', faculty: data['faculty'], students: [{ student: id }], intake, batch: batch.id },
    ...{ effective_on: day(0), reason: 'Decision 14 of the Faculty Board' },
  })
  await ar!.decides(change, 'approve', {}, 'userTask_approveByFacultyAR')
  await expectCase(change).toBe('In Effect')
  const moved = await admin!.get(`${items('platform/student')}/${id}`)
  expect(moved.data).toMatchObject({ intake, batch: batch.id, programme: other.id })
})
