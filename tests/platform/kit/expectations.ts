import { as, type Case, type Person } from './people.ts'
import { until } from './poll.ts'

/** Waits until the case has this status; fails with the one it has. */
export function expectCase(of: Case, list?: string): { toBe(status: string): Promise<void> } {
  return {
    async toBe(status) {
      const admin = await as('admin')
      let seen: unknown
      await until(`${of.reference} is ${status}`, async () => {
        const { status: plain, statuses } = await admin.get(`/api/cases/${of.id}`)
        seen = list ? statuses[list]?.key : plain.key
        if (seen !== status) throw new Error(`it is ${String(seen)}`)
        return true
      })
    },
  }
}

/** Waits for a mail to this person about this case, from this template. */
export function expectMail(to: Person): {
  about(template: string, of: Case): Promise<{ subject: string; body: string }>
} {
  return {
    about: (template, of) =>
      until(`a mail ${template} to ${to.username} about ${of.reference}`, async () => {
        const { items } = await to.get('/api/mailbox')
        return items.find((mail: any) => mail.template === template && mail.caseId === of.id)
      }),
  }
}

/** Waits until the case has ended. */
export async function expectEnded(of: Case): Promise<void> {
  const admin = await as('admin')
  await until(`${of.reference} has ended`, async () => (await admin.get(`/api/cases/${of.id}`)).state === 'ended')
}
