import { mutate } from 'swr'
import { request, withQuery } from '../../kernel/client/client.ts'
import { usePages, useRead } from '../../kernel/api/read.ts'
import type {
  GetPerson,
  GetPersonErasure,
  GetPost,
  ImportGrants,
  ListGroups,
  ListPeople,
  ListPosts,
  ListRoles,
  ShowAppointmentEffect,
  ShowGrantEffect,
  ShowGroupEffect,
} from '../../kernel/client/operations.generated.ts'

export type PersonRow = ListPeople['answer']['items'][number]
export type Person = GetPerson['answer']
export type Grant = Person['grants'][number]
export type NameChange = NonNullable<Person['nameChange']>
/** The unit that a role or post is bound to. */
export type Scope = NonNullable<Grant['scope']>
export type Effect = ShowGrantEffect['answer']
export type Warning = Effect['warnings'][number]
export type Imported = ImportGrants['answer']
export type Group = ListGroups['answer']['items'][number]
export type GroupEffect = ShowGroupEffect['answer']
export type PostRow = ListPosts['answer']['items'][number]
export type Post = GetPost['answer']
export type Holder = Post['history'][number]
export type PostEffect = ShowAppointmentEffect['answer']

const personPath = (id: string, part = '') => `/api/people/${encodeURIComponent(id)}${part}`
const groupPath = (name: string, part = '') => `/api/groups/${encodeURIComponent(name)}${part}`
const postPath = (id: string, part = '') => `/api/posts/${encodeURIComponent(id)}${part}`

export const usePeople = (filter: { search?: string; role?: string; scope?: string; state?: string }) =>
  usePages<PersonRow>(withQuery('/api/people', { ...filter, limit: 50 }))
export const usePerson = (id: string) => useRead<Person>(personPath(id))
export const useRoles = () => useRead<ListRoles['answer']>('/api/roles')
export const useGroups = () => useRead<ListGroups['answer']>('/api/groups')
export const usePosts = (filter: { search?: string; state?: string; unit?: string }) =>
  usePages<PostRow>(withQuery('/api/posts', { ...filter, limit: 50 }))
export const usePersonErasure = (id: string) => useRead<GetPersonErasure['answer']>(personPath(id, '/erasure'))
export const usePost = (id: string) => useRead<Post>(postPath(id))

/** Reads people, groups and posts again after a change. */
const changed = () => mutate((key) => typeof key === 'string' && /^\/api\/(people|groups|posts|roles)/.test(key))

async function write<T>(method: string, path: string, body?: unknown, version?: number): Promise<T> {
  const answer = await request<T>(method, path, {
    ...(body === undefined ? {} : { body }),
    ...(version === undefined ? {} : { headers: { 'if-match': `"${version}"` } }),
  })
  await changed()
  return answer
}

/** Confirms or refuses a requested name. */
export const decideName = (id: string, change: string, answer: { accept: boolean; reason: string }) =>
  write<void>('POST', personPath(id, `/name-changes/${change}`), answer)

interface Dates {
  startsAt?: string
  endsAt?: string
}

export const addPerson = (person: { name: string; email: string; username?: string; post?: string; reason: string }) =>
  write<Person>('POST', '/api/people', person)

export const changePerson = (
  { id, version }: Person,
  person: { name: string; email: string; post: string | null; active: boolean; reason: string },
) => write<Person>('PUT', personPath(id), person, version)

export const signOutEverywhere = (id: string, reason: string) => write('POST', personPath(id, '/sign-out'), { reason })

export const endSecondFactor = (id: string, reason: string) =>
  write('POST', personPath(id, '/second-factor/end'), { reason })

export const sendPasswordLink = (id: string) => write('POST', personPath(id, '/password-link'))

export const askErasure = (id: string, wish: { reason: string; confirmation: string }) =>
  write('POST', personPath(id, '/erasure'), wish)

export const giveRole = (
  id: string,
  grant: Dates & { role: string; scope: { kind: string; id: string } | null; reason: string },
) => write<Grant>('POST', personPath(id, '/grants'), grant)

export const endGrant = (id: string, end: { endsAt?: string; reason: string }) =>
  write<Grant>('POST', `/api/grants/${encodeURIComponent(id)}/end`, end)

/** A preview of giving these roles and ending those grants; changes nothing. */
export const effectOn = (
  id: string,
  change: { add?: { role: string; scope: { kind: string; id: string } | null }[]; end?: string[] },
) => request<Effect>('POST', personPath(id, '/effect'), { body: change })

/** Checks a list of grants; with `commit` and without errors, gives all of them. */
export const importGrants = (csv: string, commit: boolean) =>
  commit
    ? write<Imported>('POST', '/api/people/imports', { csv, commit })
    : request<Imported>('POST', '/api/people/imports', { body: { csv, commit } })

export const changeGroup = ({ name, version }: Group, roles: string[], reason: string) =>
  write<Group>('PUT', groupPath(name), { roles, reason }, version)

export const effectOfGroup = (name: string, roles: string[]) =>
  request<GroupEffect>('POST', groupPath(name, '/effect'), { body: { roles } })

export const appoint = (id: string, holder: Dates & { accountId: string; acting: boolean; reason: string }) =>
  write<Holder>('POST', postPath(id, '/holders'), holder)

export const effectOfAppointing = (id: string, holder: { accountId: string; startsAt?: string }) =>
  request<PostEffect>('POST', postPath(id, '/effect'), { body: holder })

export const endHolding = (holderId: string, end: { endsAt?: string; reason: string }) =>
  write<Holder>('POST', `/api/post-holders/${encodeURIComponent(holderId)}/end`, end)
