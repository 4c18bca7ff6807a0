import type {
  GetCase,
  GetCaseHistory,
  GetCaseOffer,
  GetCasePath,
  GetEarlierCases,
  GetFlow,
  GetFlowOpening,
  GetMe,
  BeginStartForm,
  GetPublicFlow,
  GetTask,
  GetTaskBeside,
  ListCases,
  ListCaseVariables,
  ListFlows,
  ListItems,
  ListMails,
  ListTasks,
  Problem,
} from './operations.generated.ts'

/** A page of a list by keyset, with the total count (exact to 99). */
export interface Page<T> {
  items: T[]
  next: string | null
  count?: Count
  /** Titles of referenced entries by id, if the list returns them. */
  titles?: Record<string, string>
  /** The state of each person's case in a flow, by id, if the list was asked for it. */
  cases?: ListItems['answer']['cases']
  /** There were too many rows to examine: the page covers a part of them. */
  narrow?: boolean
}

export type Count = ListTasks['answer']['count']
export type FieldError = Problem['errors'][number]
export type Me = GetMe['answer']

/** What a flow offers the reader before they start it. */
export type FlowOpening = GetFlowOpening['answer']
/** What people without an account may apply for. */
export type PublicFlow = GetPublicFlow['answer']
export type BegunForm = BeginStartForm['answer']
export type FlowRow = ListFlows['answer']['items'][number]
export type Mail = ListMails['answer']['items'][number]
export type TaskRow = ListTasks['answer']['items'][number]
export type CaseRow = ListCases['answer']['items'][number]
export type Case = GetCase['answer']
export type FileName = Pick<Case['files'][number], 'id' | 'name' | 'contentType' | 'size'>
export type HistoryEntry = GetCaseHistory['answer']['items'][number]
export type CaseOffer = GetCaseOffer['answer']
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
  default?: unknown
  maxItems?: number
  maxLength?: number
  pattern?: string
  oneOf?: FormSchema[]
  allOf?: FormSchema[]
  if?: FormSchema
  then?: FormSchema
  else?: FormSchema
  'x-register'?: string
  /** The entry's field `by` holds what the sibling `field` of the form holds. */
  'x-within'?: { field: string; by: string }
  /** The selection of the register that the choice is among. */
  'x-selection'?: string
  /** The statuses in which an entry may be chosen, instead of the one in use. */
  'x-statuses'?: readonly string[]
  /** The reader's own record, copied when the form is sent. */
  'x-record'?: string
  /** While this is true, each of these siblings holds what another one holds. */
  'x-same'?: Record<string, string>
  /** An identity card's number: the fields with the date of birth and the sex that it says, and the words for both. */
  'x-nic'?: { birth: string; sex: string; male: string; female: string }
  /** An age: the sibling field with the date of birth. */
  'x-age-of'?: string
  /** People can move the rows. */
  'x-ordered'?: boolean
  /** The value names an entry in a list of the register entry that the field `item` holds. */
  'x-entry-of'?: { item: string; list: string; id: string; title: string }
  /** The register entry that a desk is responsible for, by its field in the case, and which of its fields are shown. */
  'x-shows'?: { item: string; fields: string[] }
  /** Fields of the chosen register entry that are shown below the choice. */
  'x-tells'?: string[]
  'x-unit'?: string
  /** A code: it can be read with the camera. */
  'x-scan'?: boolean
  /** The value names a desk that decided before, or the requester. */
  'x-desk'?: string
  /** The pointer into the case from which a field of a task's form is filled. */
  'x-prefill'?: string
  /** The fields of the same row whose product this value is. */
  'x-product'?: string[]
  /** Asked, and required, only while the register entry that a sibling names has a value in a field. */
  'x-asked'?: { entry: string; has: string; is?: string; rows?: boolean }
  'x-sum'?: string
  'x-plus'?: { of: string; months?: number; number?: number }
  'x-maps'?: { of: string; to: Record<string, string> }
  'x-words'?: string
  /** The column whose sum a table shows. */
  'x-total'?: string
  /** An amount of the case, shown beside a table's sum. */
  'x-against'?: { amount: string; title: string }
  /** Of a table: the sum of `of` over the rows that hold `when`, and over those of the sibling `with`. */
  'x-counts'?: { of: string; when: Record<string, unknown>; with?: string; text: string }
  /** Of a desk's form: the server says something beside its fields while it is filled in. */
  'x-beside'?: boolean
  /** The form shows the value but does not let people change it. */
  readOnly?: boolean
  'x-widget'?: string
  /** An id that the register generates; it is neither typed nor shown. */
  'x-made'?: boolean
  /** A check of this field that only the server can make, by name; it runs on blur. */
  'x-check'?: string
  /** The `autocomplete` value for the browser, as in HTML. */
  'x-autocomplete'?: string
  'x-order'?: string[]
  /** The fields of a long form in groups; titles are text keys. */
  'x-groups'?: { title: string; fields: string[] }[]
  'x-sensitive'?: boolean
  /** The media types and the size, in bytes, of a file. */
  'x-accept'?: string[]
  'x-max-size'?: number
  /** Of a list of files, or of rows that hold one: their size together, in bytes. */
  'x-max-total'?: number
  /** The shape into which a picture is cut before it is sent, and the most pixels. */
  'x-crop'?: { width: number; height: number }
  /** A signature, which can be drawn on the screen. */
  'x-drawn'?: boolean
  /** The label of the button that adds a row, as a text key. */
  'x-add'?: string
  /** Text keys of messages, by keyword. */
  'x-messages'?: Record<string, string>
  [hint: string]: unknown
}

/** A form frozen under its hash; the OpenAPI document types its schema only as an object. */
export interface FormRef {
  key: string
  hash: string
  schema: FormSchema
}

/** The parts of a flow's manifest that pages use. */
interface Manifest {
  startPage?: string
  columns?: string[]
  facts?: string[]
  factUnits?: Record<string, string>
  statusLists?: Record<string, string>
  /** Fields that must not change once a case has started, because they decide who the case belongs to; as pointers. */
  scope?: Record<string, string | string[]>
  once?: { per?: string }
  /** At most one case with the same values: it needs a confirmed address, unless it comes with a new account. */
  sole?: object
  account?: object
  open?: { from: string; finish?: true }
  /** The register in which the requester must have an entry. */
  requester?: { register: string }
  /** Shows earlier cases about the same entry beside a case. */
  earlier?: { by: string; page?: string }
  /** The case pays many people; its scheme and month must not change either. */
  run?: { scheme: string; month: string }
}

export type Flow = Omit<GetFlow['answer'], 'manifest' | 'form'> & { manifest: Manifest; form: FormRef }
/** What the server says beside the fields of a task's form while it is filled in. */
export type Beside = GetTaskBeside['answer']
export type Task = Omit<GetTask['answer'], 'form'> & { form: FormRef | null }
