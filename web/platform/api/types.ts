/** What the API answers, as the pages read it. */
export interface Text {
  key: string
  text: string
}

export interface PersonName {
  id: string
  name: string
  post?: string | null
}

export interface Count {
  value: number
  more: boolean
}

export interface Page<T> {
  items: T[]
  next: string | null
  count?: Count
  titles?: Record<string, string>
}

export interface Me {
  id: string
  username: string
  name: string
  email: string
  post: string | null
  seesAll: boolean
  grants: { role: string; scope: { kind: string; id: string; name: string } | null }[]
  groups: string[]
}

export interface TaskRow {
  id: string
  caseId: string
  reference: string
  flow: string
  flowTitle: string
  desk: string
  name: string
  title: string
  subject: Record<string, unknown>
  requester: PersonName
  state: 'open' | 'held' | 'accepted' | 'done' | 'void'
  assignee: PersonName | null
  createdAt: string
  dueAt: string | null
  priority: number
  status: Text
  version: number
}

export interface FormRef {
  key: string
  hash: string
  schema: FormSchema
}

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
  'x-unit'?: string
  'x-widget'?: string
  'x-order'?: string[]
  'x-sensitive'?: boolean
  [hint: string]: unknown
}

export interface Waiting {
  taskId: string
  desk: string
  name: string
  principals: string[]
  assignee: PersonName | null
  since: string
  dueAt: string | null
}

export interface Submission {
  id: string
  formKey: string
  formHash: string
  data: Record<string, unknown>
  by: PersonName
  at: string
  effect: 'pending' | 'done' | 'void'
  voidReason: string | null
  taskId: string | null
  desk: string | null
  outcome: string | null
}

export interface FileName {
  id: string
  name: string
  contentType: string
  size: number
}

export interface CaseRow {
  id: string
  reference: string
  flow: string
  flowTitle: string
  title: string
  subject: Record<string, unknown>
  status: Text
  statuses: Record<string, Text>
  state: 'starting' | 'running' | 'ended' | 'failed'
  requester: PersonName
  createdAt: string
  endedAt: string | null
  endReason: string | null
  waitsWith?: Waiting[]
}

export interface Case extends CaseRow {
  waitsWith: Waiting[]
  scope: Record<string, unknown>
  withdrawable: boolean
  submissions: Submission[]
  facts: Record<string, unknown>
  files: FileName[]
  version: number
}

export interface HistoryEntry {
  at: string
  kind:
    | 'submitted'
    | 'task-created'
    | 'claimed'
    | 'decided'
    | 'status'
    | 'mail'
    | 'worker'
    | 'incident'
    | 'withdrawn'
    | 'ended'
  text: string
  actor?: string
  element?: string | null
  reason?: string | null
}

export interface CasePath {
  definitionId: string
  visited: { element: string; startedAt: string; endedAt: string | null; canceled: boolean }[]
  present: string[]
}

export interface Variable {
  name: string
  type: string
  value: string | number | boolean | null
}

export interface Task {
  task: TaskRow
  case: Case
  form: FormRef | null
  question: string | null
  /** Code of the reason why this person may not decide here, though they see the task. */
  blockedBy: string | null
}

export interface Flow {
  flow: string
  title: string
  description?: string
  manifest: {
    columns?: string[]
    facts?: string[]
    statusLists?: Record<string, string>
    subject?: Record<string, string>
  } & Record<string, unknown>
  form: FormRef
}

export interface FlowRow {
  flow: string
  title: string
  description?: string
}

export interface Mail {
  id: string
  to: string
  subject: string
  body: string
  caseId: string | null
  createdAt: string
  sentAt: string | null
  state: 'pending' | 'sent' | 'failed'
}

/** What is wrong with one field: pointer into what was sent, code of the message, and the message itself. */
export interface FieldError {
  field: string
  code: string
  message: string
}
