import type {
  GetCase,
  GetCaseHistory,
  GetCasePath,
  GetEarlierCases,
  GetFlow,
  GetFlowOpening,
  GetMe,
  GetTask,
  ListCases,
  ListCaseVariables,
  ListFlows,
  ListItems,
  ListMails,
  ListTasks,
  Problem,
} from './operations.generated.ts'

/** A list of the API: by keyset, with how many there are (exact to 99). */
export interface Page<T> {
  items: T[]
  next: string | null
  count?: Count
  /** Of what the items refer to, by id, where the list gives them. */
  titles?: Record<string, string>
  /** How the people that the items are about stand in a flow, by id, where the list was asked for that. */
  cases?: ListItems['answer']['cases']
  /** More would have had to be examined than is: the page is of those examined. */
  narrow?: boolean
}

export type Count = ListTasks['answer']['count']
export type FieldError = Problem['errors'][number]
export type Me = GetMe['answer']

/** What a flow has for the reader before they ask for anything. */
export type FlowOpening = GetFlowOpening['answer']
export type FlowRow = ListFlows['answer']['items'][number]
export type Mail = ListMails['answer']['items'][number]
export type TaskRow = ListTasks['answer']['items'][number]
export type CaseRow = ListCases['answer']['items'][number]
export type Case = GetCase['answer']
export type FileName = Pick<Case['files'][number], 'id' | 'name' | 'contentType' | 'size'>
export type HistoryEntry = GetCaseHistory['answer']['items'][number]
export type EarlierCase = GetEarlierCases['answer']['items'][number]
export type CasePath = GetCasePath['answer']
export type Variable = ListCaseVariables['answer']['items'][number]

/** JSON Schema (2020-12) with the display hints of our forms. */
export interface FormSchema {
  title?: string
  description?: string
  type?: string | string[]
  format?: string
  properties?: Record<string, FormSchema>
  required?: string[]
  items?: FormSchema
  enum?: unknown[]
  const?: unknown
  oneOf?: FormSchema[]
  allOf?: FormSchema[]
  if?: FormSchema
  then?: FormSchema
  else?: FormSchema
  'x-register'?: string
  /** The value names an entry of a list that the register item in the field `item` holds. */
  'x-entry-of'?: { item: string; list: string; id: string; title: string }
  /** The item of a register that the desk of this form answers for, by its field in the case, and what of it is shown. */
  'x-shows'?: { item: string; fields: string[] }
  'x-unit'?: string
  /** The value names a desk that has decided before, or the requester. */
  'x-desk'?: string
  /** Where in the case a field of a task's form finds what it holds at first. */
  'x-prefill'?: string
  /** The fields of the same row whose product this value is. */
  'x-product'?: string[]
  'x-sum'?: string
  'x-words'?: string
  /** The field of a table's rows of which the sum is shown. */
  'x-total'?: string
  /** An amount of the case that a table's sum is shown beside. */
  'x-against'?: { amount: string; title: string }
  /** Set where a form shows a value that cannot be changed there. */
  readOnly?: boolean
  'x-widget'?: string
  /** An id that the register gives; it is neither typed nor shown. */
  'x-made'?: boolean
  /** A check that only the server can make of this one field, by its name; made when the field is left. */
  'x-check'?: string
  /** What the browser may fill in by itself, as HTML calls it. */
  'x-autocomplete'?: string
  'x-order'?: string[]
  /** The fields of a long form under headings, which are text keys. */
  'x-groups'?: { title: string; fields: string[] }[]
  'x-sensitive'?: boolean
  [hint: string]: unknown
}

/** A form as it stood when it was frozen under its hash; the document tells only that its schema is an object. */
export interface FormRef {
  key: string
  hash: string
  schema: FormSchema
}

/** What the pages read of a flow's manifest. */
interface Manifest {
  startPage?: string
  columns?: string[]
  facts?: string[]
  statusLists?: Record<string, string>
  /** What cannot be changed once a case has begun, for it decides whom the case belongs to; by pointers. */
  scope?: Record<string, string | string[]>
  once?: { per?: string }
  /** The register in which whoever asks has an entry. */
  requester?: { register: string }
  /** Beside a case stand those before it that concern the same item. */
  earlier?: { by: string; page?: string }
  /** The case pays many people; what it pays them for cannot be changed either. */
  run?: { scheme: string; month: string }
}

export type Flow = Omit<GetFlow['answer'], 'manifest' | 'form'> & { manifest: Manifest; form: FormRef }
export type Task = Omit<GetTask['answer'], 'form'> & { form: FormRef | null }
