import useSWR, { mutate } from 'swr'
import { proved, provedIfAsked } from '../session/proof.ts'
import { Problem, request, send as sendRaw, type Request } from '../client/client.ts'
import type { GetTrackedCase } from '../client/operations.generated.ts'
import type { FileName } from '../client/types.ts'
import { storedAt } from '../client/json.ts'

/** A case as people without an account see it. */
export type TrackedCase = GetTrackedCase['answer']

/** A task for the requester. */
export type TrackedTask = TrackedCase['tasks'][number]

/** Access to one case for half an hour. */
export interface Tracking {
  reference: string
  token: string
  expiresAt: string
}

const base = '/api/public/tracking'
/** In this tab only: closing it ends the access. */
const place = 'prakriya.tracking'

export function heldTracking(): Tracking | undefined {
  const tracking = storedAt<Tracking>(place)
  return tracking && Date.parse(tracking.expiresAt) > Date.now() ? tracking : undefined
}
export const dropTracking = (): void => sessionStorage.removeItem(place)

/** Opens a case with its case number and secret; the refusal does not say which of them is wrong. */
export async function openTracking(reference: string, secret: string): Promise<Tracking> {
  const answer = await provedIfAsked(
    (headers) => request<Omit<Tracking, 'reference'>>('POST', base, { body: { reference, secret }, headers }),
    () => {},
  )
  const tracking = { ...answer, reference }
  sessionStorage.setItem(place, JSON.stringify(tracking))
  return tracking
}

/** Mails the secret again; the answer does not reveal whether the case exists. */
export const mailTrackingAddress = (reference: string, email: string) =>
  proved((headers) => request<void>('POST', `${base}/resend`, { body: { reference, email }, headers }))

/** Whether the access has expired. */
export const isOver = (error: unknown): boolean => error instanceof Problem && error.status === 401

const keyOf = (tracking: Tracking) => [base, tracking.token] as const
/** Polling interval in milliseconds: this page gets no hints. */
const pause = 15_000

const as = ({ token }: Tracking, more: Request = {}): Request => ({
  ...more,
  headers: { ...more.headers, authorization: `Tracking ${token}` },
})

export const useTracked = (tracking: Tracking) =>
  useSWR<TrackedCase, Problem>(keyOf(tracking), () => request<TrackedCase>('GET', `${base}/case`, as(tracking)), {
    refreshInterval: pause,
  })

/** What the requester may do with a tracked case. */
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
