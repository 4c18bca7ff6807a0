import { expect, test } from '@jest/globals'
import { asOwner } from './kit/owner.ts'

test('every demo case was played to its last step', async () => {
  const played = await asOwner<{ failed: string[] }>(
    `select p.payload -> 'failed' as failed from app.audit_entry e join app.audit_payload p on p.entry_id = e.id
       where e.action = 'demo.played'`,
  )
  expect(played).toEqual([{ failed: [] }])
})
