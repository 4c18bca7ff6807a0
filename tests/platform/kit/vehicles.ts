import { randomUUID } from 'node:crypto'
import { day } from './days.ts'
import { asOwner } from './owner.ts'
import { as, type Case, type Person } from './people.ts'
import { until } from './poll.ts'

/** A vehicle with licence and insurance that no other test sends anywhere. */
export async function aLicensedVehicle(): Promise<{ id: string; number: string }> {
  const transport = await as('transport.head')
  const mark = randomUUID().slice(0, 8).toUpperCase()
  const number = `WP V-${mark}`
  const data = { registration_no: number, model: 'Nissan Caravan', kind: 'van', ownership: 'own', seats: 13 }
  const { id } = await transport.ok<{ id: string }>('POST', '/api/registers/vehicles/vehicle/items', {
    data: { ...data, fuel: 'diesel', meter: 1000 },
  })
  await asOwner(
    `insert into app.register_item (id, register, title, status, data)
      select gen_random_uuid(), 'vehicles/licence', kind, 'Active', jsonb_build_object('vehicle', $1::text, 'kind', kind,
        'number', $2::text, 'from', $3::text, 'until', $4::text) from unnest(array['insurance', 'revenue-licence']) kind`,
    [id, mark, day(-1), day(300)],
  )
  return { id, number }
}

/** Cancels a trip, as soon as its case waits for that. */
export const cancels = (who: Person, { id }: Case, reason: string): Promise<boolean> =>
  until('it can be cancelled', async () => {
    const { status } = await who.send('POST', `/api/cases/${id}/acts/cancel`, { data: { reason } })
    return status < 300
  })
