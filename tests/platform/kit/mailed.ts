import { as, send } from './people.ts'
import { until } from './poll.ts'

/** The newest link to a page in the mails to an address. */
export const mailed = (address: string, page: RegExp) =>
  until(`a mail to ${address}`, async () => {
    const { items } = await (await as('admin')).get('/api/mailbox?limit=100')
    return items
      .filter((mail: any) => mail.to === address)
      .flatMap(({ body }: any) => page.exec(body)?.[0] ?? [])[0] as string | undefined
  })

/** Confirms an address with the mailed link. */
export async function confirms(address: string): Promise<void> {
  const { status } = await triesToConfirm(address)
  if (status !== 204) throw new Error(`the address could not be confirmed: ${status}`)
}

/** Uses the link mailed to an address; returns the answer. */
export async function triesToConfirm(address: string) {
  const link = await mailed(address, /https?:\S+confirm-email\?token=\S+/)
  const token = new URL(link).searchParams.get('token')
  return send('POST', '/api/auth/confirm-email', { body: { token } })
}
