import { mutate } from 'swr'
import { request, withQuery } from '../client/client.ts'
import type { ListSubstitutions } from '../client/operations.generated.ts'
import { usePages } from './read.ts'

export type Substitution = ListSubstitutions['answer']['items'][number]

const path = '/api/substitutions'

/** Substitutions that concern the reader, or for administrators and auditors everybody's. */
export const useSubstitutions = ({ all = false } = {}) =>
  usePages<Substitution>(withQuery(path, { ...(all ? { all: true } : {}), limit: 50 }))

/** Colleagues to ask, by at least two letters of the name. */
export const substitutesPath = (search: string) => (search.length < 2 ? null : withQuery(`${path}/people`, { search }))

const refresh = () => mutate((key) => typeof key === 'string' && key.includes(path))

async function send<T>(part: string, body?: unknown): Promise<T> {
  const answer = await request<T>('POST', path + part, body === undefined ? {} : { body })
  await refresh()
  return answer
}

/** The request to a substitute. */
export interface Asked {
  substitute: string
  from: string
  until: string
  flows?: string[]
  /** In cents. */
  amountLimit?: number
  reason?: string
  /** The absent person, if an administrator asks on their behalf. */
  absent?: string
}

export const askSubstitute = (asked: Asked) => send<Substitution>('', asked)
export const answerSubstitution = (id: string, verb: 'accept' | 'decline' | 'end') =>
  send<Substitution>(`/${encodeURIComponent(id)}/${verb}`)
