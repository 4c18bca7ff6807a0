import { as, type Case, type Person } from '../platform/kit/people.ts'
import { until } from '../platform/kit/poll.ts'
import { day } from '../platform/kit/days.ts'

export const OFFER = 'admissions/admission-offer'
export const BATCH = `/api/entry-batches/${OFFER}`
export const ADMISSIONS = '/api/registers/admissions/admission/items'

export interface Admission {
  id: string
  email: string
  number: string
}

/** A serial number of an identity card that this run has not used yet: at most nine people each second. */
let serial = Math.floor(Date.now() / 100) % 10_000_000

const idOf = async (office: Person, register: string, search: string): Promise<string> =>
  (await office.get(`/api/registers/${register}/items?search=${search}&limit=1`)).items[0].id

/** Somebody who is selected, and has no offer yet. */
export async function anAdmission(
  office: Person,
  name: string,
  language: string,
  more: object = {},
): Promise<Admission> {
  const own = (serial += 1)
  const number = `T/${Date.now().toString(36).toUpperCase()}/${own}`
  const email = `t${own}.${Date.now().toString(36)}@prakriya.example`
  const [intake, faculty, spoken] = await Promise.all([
    idOf(office, 'intakes/intake', ''),
    idOf(office, 'platform/faculty', 'Music'),
    idOf(office, 'platform/language', language),
  ])
  const data = {
    ...{ number, email, intake, faculty, name_with_initials: name, language: spoken },
    nic: `20051${String(own).padStart(7, '0')}`,
    ...{ programme: 'BPA in Western Music', selected_by: 'Special intake' },
    answer_by: day(21),
    ...more,
  }
  const { id } = await office.ok('POST', ADMISSIONS, { data })
  return { id, email, number }
}

export const itemOf = (office: Person, { id }: Admission): Promise<any> => office.get(`${ADMISSIONS}/${id}`)

/** Waits until the register shows this status. */
export const expectStatus = (office: Person, of: Admission, status: string): Promise<unknown> =>
  until(`${of.number} is ${status}`, async () => {
    const seen = (await itemOf(office, of)).status
    if (seen !== status) throw new Error(`it is ${seen}`)
    return true
  })

/** Sends the offers to these, and waits until all have a case; returns the cases in their order. */
export async function offered(office: Person, ...to: Admission[]): Promise<Case[]> {
  const choice = { ids: to.map(({ id }) => id) }
  const { stamp } = await office.ok('POST', `${BATCH}/preview`, { choice })
  await office.ok('POST', BATCH, { choice, stamp })
  const lines = await until('the batch is done', async () => {
    const { latest, entries: all } = await office.get(BATCH)
    return latest.state === 'done' && all
  })
  return to.map(({ id }) => lines.find((one: any) => one.id === id).case)
}

/** Waits for the newest mail of a template to this address. */
export const mailTo = async ({ email }: Admission, template: string): Promise<{ subject: string; body: string }> => {
  const admin = await as('admin')
  return until(`${template} to ${email}`, async () => {
    const { items } = await admin.get('/api/mailbox?limit=50')
    return items.find((one: any) => one.to === email && one.template === template)
  })
}

/** The token of the link in a mail. */
export const tokenIn = ({ body }: { body: string }): string => /\/answer\/([\w-]{64})/.exec(body)![1]!
