import useSWR from 'swr'
import { asFilters, request, withQuery, type Problem } from '../../kernel/client/client.ts'
import type { GetImportProgress, ImportItems } from '../../kernel/client/operations.generated.ts'
import { usePages, useRead } from '../../kernel/api/read.ts'
import type { FormSchema, Page } from '../../kernel/client/types.ts'
import type { FormValue } from '../../kernel/form/conditions.ts'
import { hasText, type Translate } from '../../kernel/texts/texts.ts'
import type { PageProps } from '../../kernel/screens/page.ts'

/** A register as its manifest describes it. */
export interface Register {
  register: string
  /** Text key. */
  title: string
  titleField: string
  codeField?: string
  statuses: string[]
  search: string[]
  filters: string[]
  columns: string[]
  mayCreate: boolean
  mayImport: boolean
  /** Its entries are people who are cleared once nothing is left to give back or settle. */
  clears?: boolean
  /** The fields that name the person an entry is about. */
  ownBy?: string[]
  /** Of the entries of others the reader sees those entrusted to them. */
  entrustedOnly?: boolean
  /** The reader adds and changes the entries about themselves, and no others. */
  writesOwn: boolean
  /** Flows that can be opened for everybody who matches an item. */
  batches: string[]
  /** Flows that the reader may open for each of many entries. */
  entryFlows: { flow: string; title: string }[]
  /** Flows that the reader may start for many entries at once, and the fields of their forms that the entries fill in. */
  gatherFlows: { flow: string; title: string; fills: string[] }[]
  /** Statuses that people may set. */
  settable: string[]
  /** Those of them that they may set for many entries at once. */
  inBulk: Record<string, string[]>
  /** Lists of entries that refer to an entry of this register. */
  related: {
    register: string
    field: string
    title: string
    columns?: string[]
    picture?: string
    states?: boolean
    wanted?: boolean
  }[]
  /** Reports on one entry, each with the filter field that takes it. */
  reports: { report: string; field: string; title: string }[]
  /** Statuses after which an entry never changes again. */
  final: string[]
  /** Statuses that only cases end. */
  held: string[]
  /** Text key of what is said once an entry is saved. */
  saved?: string
  /** A new entry can be made from an entry: the field that counts versions, those that are entered again, the page that compares. */
  versions?: { next: string; clears: string[]; compare?: string }
  /** The product creates its entries; people only change their status, and the fields of `corrected`. */
  fixed: boolean
  corrected?: string[]
  /** Entries end: the field with the last day, and from how many days before they end soon. */
  expires?: { until: string; soon: number }
  /** Each entry has a paper. */
  prints: boolean
  /** Chosen entries are printed together, on sheets. */
  sheets: boolean
  item: FormSchema
}

/** Whether the reader may add an entry: any, or one of their own. */
export const mayAdd = ({ mayCreate, writesOwn }: Register) => mayCreate || writesOwn

export interface Item {
  id: string
  version: number
  status: string
  title: string
  /** The title of the entry that it belongs to. */
  owner?: string
  /** It ends soon, or has ended, and no later one replaces it. */
  ends?: boolean
  data: FormValue
  changedAt: string
}

export interface OwnItem extends Item {
  titles: Record<string, string>
  mayChange: boolean
  /** Fields that alone the reader may change; null: all. */
  corrects: string[] | null
  /** The newest case whose status the entry has, if the reader may see it. */
  ledBy: { id: string; reference: string; title: string } | null
  /** The entries to which it leads; titles are text keys. */
  tells: { title: string; entries: { id: string; register: string; title: string; sees: boolean }[] }[]
  /** The selections of the register that the entry is among. */
  selections: string[]
  /** Of an entry with encrypted fields: until when the reader has opened them. */
  sealed: {
    openUntil: string | null
    mayOpen: boolean
    lost: boolean
    restricted: boolean
    reasons: { const: string; title: string }[]
  } | null
}

/** The register of a page: from its screen, or from the address. */
export const registerOf = ({ params, parameters }: Pick<PageProps, 'params' | 'parameters'>): string =>
  typeof parameters['register'] === 'string' ? parameters['register'] : `${params['area']}/${params['name']}`

/** Whether a page shows only the entries about its reader. */
export const isMine = ({ mine }: PageProps['parameters']): boolean => mine === true

/** A register without the field that names the reader in all of its entries. */
export function withoutReader(register: Register): Register {
  const { ownBy, item, columns, filters } = register
  if (ownBy === undefined) return register
  const names = ownBy.map((pointer) => pointer.slice(1))
  const others = (all: readonly string[] | undefined) => (all ?? []).filter((one) => !names.includes(one))
  const properties = Object.fromEntries(Object.entries(item.properties ?? {}).filter(([name]) => !names.includes(name)))
  return {
    ...register,
    columns: columns.filter((pointer) => !ownBy.includes(pointer)),
    filters: filters.filter((pointer) => !ownBy.includes(pointer)),
    item: { ...item, properties, required: others(item.required), 'x-order': others(item['x-order']) },
  }
}

/** The name of the field in which all entries of a page name the entry of the address, if there is one. */
export const fieldWithin = ({ within }: PageProps['parameters']): string | undefined =>
  typeof within === 'string' ? within.slice(1) : undefined

/** The entry that all shown entries name in a field. */
export interface Within {
  field: string
  id: string
  title: string
}

const itemsOf = (register: string, id?: string) =>
  `/api/registers/${register}/items${id === undefined ? '' : `/${encodeURIComponent(id)}`}`

/** The registers that the reader may see. */
export const useRegisters = () => useRead<{ items: Register[] }>('/api/registers')
export const useRegister = (register: string) => useRead<Register>(`/api/registers/${register}`)
export const useItem = (register: string, id: string | undefined) =>
  useRead<OwnItem>(id === undefined ? null : itemsOf(register, id))

/** One entry without its sensitive fields, whose reading would be recorded. */
export const usePlainItem = (register: string, id: string | undefined) =>
  useRead<OwnItem>(id === undefined ? null : `${itemsOf(register, id)}?sensitive=false`)

/** Reads one entry. */
export const readItem = (register: string, id: string) => request<OwnItem>('GET', itemsOf(register, id))

/** The first entry about the reader; nothing is asked without a register. */
export const useOwnItems = (register: string | undefined) =>
  useRead<Page<Item>>(register === undefined ? null : withQuery(itemsOf(register), { mine: true, limit: 1 }))

/** The entries of a register; filters use field names. */
export const useItems = (
  register: string,
  query: {
    search?: string
    status?: string
    filters: Record<string, string>
    casesOf?: string
    caseStatus?: string
    mine?: boolean
    entrusted?: boolean
    ending?: boolean
    lacks?: string
  },
) =>
  usePages<Item>(
    withQuery(itemsOf(register), {
      search: query.search,
      status: query.status,
      casesOf: query.casesOf,
      caseStatus: query.caseStatus,
      mine: query.mine || undefined,
      entrusted: query.entrusted || undefined,
      ending: query.ending || undefined,
      lacks: query.lacks,
      ...asFilters(query.filters),
      limit: 50,
    }),
  )

export const createItem = (register: string, data: FormValue) =>
  request<OwnItem>('POST', itemsOf(register), { body: { data } })

/** Fails if the entry has changed since it was read. */
export const changeItem = (register: string, { id, version }: Item, data: FormValue) =>
  request<OwnItem>('PUT', itemsOf(register, id), { body: { data }, headers: { 'if-match': `"${version}"` } })

export const setItemStatus = (register: string, { id, version }: Item, status: string) =>
  request<OwnItem>('POST', `${itemsOf(register, id)}/status`, {
    body: { status },
    headers: { 'if-match': `"${version}"` },
  })

/** Opens the encrypted fields about a person with what they show, or with a reason. */
export const openRecord = (register: string, id: string, body: { shown: string } | { reason: string }) =>
  request('POST', `${itemsOf(register, id)}/openings`, { body })

/** The entries of a CSV file, its errors, and how many entries it created. */
export type Imported = ImportItems['answer']

/** Checks a file, adds all its rows if there is no error, or adds those without errors. */
export type ImportStep = 'check' | 'add' | 'leave-out'

export const importItems = (
  register: string,
  file: { csv: string; fill: Record<string, string>; progress: string },
  step: ImportStep,
) =>
  request<Imported>('POST', `/api/registers/${register}/imports`, {
    body: { ...file, commit: step !== 'check', leaveOut: step === 'leave-out' },
  })

/** Polling interval of an import that runs, in milliseconds. */
const IMPORT_PACE_MS = 300

/** How far the import with this id is; nothing is asked without one. */
export const useImportProgress = (register: string, id: string | undefined) =>
  useSWR<GetImportProgress['answer'], Problem>(
    id === undefined ? null : `/api/registers/${register}/imports/${id}`,
    (path: string) => request('GET', path),
    { refreshInterval: IMPORT_PACE_MS, dedupingInterval: 0 },
  ).data?.progress

/** The statuses that the reader may give an entry by hand. */
export const settableOf = ({ settable, held }: Pick<Register, 'settable' | 'held'>, { status }: Pick<Item, 'status'>) =>
  held.includes(status) ? [] : settable.filter((each) => each !== status)

/** Whether forms may offer entries in this status: only the register's first status. */
export const isInUse = ({ statuses }: Pick<Register, 'statuses'>, status: string): boolean => status === statuses[0]

/** The label of the button that adds an entry: `New special day`. */
export function newOne({ item, title }: Pick<Register, 'item' | 'title'>, t: Translate): string {
  const name = t(item.title ?? title)
  return t('platform.register-page.new', { name: name.charAt(0).toLowerCase() + name.slice(1) })
}

/** Text key of what follows when an entry changes to a status; a register may have words of its own. */
export function settingDetail(
  { title, statuses, final }: Pick<Register, 'title' | 'statuses' | 'final'>,
  status: string,
): string {
  const own = `${title}.set.${status.toLowerCase().replaceAll(' ', '-')}`
  if (hasText(own)) return own
  if (final.includes(status)) return 'platform.register-page.final-detail'
  return isInUse({ statuses }, status)
    ? 'platform.register-page.active-detail'
    : 'platform.register-page.inactive-detail'
}

/** The data of an entry as the start of its next version. */
export function nextVersionOf({ versions }: Register, { data }: Pick<Item, 'data'>): FormValue {
  if (!versions) return {}
  const next = versions.next.slice(1)
  const cleared = versions.clears.map((pointer) => pointer.slice(1))
  const kept = Object.entries(data).filter(([name]) => !cleared.includes(name))
  return { ...Object.fromEntries(kept), [next]: Number(data[next] ?? 0) + 1 }
}
