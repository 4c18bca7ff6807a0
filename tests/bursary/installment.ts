import { randomBytes, randomInt } from 'node:crypto'
import { bursaryInstallment } from '../../processes/bursary/bursary-installment.generated.ts'
import { giveStatus } from '../platform/kit/owner.ts'
import { as, type Case, type Person } from '../platform/kit/people.ts'
import { entryOf } from './application.ts'

export const { desks: paying, flow: INSTALLMENT } = bursaryInstallment

/** What the bursary pays to each recipient in a month, in cents. */
export const VALUE = 450_000

/** The people at the desks of an installment, in order. */
export const CHAIN = [
  [paying.decideByAR, 'head.welfare'],
  [paying.decideByBursar, 'bursar'],
  [paying.decideByRegistrar, 'registrar'],
  [paying.decideByViceChancellor, 'vc'],
] as const

/**
 * A new bursary that pays in a month of its own, with new students who are certified as recipients, have an account, and
 * were present on 18 of 20 days. The students have no accounts with which to sign in.
 */
export async function aBursary(
  names: readonly string[],
): Promise<{ id: string; name: string; month: string; criterion: string }> {
  const admin = await as('admin')
  const mark = randomBytes(4).toString('hex').toUpperCase()
  const name = `Bursary ${mark}`
  const made = async (of: string, data: object): Promise<string> =>
    (await admin.ok('POST', `/api/registers/${of}/items`, { data })).id
  const id = await made('bursary/scheme', { code: `T-${mark}`, name, method: 'transfer' })
  await made('bursary/installment-value', { scheme: id, from: '1000-01', amount: VALUE })
  const { criterion, month } = await aMonth(admin)
  const { items: like } = await admin.get('/api/registers/platform/student/items?limit=1&status=active')
  const { faculty, programme, intake } = like[0].data
  const bank = await entryOf('vouchers/bank', '9001')
  const branch = await entryOf('vouchers/branch', '9001-021')
  for (const [place, full_name] of names.entries()) {
    const number = `${mark}/${place}`
    const student = await made('platform/student', {
      ...{
        reg_no: number,
        full_name,
        nic: String(randomInt(1e11, 2e11)),
        email: `${mark}.${place}@students.example.org`,
      },
      ...{ faculty, programme, intake },
    })
    await giveStatus(student, 'active')
    const account_number = String(randomInt(1e9, 1e10))
    await giveStatus(
      await made('platform/student-account', { student, account_name: full_name, bank, branch, account_number }),
      'Certified',
    )
    const recipient = await made('bursary/recipient', {
      ...{ number, student, scheme: id, from: month, documents_complete: true },
    })
    await giveStatus(recipient, 'Active')
    await made('bursary/attendance', { criterion, recipient, days_held: 20, days_present: 18 })
  }
  return { id, name, month, criterion }
}

/** The payment criterion of a month that no other test uses: the register has one for each month. */
async function aMonth(admin: Person): Promise<{ criterion: string; month: string }> {
  for (;;) {
    const month = `${randomInt(1000, 1500)}-${String(randomInt(1, 13)).padStart(2, '0')}`
    const data = { month, least_attendance: 80, recorded_until: `${month}-28` }
    const { status, body } = await admin.send('POST', '/api/registers/bursary/payment-criterion/items', { data })
    if (status === 201 || status === 200) return { criterion: body.id, month }
    const taken = body.errors?.some(({ field }: { field: string }) => field === '/month')
    if (!taken) throw new Error(`no criterion of ${month}: ${JSON.stringify(body)}`)
  }
}

/** Sends the run of a bursary for its month. */
export async function anInstallment({ id: scheme, month }: { id: string; month: string }): Promise<Case> {
  const bank_account = await entryOf('vouchers/bank-account', 'General')
  return (await as('ma.welfare')).submit(INSTALLMENT, { scheme, month, bank_account })
}

/** Lets the desks agree in order, from the one after `after` on. */
export async function agree(of: Case, { after }: { after?: string } = {}): Promise<void> {
  const from = CHAIN.findIndex(([desk]) => desk === after) + 1
  for (const [desk, username] of CHAIN.slice(from)) await (await as(username)).decides(of, 'approve', {}, desk)
}
