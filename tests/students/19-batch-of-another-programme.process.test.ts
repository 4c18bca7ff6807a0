import { expect, test } from '@jest/globals'
import { randomUUID } from 'node:crypto'
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
  const into = (named: string) => ({
    ...{ kind: 'Intake', faculty: data['faculty'], students: [{ student: id }], intake, batch: named },
    ...{ effective_on: day(0), reason: 'Decision 14 of the Faculty Board' },
  })
  // The level decides the role, so nobody moves from one to another.
  const degree = await admin!.ok('POST', items('setup/degree'), {
    data: { name: `Master ${now}`, code: `M${now}`, level: 'Master', years: 2, credits: 60 },
  })
  const master = await admin!.ok('POST', items('setup/degree-program'), {
    data: { ...own.data, name: `Master ${now}`, code: `MP${now}`, degree: degree.id },
  })
  const higher = await admin!.ok('POST', items('batches/batch'), {
    data: { name: `Master batch ${now}`, intake, programme: master.id, year: 1 },
  })
  const sent = { flow: 'intakes/status-change', data: into(higher.id) }
  const refused = await ma!.send('POST', '/api/cases', sent, { 'idempotency-key': randomUUID() })
  expect(refused.body.errors).toMatchObject([{ field: '/batch', code: 'intakes.batch-of-another-level' }])

  const change = await ma!.submit('intakes/status-change', into(batch.id))
  await ar!.decides(change, 'approve', {}, 'userTask_approveByFacultyAR')
  await expectCase(change).toBe('In Effect')
  const moved = await admin!.get(`${items('platform/student')}/${id}`)
  expect(moved.data).toMatchObject({ intake, batch: batch.id, programme: other.id })
  const [noted] = (await admin!.get(`${items('intakes/student-change')}?filter.student=${id}&limit=1`)).items
  expect(noted.data).toMatchObject({ programme_was: data['programme'], programme_becomes: other.id })
})
