import useSWR, { mutate } from 'swr'
import { proved, provedIfAsked } from '../session/proof.ts'
import { Problem, request, send as sendRaw, type Request } from '../client/client.ts'
import type { GetTrackedCase } from '../client/operations.generated.ts'
import type { FileName } from '../client/types.ts'

/** A case as whoever follows it without an account sees it. */
export type TrackedCase = GetTrackedCase['answer']

/** What waits for the requester themselves. */
export type TrackedTask = TrackedCase['tasks'][number]

/** Lets somebody in to the case of a reference, for half an hour. */
export interface Tracking {
  reference: string
  token: string
  expiresAt: string
}

const base = '/api/public/tracking'
/** In the tab only: closing it forgets who was let in. */
const place = 'prakriya.tracking'

export function heldTracking(): Tracking | undefined {
  const kept = sessionStorage.getItem(place)
  const tracking = kept ? (JSON.parse(kept) as Tracking) : undefined
  return tracking && Date.parse(tracking.expiresAt) > Date.now() ? tracking : undefined
}
export const dropTracking = (): void => sessionStorage.removeItem(place)

/** Asks to be let in with a case's reference and secret; throws the same refusal whichever of them is wrong. */
export async function openTracking(reference: string, secret: string): Promise<Tracking> {
  const answer = await provedIfAsked(
    (headers) => request<Omit<Tracking, 'reference'>>('POST', base, { body: { reference, secret }, headers }),
    () => {},
  )
  const tracking = { ...answer, reference }
  sessionStorage.setItem(place, JSON.stringify(tracking))
  return tracking
}

/** Has the secret mailed again; the answer tells nothing of whether there is such a case. */
export const mailTrackingAddress = (reference: string, email: string) =>
  proved((headers) => request<void>('POST', `${base}/resend`, { body: { reference, email }, headers }))

/** Whether the time is over for which somebody was let in. */
export const isOver = (error: unknown): boolean => error instanceof Problem && error.status === 401

const keyOf = (tracking: Tracking) => [base, tracking.token] as const
/** How often the page looks for news, in milliseconds: nobody tells it. */
const pause = 15_000

const as = ({ token }: Tracking, more: Request = {}): Request => ({
  ...more,
  headers: { ...more.headers, authorization: `Tracking ${token}` },
})

export const useTracked = (tracking: Tracking) =>
  useSWR<TrackedCase, Problem>(keyOf(tracking), () => request<TrackedCase>('GET', `${base}/case`, as(tracking)), {
    refreshInterval: pause,
  })

/** What the requester may do with the case that they follow. */
export function trackedWays(tracking: Tracking) {
  const send = async (path: string, body: unknown) => {
    const now = await request<TrackedCase>('POST', `${base}/${path}`, as(tracking, { body }))
    await mutate(keyOf(tracking), now, { revalidate: true })
  }
  return {
    act: (name: string, data: unknown) => send(`acts/${encodeURIComponent(name)}`, { data }),
    withdraw: (reason: string) => send('withdraw', { reason }),
    complete: (task: string, data: unknown) => send(`tasks/${encodeURIComponent(task)}/complete`, { data }),
    answer: (question: string, answer: string) => send(`questions/${encodeURIComponent(question)}/answer`, { answer }),
    upload: (body: FormData) => request<FileName>('POST', `${base}/files`, as(tracking, { body })),
    document: async (id: string) => {
      const response = await sendRaw('GET', `${base}/documents/${encodeURIComponent(id)}`, as(tracking))
      return response.blob()
    },
  }
}
