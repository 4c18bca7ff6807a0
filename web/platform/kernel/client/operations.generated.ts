// Made by `npm run generate` out of the routes of the API. Not to be edited.

export interface Account {
  id: string
  username: string
}

export interface AuditCase {
  id: string
  reference: string
  flow: AuditWord
  title: string
  status: Named
  requester: NamedPerson
  createdAt: string
  endedAt: string | null
  end: string | null
}

export interface AuditCaseThen {
  id: string
  reference: string
  flow: AuditWord
  title: string
  requester: AuditDoer
  at: string
  createdAt: string
  endedAt: string | null
  end: string | null
  state: 'running' | 'ended'
  statuses: {
    list: string
    status: Named
  }[]
  data: AuditField[]
  tasks: {
    id: string
    desk: string
    name: string
    state: 'open' | 'held' | 'decided' | 'gone'
    roles: string[]
    since: string
    dueAt: string | null
    holder: string | null
    decidedBy: string | null
    decidedAt: string | null
    outcome: string | null
  }[]
  path: {
    definitionId: string
    visited: {
      element: string
      startedAt: string
      endedAt: string | null
      canceled: boolean
    }[]
    present: string[]
  }
  elements: {
    element: string
    name: string
    passes: number
    milliseconds: number
  }[]
  submissions: {
    id: string
    at: string
    form: string
    title: string
    by: AuditDoer
    authority: string | null
    for: string | null
    void: string | null
    fields: AuditField[]
    changes:
      | {
          field: string
          label: string
          before: string | null
          after: string | null
        }[]
      | null
  }[]
  decisions:
    | {
        at: string
        element: string | null
        name: string
        rows: {
          inputs: VariableValue[]
          outputs: VariableValue[]
          rule: string | null
        }[]
      }[]
    | null
  versions: {
    model: {
      definitionId: string
      version: number
      deployedAt: string
      hash: string
    }
    forms: {
      key: string
      title: string
      hash: string
    }[]
  }
  mails: {
    at: string
    recipient: string
    subject: string
    sentAt: string | null
  }[]
  documents: {
    number: string
    kind: string
    issuedAt: string
    ended: boolean
  }[]
  readers: {
    at: string
    by: AuditDoer
    authority: string | null
    fields: string[]
  }[]
  /**
   * What of the case as it is now is not what was sealed, or was never sealed
   */
  unlike: {
    part: 'case' | 'steps' | 'sent' | 'tasks' | 'times' | 'names' | 'documents' | 'versions' | 'mails' | 'decisions'
    id: string | null
    how: 'differs' | 'missing' | 'unsealed' | 'erased'
    sealed: string | null
    text: string
  }[]
}

export interface AuditDoer {
  id: string | null
  name: string
  /**
   * An entry of a register answers for the name, or it is the product
   */
  registered: boolean
  post: string | null
}

export interface AuditEntry {
  id: string
  at: string
  sequence: string | null
  action: string
  /**
   * The act in one sentence
   */
  text: string
  by: AuditDoer
  authority: string | null
  for: string | null
  reason: string | null
  caseId: string | null
  reference: string | null
  flow: AuditWord | null
  desk: AuditWord | null
  /**
   * Its details were erased by an act
   */
  erased: boolean
  /**
   * Its details are gone, and no act erased them
   */
  missing: boolean
}

export interface AuditField {
  /**
   * JSON pointer
   */
  field: string
  label: string
  value: string
  sensitive: boolean
}

export interface AuditSearch {
  id: string
  name: string
  query: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     */
    [k: string]: string
  }
  version: number
}

export interface AuditStep {
  at: string
  kind: string
  text: string
  by: AuditDoer | null
  authority: string | null
  for: string | null
  reason: string | null
  element: string | null
}

export interface AuditWord {
  key: string
  text: string
}

export interface Batch {
  /**
   * Text key of the flow
   */
  title: string
  /**
   * How many stand how
   */
  counts: {
    'to-open': number
    'out-of-use': number
    'no-account': number
    asked: number
    'under-way': number
    done: number
    ended: number
  }
  mayOpen: boolean
  latest: {
    id: string
    state: 'running' | 'stopped' | 'done'
    total: number
    done: number
    refused: number
    by: string
    createdAt: string
    endedAt: string | null
  } | null
}

export interface BatchMemberPage {
  total: number
  /**
   * The first hundred; the file has all
   */
  members: {
    id: string
    title: string
    code: string | null
    standing: 'to-open' | 'out-of-use' | 'no-account' | 'asked' | 'under-way' | 'done' | 'ended'
    status: string | null
    case: {
      id: string
      reference: string
    } | null
    message: string | null
  }[]
}

export interface BulkAction {
  id: string
  kind: 'complete' | 'claim' | 'release' | 'assign'
  outcome: string | null
  state: 'running' | 'stopped' | 'done'
  createdAt: string
  endedAt: string | null
  undoUntil: string | null
  total: number
  done: number
  refused: number
  stopped: number
}

export interface BulkActionWithItems {
  id: string
  kind: 'complete' | 'claim' | 'release' | 'assign'
  outcome: string | null
  state: 'running' | 'stopped' | 'done'
  createdAt: string
  endedAt: string | null
  undoUntil: string | null
  total: number
  done: number
  refused: number
  stopped: number
  items: {
    task: string
    reference: string
    title: string
    state: 'waiting' | 'done' | 'refused' | 'stopped'
    message: string | null
  }[]
}

export interface BulkRequest {
  kind: 'complete' | 'claim' | 'release' | 'assign'
  /**
   * @minItems 1
   * @maxItems 500
   */
  tasks: [string, ...string[]]
  /**
   * What is decided; beside `data`
   */
  outcome?: string
  data?: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     */
    [k: string]: unknown
  }
  /**
   * Whom they are given to
   */
  to?: string
  /**
   * Until then each decision can be taken back singly
   */
  notBefore?: string
}

export interface CalendarFeedItem {
  id: string
  title: string
}

export interface Case {
  id: string
  reference: string
  flow: string
  flowTitle: string
  /**
   * One line by which people recognise the case
   */
  title: string
  subject: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     */
    [k: string]: unknown
  }
  status: Named
  statuses: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     */
    [k: string]: Named
  }
  state: 'starting' | 'running' | 'ended' | 'failed'
  requester: NamedPerson
  scope: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     */
    [k: string]: string
  }
  facts: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     */
    [k: string]: unknown
  }
  createdAt: string
  endedAt: string | null
  endReason: string | null
  waitsWith: WaitingTask[]
  version: number
  processDefinitionId: string
  /**
   * What the case says now: the start form with all that was changed since
   */
  data: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     */
    [k: string]: unknown
  }
  sentBy: Who | null
  withdrawable: boolean
  /**
   * What the person who asks may ask for now
   */
  acts: CaseAct[]
  /**
   * To the requester, oldest first
   */
  questions: CaseQuestion[]
  submissions: Submission[]
  files: {
    id: string
    name: string
    contentType: string
    size: number
    path: string
    submissionId: string | null
  }[]
  /**
   * What was issued under a number
   */
  documents: {
    id: string
    kind: string
    number: string
    issuedAt: string
    /**
     * Since when it holds no longer
     */
    endedAt: string | null
  }[]
}

export interface CaseAct {
  name: string
  title: string
  confirm: string | null
  form: string
  formHash: string
}

export interface CaseQuestion {
  id: string
  /**
   * Name of the desk that asked
   */
  task: string
  question: string
  askedBy: Who
  askedAt: string
  answer: string | null
  answeredAt: string | null
  /**
   * Waits for an answer
   */
  open: boolean
}

export interface CaseSummary {
  id: string
  reference: string
  flow: string
  flowTitle: string
  /**
   * One line by which people recognise the case
   */
  title: string
  subject: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     */
    [k: string]: unknown
  }
  status: Named
  statuses: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     */
    [k: string]: Named
  }
  state: 'starting' | 'running' | 'ended' | 'failed'
  requester: NamedPerson
  scope: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     */
    [k: string]: string
  }
  facts: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     */
    [k: string]: unknown
  }
  createdAt: string
  endedAt: string | null
  endReason: string | null
  waitsWith: WaitingTask[]
  version: number
}

export interface Comment {
  id: string
  author: Who
  /**
   * A note is read by its author alone; an opinion came with a task that was given back
   */
  kind: 'comment' | 'note' | 'opinion'
  body: string
  at: string
  mentions: Who[]
  files: UploadedFile[]
  mine: boolean
  task: string | null
}

export interface CountUpTo {
  value: number
  more: boolean
}

export interface Decided {
  deployed: Deployment | null
}

export interface DecisionTable {
  /**
   * `<area>/<file>.dmn`
   */
  key: string
  /**
   * DMN 1.3
   */
  content: string
}

export interface Deployment {
  definitionId: string
  version: number
}

export interface DeskForm {
  id: string
  name: string
  form: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     */
    [k: string]: unknown
  }
}

export interface EntryCase {
  id: string
  reference: string
  status: Named
  state: string
  endReason: string | null
}

export interface Erasure {
  id: string
  person: Who
  reason: string
  askedBy: string
  askedAt: string
  state: 'asked' | 'done' | 'refused'
  decidedBy: string | null
  decidedAt: string | null
  refusal: string | null
  erased: number | null
}

export interface FormKey {
  key: string
  hash: string
  schema: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     */
    [k: string]: unknown
  }
}

export interface Grant {
  id: string
  role: string
  scope: NamedScope | null
  startsAt: string
  endsAt: string | null
  origin: 'seed' | 'person' | 'import' | 'post' | 'token'
  grantedBy: Who | null
  reason: string | null
  state: 'current' | 'future' | 'ended'
  endReason: string | null
  mayEnd: boolean
  endRefusal: string | null
}

export interface GrantEffect {
  pages: {
    gained: {
      route: string
      title: string
    }[]
    lost: {
      route: string
      title: string
    }[]
  }
  groups: {
    gained: string[]
    lost: string[]
  }
  tasks: {
    gained: CountUpTo
    lost: CountUpTo
    /**
     * Tasks taken by somebody that would be free again
     */
    released: {
      value: number
      more: boolean
    }
  }
  warnings: Warnings
}

export interface Group {
  name: string
  /**
   * ADMIN and SA hold every group and are not listed
   */
  roles: string[]
  version: number
  holders: CountUpTo
  screens: {
    route: string
    title: string
    built: boolean
  }[]
  changedAt: string
  changedBy: Who | null
}

export interface Hold {
  id: string
  item: string
  from: string
  until: string
  expiresAt: string
}

export interface ImportResult {
  rows: number
  columns: string[]
  errors: {
    /**
     * Line of the file in which the row begins; the header is line 1
     */
    line: number
    /**
     * Name of the field; empty for the whole line or file
     */
    column: string
    code: string
    message: string
    value: string
  }[]
  /**
   * All there are; `errors` holds the first of them
   */
  errorCount: number
  /**
   * The first rows as they are understood
   */
  preview: {
    line: number
    cells: {
      /**
       * This interface was referenced by `undefined`'s JSON-Schema definition
       * via the `patternProperty` "^.*$".
       */
      [k: string]: string
    }
  }[]
  /**
   * All rows or none
   */
  added: number
}

export interface InboxChoice {
  startView: string | null
  density: 'comfortable' | 'compact'
  grouping: 'none' | 'flow' | 'desk' | 'due' | 'requester'
  columns: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     */
    [k: string]: string[]
  }
}

export interface InboxView {
  id: string
  name: string
  /**
   * As the address bar has it
   */
  query: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^[A-Za-z0-9._/-]{1,120}$".
     */
    [k: string]: string
  }
  sharedWith: string | null
  own: boolean
  version: number
}

export interface LastRun {
  runId: string
  at: string
  passed: boolean
  ofDraft: boolean
  /**
   * The model, or the scenario, has changed since
   */
  outdated: boolean
  reasons: {
    element: string | null
    reason: string
    step?: number
  }[]
}

export interface Mail {
  id: string
  caseId: string | null
  to: string
  template: string
  subject: string
  body: string
  attachments: {
    name: string
    type: string
    content: string
  }[]
  state: 'pending' | 'sent' | 'failed'
  createdAt: string
  sentAt: string | null
}

export interface MailDecision {
  state: 'open'
  task: string
  reader: {
    name: string
  }
  for: {
    name: string
  } | null
  reference: string
  flow: string
  flowTitle: string
  title: string
  question: string | null
  requester: {
    name: string
    /**
     * An entry of a register answers for the name
     */
    registered: boolean
  }
  status: Named
  createdAt: string
  dueAt: string | null
  subject: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     */
    [k: string]: unknown
  }
  facts: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     */
    [k: string]: unknown
  }
  /**
   * Which of the facts are shown
   */
  shownFacts: string[]
  data: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     */
    [k: string]: unknown
  }
  /**
   * The form that `data` is by
   */
  startForm: {
    key: string
    hash: string
  }
  decisions: {
    task: string
    outcome: Named
    reason: string | null
    by: {
      name: string
    }
    at: string
  }[]
  form: {
    key: string
    hash: string
    schema: {
      /**
       * This interface was referenced by `undefined`'s JSON-Schema definition
       * via the `patternProperty` "^.*$".
       */
      [k: string]: unknown
    }
  }
  earlierDesks: {
    id: string
    name: string
    by: {
      name: string
    }
  }[]
}

export interface MigrationInstruction {
  source: string
  target: string
}

export interface ModelDraft {
  revision: number
  bpmn: string
  dmn: DecisionTable[]
  savedAt: string
  savedBy: string
  base: Deployment
  /**
   * Another version was deployed since it was begun
   */
  behind: boolean
  lock: ModelLock | null
}

export interface ModelLock {
  by: string
  until: string
  mine: boolean
}

export interface ModelProblems {
  problems: {
    /**
     * Id of the element; of the process or `definitions` where it is the whole
     */
    element: string
    reason: string
    level: 'error' | 'warning'
    source: 'gate' | 'lint'
    /**
     * Name of the rule of the lint
     */
    rule?: string
    /**
     * Who must be named among its four eyes: `requester`, or the id of a desk
     */
    apartFrom?: string
  }[]
}

export interface ModelSettings {
  secondOwner: boolean
}

export interface ModelVersion {
  definitionId: string
  version: number
  deployedAt: string
  by: string | null
  note: string | null
  source: 'repository' | 'owner'
  approvedBy: string | null
  results: {
    runId: string
    passed: number
    total: number
  } | null
  /**
   * Cases that run on it
   */
  running: number
  /**
   * Cases that have ended on it
   */
  ended: number
}

export interface NameChange {
  id: string
  name: string
  askedAt: string
}

export interface Named {
  key: string
  text: string
  /**
   * It went well, waits for its requester, or came to nothing; absent: it is on its way
   */
  meaning?: 'done' | 'returned' | 'ended'
  /**
   * It stands in the record only: where the case is, it means nothing to people
   */
  untold?: true
}

export interface NamedElement {
  id: string
  name: string
}

export interface NamedPerson {
  id: string
  name: string
  /**
   * An entry of a register answers for the name
   */
  registered: boolean
}

export interface NamedScope {
  kind: string
  id: string
  name: string
}

export interface NotificationIcon {
  name: string
  color: string
}

export interface OwnRunLine {
  id: string
  scheme: string
  month: string
  /**
   * In cents
   */
  total: number
  state: 'included' | 'held' | 'struck' | 'left-out' | 'returned' | 'paid'
  reason: string | null
  signature: 'pending' | 'signed'
  code: string | null
}

export interface PageCount {
  value: number
  /**
   * There are more than `value`
   */
  more: boolean
}

export interface Passkey {
  id: string
  name: string
  createdAt: string
  lastUsedAt: string | null
}

export interface PasswordGiven {
  password: string
}

export interface Person {
  id: string
  username: string | null
  name: string
  email: string | null
  post: string | null
  active: boolean
  /**
   * An entry of a register answers for the name
   */
  registered: boolean
  kind: 'staff' | 'student' | 'temporary' | 'other'
  lastSeenAt: string | null
  grants: Grant[]
  version: number
  language: string | null
  emailConfirmed: boolean
  hasPassword: boolean
  secondFactor: boolean
  /**
   * How many go on
   */
  sessions: number
  record: {
    register: string
    id: string
    title: string
  } | null
  posts: {
    holderId: string
    post: CalendarFeedItem
    acting: boolean
    startsAt: string
    endsAt: string | null
  }[]
  nameChange: NameChange | null
  mayChange: boolean
  /**
   * May ask for their details to be erased from the audit
   */
  mayErase: boolean
  mayGrant: {
    role: string
    /**
     * At any unit; else at those named
     */
    anywhere: boolean
    /**
     * Whether the role is granted for a unit
     */
    scoped: 'always' | 'never' | 'either'
    scopes: {
      kind: string
      id: string
      name: string
      refusal: string | null
    }[]
  }[]
}

export interface PersonRow {
  id: string
  username: string | null
  name: string
  email: string | null
  post: string | null
  active: boolean
  /**
   * An entry of a register answers for the name
   */
  registered: boolean
  kind: 'staff' | 'student' | 'temporary' | 'other'
  lastSeenAt: string | null
  grants: {
    role: string
    scope: NamedScope | null
  }[]
}

export interface PostHolder {
  holderId: string
  account: Who
  startsAt: string
  endsAt: string | null
  acting: boolean
  reason: string
}

/**
 * RFC 9457
 */
export interface Problem {
  /**
   * `urn:prakriya:problem:<code>`
   */
  type: string
  /**
   * What went wrong, for people
   */
  title: string
  status: number
  detail?: string
  /**
   * Code of the error catalogue
   */
  code: string
  /**
   * What is wrong with which field; fields of a form as JSON pointers
   */
  errors: {
    field: string
    code: string
    message: string
  }[]
  /**
   * Names this request in the logs
   */
  reference?: string
  /**
   * Of the token endpoint: the code of RFC 6749, 5.2
   */
  error?: string
  /**
   * Of the token endpoint: the title for developers
   */
  error_description?: string
}

export interface ProcessDefinition {
  id: string
  flow: string
  processKey: string
  version: number
  deployedAt: string
}

export interface ProofChallenge {
  parameters: {
    algorithm: 'PBKDF2/SHA-256'
    nonce: string
    salt: string
    cost: number
    keyLength: number
    keyPrefix: string
    keySignature: string
    expiresAt: number
    data: {
      difficulty: number
    }
  }
  signature: string
}

export interface Proposal {
  id: string
  state: 'waiting' | 'accepted' | 'refused' | 'withdrawn'
  note: string
  proposedBy: string
  proposedAt: string
  /**
   * Proposed by the person who asks
   */
  mine: boolean
  base: Deployment
  restores: number | null
  results: string | null
  bpmn: string
  dmn: DecisionTable[]
}

export interface PublicKeyOptions {
  kty: string
  crv: string
  x: string
  kid: string
  use: string
  alg: string
}

export interface PublicRegisterItem {
  id: string
  register: string
  version: number
  status: string
  title: string
  data: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     */
    [k: string]: unknown
  }
  createdAt: string
  changedAt: string
  /**
   * Titles of the items referred to, by id
   */
  titles: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     */
    [k: string]: string
  }
}

export interface Readiness {
  ready: boolean
  database: boolean
  engine: boolean
  feed: {
    lagMilliseconds: number
    parked: number
  }
}

export interface RegisterDescription {
  register: string
  /**
   * Text key
   */
  title: string
  titleField: string
  codeField?: string
  statuses: string[]
  search: string[]
  filters: string[]
  columns: string[]
  mayCreate: boolean
  mayImport: boolean
  /**
   * Flows that can be opened for all whom an item is meant for
   */
  batches: string[]
  related: {
    register: string
    /**
     * The field of that register that names an item of this one
     */
    field: string
    /**
     * Text key
     */
    title: string
  }[]
  /**
   * Statuses after which an item is never changed again
   */
  final: string[]
  /**
   * Items are made by the product; people only change their status
   */
  fixed: boolean
  /**
   * Reports on an item, each with the field of its filter that takes it
   */
  reports: {
    report: string
    field: string
    /**
     * Text key
     */
    title: string
  }[]
  item: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     */
    [k: string]: unknown
  }
}

export interface RegisterItem {
  id: string
  register: string
  version: number
  status: string
  title: string
  data: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     */
    [k: string]: unknown
  }
  createdAt: string
  changedAt: string
}

export interface RegisterItemPage {
  items: RegisterItem[]
  next: string | null
  count: PageCount
  /**
   * Titles of the items referred to, by id
   */
  titles: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     */
    [k: string]: string
  }
}

export interface RegisterItemWithRights {
  id: string
  register: string
  version: number
  status: string
  title: string
  data: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     */
    [k: string]: unknown
  }
  createdAt: string
  changedAt: string
  /**
   * Titles of the items referred to, by id
   */
  titles: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     */
    [k: string]: string
  }
  mayChange: boolean
}

export interface Rehearsal {
  runId: string
  /**
   * References of cases that an operator moved: no model leads that way
   */
  leftOut: string[]
}

export interface Release {
  deployed?: Deployment
  /**
   * The proposal that waits for another owner
   */
  waiting?: {
    id: string
  }
}

export interface Report {
  report: string
  /**
   * Text key
   */
  title: string
  /**
   * Text key
   */
  lead?: string
  /**
   * JSON Schema of what it can be narrowed by
   */
  filterForm: {
    [k: string]: unknown
  }
  /**
   * What it is narrowed by, defaults included
   */
  filter: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     */
    [k: string]: string | number
  }
  columns: ReportColumn[]
  /**
   * By the names of the columns; cents, hours, days and moments as numbers and texts
   */
  rows: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     */
    [k: string]: unknown
  }[]
  /**
   * There are more rows than these
   */
  more: boolean
  totals: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     */
    [k: string]: number
  }
}

export interface ReportColumn {
  name: string
  /**
   * Text key
   */
  title: string
  as: 'text' | 'cents' | 'count' | 'hours' | 'day' | 'moment' | 'case' | 'word'
  /**
   * Its sum stands below the rows
   */
  total: boolean
}

export interface ResourceAvailability {
  /**
   * By name, 500 at most
   */
  items: {
    id: string
    title: string
    reference: string
    location: string | null
    refused: {
      code: string
      message: string
    } | null
    /**
     * Where it is taken, with what is kept free before and after
     */
    taken: Span[]
  }[]
  /**
   * There are more resources than are told of
   */
  more: boolean
}

export interface ResourceOverview {
  from: string
  until: string
  months: string[]
  /**
   * Those of the units of the person who asks, 200 at most
   */
  resources: CalendarFeedItem[]
  /**
   * There are more resources than are told of
   */
  more: boolean
  use: {
    resource: string
    month: string
    /**
     * Confirmed bookings that take place in the month
     */
    bookings: number
    /**
     * Hours
     */
    booked: number
    /**
     * Hours
     */
    open: number
  }[]
  income: {
    resource: string
    month: string
    /**
     * Cents
     */
    hire: number
    /**
     * Cents
     */
    damages: number
  }[]
  rejections: {
    count: number
    /**
     * The last 200
     */
    items: {
      id: string
      caseId: string
      reference: string
      event: string
      resource: string
      desk: string
      by: string
      at: string
      reason: string | null
    }[]
  }
  desks: {
    desk: string
    name: string
    resource: string
    month: string
    decided: number
    /**
     * Hours from when it came to the desk until it was decided
     */
    median: number
    /**
     * Hours
     */
    slowest: number
  }[]
}

export interface Run {
  scheme: string
  month: string
  method: 'transfer' | 'cheque'
  paidFrom: string
  state: 'open' | 'paid' | 'void'
  signing: boolean
  lines: number
  /**
   * In cents
   */
  total: number
  totalInWords: string
  /**
   * In cents
   */
  returned: number
  counts: {
    states: {
      included: number
      held: number
      struck: number
      'left-out': number
      returned: number
    }
    signed: number
    questioned: number
    changed: number
    leftOut: {
      reason: string
      count: number
    }[]
  }
  /**
   * Desks that have agreed to it, in their order
   */
  agreed: {
    desk: string
    name: string
    at: string
    you: boolean
  }[]
  /**
   * What whoever asks may do with its lines now
   */
  may: {
    act: boolean
    answer: boolean
    sign: boolean
    giveBack: boolean
  }
}

export interface RunBegun {
  runId: string
}

export interface RunLine {
  id: string
  name: string
  code: string
  faculty: string | null
  /**
   * In cents
   */
  amount: number
  /**
   * In cents
   */
  arrears: number
  /**
   * In cents
   */
  total: number
  bank: string | null
  branch: string | null
  account: string | null
  state: 'included' | 'held' | 'struck' | 'left-out' | 'returned' | 'paid'
  reason: string | null
  questionOpen: boolean
  signature: 'pending' | 'signed'
  /**
   * Desks since whose agreement it has changed
   */
  changedSince: {
    name: string
    you: boolean
  }[]
  own: boolean
}

export interface RunLineEvent {
  kind: string
  text: string | null
  how: string | null
  by: string | null
  at: string
}

export interface Scenario {
  name: string
  start?: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^[A-Za-z_][A-Za-z0-9_]{0,99}$".
     */
    [k: string]: string | number | boolean | null
  }
  /**
   * @maxItems 200
   */
  steps: ScenarioStep[]
  topics?: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     */
    [k: string]: WorkerAnswer | WorkerAnswer[]
  }
  expect: {
    statuses?: {
      /**
       * This interface was referenced by `undefined`'s JSON-Schema definition
       * via the `patternProperty` "^.*$".
       */
      [k: string]: string[]
    }
    end?: string
    /**
     * @maxItems 50
     */
    at?: string[]
  }
}

export interface ScenarioParts {
  start: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     */
    [k: string]: unknown
  }
  moments: NamedElement[]
  desks: DeskForm[]
  timers: NamedElement[]
  messages: DeskForm[]
  topics: {
    id: string
    name: string
    form: {
      /**
       * This interface was referenced by `undefined`'s JSON-Schema definition
       * via the `patternProperty` "^.*$".
       */
      [k: string]: unknown
    }
    moments: NamedElement[]
    raises: string[]
  }[]
  statusLists: {
    id: string
    name: string
    first: string | null
    states: NamedElement[]
  }[]
  ends: NamedElement[]
}

export interface ScenarioResult {
  name: string
  passed: boolean
  reasons: {
    element: string | null
    reason: string
    step?: number
  }[]
  statuses: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     */
    [k: string]: string[]
  }
  end: string | null
  path: string[]
}

export type ScenarioStep =
  | {
      desk: string
      outcome?: string
      variables?: {
        /**
         * This interface was referenced by `undefined`'s JSON-Schema definition
         * via the `patternProperty` "^[A-Za-z_][A-Za-z0-9_]{0,99}$".
         */
        [k: string]: string | number | boolean | null
      }
    }
  | {
      passes: string
    }
  | {
      fires: string
    }
  | {
      message: string
      variables?: {
        /**
         * This interface was referenced by `undefined`'s JSON-Schema definition
         * via the `patternProperty` "^[A-Za-z_][A-Za-z0-9_]{0,99}$".
         */
        [k: string]: string | number | boolean | null
      }
    }

export interface Span {
  from: string
  until: string
}

export interface Submission {
  id: string
  formKey: string
  formHash: string
  data: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     */
    [k: string]: unknown
  }
  by: Who
  for: Who | null
  actedAs: string | null
  at: string
  effect: 'pending' | 'done' | 'void'
  voidReason: string | null
  taskId: string | null
  desk: string | null
  outcome: string | null
  act: string | null
}

export interface Substitution {
  id: string
  absent: Who
  substitute: Who
  from: string
  until: string
  flows:
    | {
        key: string
        title: string
      }[]
    | null
  amountLimit: number | null
  reason: string | null
  state: 'asked' | 'accepted' | 'declined' | 'ended'
  askedBy: Who
  askedAt: string
  answeredAt: string | null
  endedAt: string | null
  endedBy: Who | null
  /**
   * Whether the substitute acts for the absent person now
   */
  inForce: boolean
}

export interface Task {
  id: string
  caseId: string
  reference: string
  flow: string
  flowTitle: string
  desk: string
  name: string
  /**
   * One line by which people recognise the case
   */
  title: string
  subject: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     */
    [k: string]: unknown
  }
  requester: NamedPerson
  state: 'open' | 'held' | 'accepted' | 'done' | 'void'
  assignee: Who | null
  heldFor: {
    id: string
    name: string
  } | null
  for: {
    id: string
    name: string
  } | null
  delegatedBy: {
    id: string
    name: string
  } | null
  /**
   * A question to the requester waits for its answer
   */
  asked: boolean
  /**
   * Comments on the case that one can read
   */
  comments: number
  decidedBy: Who | null
  decidedAt: string | null
  outcome: Named | null
  createdAt: string
  dueAt: string | null
  overdue: {
    workdays: number
  } | null
  followUpAt: string | null
  priority: number
  amount: number | null
  status: Named
  standsInFor: string | null
  /**
   * What the columns of the flow say, in words
   */
  columns: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     */
    [k: string]: {
      text: string
    }
  }
  version: number
}

export interface TaskQuestion {
  id: string
  question: string
  askedBy: Who
  askedAt: string
  answer: string | null
  answeredBy: Who | null
  answeredAt: string | null
}

/**
 * What the person who asks may do now
 */
export interface TaskRights {
  /**
   * Also takes back what they have given to somebody for an opinion
   */
  claim: boolean
  release: boolean
  assign: boolean
  /**
   * Takes it from whoever has it
   */
  reassign: boolean
  delegate: boolean
  resolve: boolean
  followUp: boolean
  priority: boolean
  due: boolean
  question: boolean
  decide: boolean
  /**
   * Reads and writes comments, and is seen to be looking
   */
  talk: boolean
}

export interface Tokens {
  access_token: string
  /**
   * Absent for `client_id=web`, which has it in a cookie
   */
  refresh_token?: string
  token_type: 'Bearer'
  expires_in: number
  refresh_expires_in: number
}

export interface TrackedCase {
  reference: string
  flow: string
  flowTitle: string
  title: string
  subject: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     */
    [k: string]: unknown
  }
  status: Named
  statuses: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     */
    [k: string]: Named
  }
  state: 'starting' | 'running' | 'ended' | 'failed'
  data: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     */
    [k: string]: unknown
  }
  facts: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     */
    [k: string]: unknown
  }
  createdAt: string
  endedAt: string | null
  endReason: string | null
  withdrawable: boolean
  /**
   * What the person who asks may ask for now
   */
  acts: CaseAct[]
  /**
   * What was issued under a number
   */
  documents: {
    id: string
    kind: string
    number: string
    issuedAt: string
    /**
     * Since when it holds no longer
     */
    endedAt: string | null
  }[]
  /**
   * The form that it began with
   */
  form: {
    key: string
    hash: string
  }
  confirmUntil: string | null
  waitsWith: {
    name: string
    /**
     * Whom it waits for, in words; nobody: oneself
     */
    principals: string[]
    since: string
    dueAt: string | null
  }[]
  /**
   * What waits for oneself
   */
  tasks: {
    id: string
    name: string
    dueAt: string | null
    form: {
      key: string
      hash: string
    } | null
  }[]
  decisions: {
    task: string
    outcome: Named
    reason: string | null
    at: string
  }[]
  /**
   * What a desk wants to know
   */
  questions: {
    id: string
    question: string
    askedAt: string
    answer: string | null
    answeredAt: string | null
    open: boolean
  }[]
  history: {
    at: string
    text: string
  }[]
}

export interface UploadedFile {
  id: string
  name: string
  contentType: string
  size: number
}

export interface VariableValue {
  name: string
  value: string
}

export interface Vocabulary {
  forms: {
    key: string
    title: string
    outcomes: {
      value: string
      title: string
    }[]
  }[]
  roles: {
    role: string
    scopes: {
      kind: string
      variable: string
    }[]
  }[]
  topics: {
    topic: string
    title: string
    needs: string[]
    gives: string[]
    raises: string[]
  }[]
  mails: {
    key: string
    title: string
  }[]
  statusLists: {
    property: string
    states: {
      state: string
      title: string
    }[]
  }[]
  decisions: {
    id: string
    name: string
    reads: string[]
    gives: string[]
  }[]
  messages: string[]
  variables: {
    name: string
    type: string
    from: string
  }[]
  calls: string[]
  errors: string[]
}

export interface WaitingTask {
  taskId: string
  desk: string
  name: string
  /**
   * Whom it is offered to, in words
   */
  principals: string[]
  assignee: Who | null
  since: string
  dueAt: string | null
}

export type Warnings = {
  code: string
  text: string
}[]

export interface Who {
  id: string
  name: string
}

export interface WorkerAnswer {
  gives?: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^[A-Za-z_][A-Za-z0-9_]{0,99}$".
     */
    [k: string]: string | number | boolean | null
  }
  raises?: string
}

/**
 * Agrees to stand in
 */
export interface AcceptSubstitution {
  params: {
    id: string
  }
  answer: Substitution
}

/**
 * Asks for something in an own case, as long as its diagram waits for that
 */
export interface ActOnCase {
  params: {
    id: string
    name: string
  }
  body: {
    data: {
      [k: string]: unknown
    }
  }
  answer: Case
}

/**
 * Questions, answers, holds back, releases or strikes a line while a desk decides about its run
 */
export interface ActOnRunLine {
  params: {
    id: string
    line: string
  }
  body: {
    act: 'question' | 'answer' | 'hold' | 'release' | 'strike'
    text: string
  }
  answer: Run
}

/**
 * Asks for something that the case offers its requester
 */
export interface ActOnTrackedCase {
  params: {
    name: string
  }
  body: {
    data: {
      [k: string]: unknown
    }
  }
  answer: TrackedCase
}

/**
 * Writes a comment, or a note for oneself; who is mentioned is told
 */
export interface AddComment {
  params: {
    id: string
  }
  body: {
    body: string
    private?: boolean
    /**
     * @maxItems 20
     */
    mentions?:
      | []
      | [string]
      | [string, string]
      | [string, string, string]
      | [string, string, string, string]
      | [string, string, string, string, string]
      | [string, string, string, string, string, string]
      | [string, string, string, string, string, string, string]
      | [string, string, string, string, string, string, string, string]
      | [string, string, string, string, string, string, string, string, string]
      | [string, string, string, string, string, string, string, string, string, string]
      | [string, string, string, string, string, string, string, string, string, string, string]
      | [string, string, string, string, string, string, string, string, string, string, string, string]
      | [string, string, string, string, string, string, string, string, string, string, string, string, string]
      | [string, string, string, string, string, string, string, string, string, string, string, string, string, string]
      | [
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
        ]
      | [
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
        ]
      | [
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
        ]
      | [
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
        ]
      | [
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
        ]
      | [
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
        ]
    /**
     * @maxItems 10
     */
    files?:
      | []
      | [string]
      | [string, string]
      | [string, string, string]
      | [string, string, string, string]
      | [string, string, string, string, string]
      | [string, string, string, string, string, string]
      | [string, string, string, string, string, string, string]
      | [string, string, string, string, string, string, string, string]
      | [string, string, string, string, string, string, string, string, string]
      | [string, string, string, string, string, string, string, string, string, string]
    taskId?: string
  }
  answer: Comment
}

/**
 * Adds a notification to oneself
 */
export interface AddNotification {
  body: {
    notification: {
      path?: string | null
      icon?: NotificationIcon
      heading: string
      title: string
      subtitle?: string
    }
  }
  answer: {
    id: string
  }
}

/**
 * Keeps a passkey that the browser made; from then on the password alone does not sign in
 */
export interface AddPasskey {
  body: {
    challenge: string
    name: string
    response: {
      id: string
      response: {}
    }
  }
  answer: {
    id: string
    name: string
    createdAt: string
    lastUsedAt: string | null
    recoveryCodes: string[] | null
  }
}

/**
 * Answers a question that was asked about an own case
 */
export interface AnswerQuestion {
  params: {
    id: string
    question: string
  }
  body: {
    answer: string
  }
  answer: Case
}

/**
 * Answers a question that a desk asked about the case
 */
export interface AnswerTrackedQuestion {
  params: {
    question: string
  }
  body: {
    answer: string
  }
  answer: TrackedCase
}

/**
 * Appoints somebody to a post; who held it until then leaves it in the same moment
 */
export interface AppointHolder {
  params: {
    id: string
  }
  body: {
    accountId: string
    startsAt?: string
    endsAt?: string | null
    acting?: boolean
    reason: string
  }
  answer: PostHolder
}

/**
 * Whether the slot that a start form names may be had; if not, why, and what is free instead
 */
export interface AskAvailability {
  body: {
    flow: string
    data: {
      [k: string]: unknown
    }
  }
  answer:
    | {
        free: true
      }
    | {
        free: false
        field: string
        code: string
        message: string
        alternatives: {
          resource: CalendarFeedItem
          from: string
          until: string
        }[]
      }
}

/**
 * Asks for another name, which holds once somebody else has confirmed it; for who is in no register
 */
export interface AskForMyName {
  body: {
    name: string
  }
  answer: NameChange
}

/**
 * Asks for the details of a person to be erased from the audit; who heads the audit decides
 */
export interface AskPersonErasure {
  params: {
    id: string
  }
  body: {
    reason: string
    /**
     * The name of the person, typed
     */
    confirmation: string
  }
  answer: Erasure
}

/**
 * Asks the requester something; until it is answered the task waits, and then comes back
 */
export interface AskRequester {
  params: {
    id: string
  }
  body: {
    question: string
  }
  answer: Task
}

/**
 * Asks to do without a second owner; holds once somebody else confirms it. ADMIN and SA may
 */
export interface AskSecondOwnerWaiver {
  params: {
    process: string
  }
  body: {
    reason: string
  }
  answer: {
    id: string
  }
}

/**
 * Asks a colleague to act in one’s stead while one is away
 */
export interface AskSubstitute {
  body: {
    substitute: string
    from: string
    until: string
    /**
     * Absent: every flow
     *
     * @minItems 1
     * @maxItems 50
     */
    flows?: [string, ...string[]]
    /**
     * In cents
     */
    amountLimit?: number
    reason?: string
    /**
     * Whose absence it is, where an administrator asks
     */
    absent?: string
  }
  answer: Substitution
}

/**
 * Mails the link to confirm one’s address again
 */
export interface AskToConfirmEmail {
  answer: null
}

/**
 * Gives a task to somebody else it is offered to; who leads there also takes it from somebody
 */
export interface AssignTask {
  params: {
    id: string
  }
  body: {
    to: string
    reason?: string
  }
  answer: Task
}

/**
 * Moves running cases to another version, all of them or these; goes on by itself
 */
export interface BeginMigration {
  params: {
    process: string
  }
  body: {
    from: string
    to: string
    /**
     * @maxItems 500
     */
    instructions: MigrationInstruction[]
    /**
     * @minItems 1
     * @maxItems 1000
     */
    cases?: [string, ...string[]]
    reason?: string
  }
  answer: {
    id: string
  }
}

/**
 * Begins the draft of a flow from a version, or gives the one that is open
 */
export interface BeginModelDraft {
  params: {
    process: string
  }
  body: {
    from?: string
  }
  answer: ModelDraft
}

/**
 * What a browser needs to make a passkey
 */
export interface BeginPasskey {
  body: PasswordGiven
  answer: {
    challenge: string
    options: {
      [k: string]: unknown
    }
  }
}

/**
 * Begins with an authenticator app; it counts when its first code is confirmed
 */
export interface BeginTotp {
  body: PasswordGiven
  answer: {
    secret: string
    uri: string
    /**
     * The address as a picture (SVG)
     */
    qr: string
  }
}

/**
 * Puts other roles in place of those that hold a group; the version seen goes along as If-Match
 */
export interface ChangeGroup {
  params: {
    name: string
  }
  body: {
    /**
     * @maxItems 200
     */
    roles: string[]
    reason: string
  }
  answer: Group
}

/**
 * Remembers how the inbox shall look
 */
export interface ChangeInboxChoice {
  body: {
    startView?: string | null
    density?: 'comfortable' | 'compact'
    grouping?: 'none' | 'flow' | 'desk' | 'due' | 'requester'
    columns?: {
      /**
       * @maxItems 30
       */
      [k: string]: string[]
    }
  }
  answer: InboxChoice
}

/**
 * Changes an own view of the inbox
 */
export interface ChangeInboxView {
  params: {
    id: string
  }
  body: {
    version: number
    name?: string
    /**
     * As the address bar has it
     */
    query?: {
      [k: string]: string
    }
    sharedWith?: string | null
  }
  answer: InboxView
}

/**
 * Puts new data in place of the old; needs If-Match
 */
export interface ChangeItem {
  params: {
    area: string
    name: string
    id: string
  }
  body: {
    data: {
      [k: string]: unknown
    }
  }
  answer: RegisterItemWithRights
}

/**
 * Changes the language, or which mails come
 */
export interface ChangeMe {
  body: {
    language?: 'en' | 'si' | 'ta'
    mails?: {
      tasks?: boolean
      cases?: boolean
      newTasks?: boolean
      digest?: boolean
    }
  }
}

/**
 * From now on another owner has to approve of what is deployed
 */
export interface ChangeModelSettings {
  params: {
    process: string
  }
  body: {
    /**
     * Doing without again takes two people: ask for a waiver
     */
    secondOwner: true
  }
  answer: ModelSettings
}

/**
 * Changes the password and ends all other sessions
 */
export interface ChangeMyPassword {
  body: {
    current: string
    password: string
  }
}

/**
 * Makes a picture that one has uploaded one’s photo, or takes the photo away
 */
export interface ChangeMyPhoto {
  body: {
    file: string | null
  }
}

/**
 * Changes an account, or closes and opens it; the version seen goes along as If-Match
 */
export interface ChangePerson {
  params: {
    id: string
  }
  body: {
    name: string
    email: string
    post: string | null
    active: boolean
    reason: string
  }
  answer: Person
}

/**
 * Changes a scenario of the owners; those of the repository are changed there
 */
export interface ChangeScenario {
  params: {
    process: string
    id: string
  }
  body: Scenario
}

/**
 * Says why a case of a public flow would be refused to a guest, and makes nothing
 */
export interface CheckCaseAsGuest {
  body: {
    flow: string
    data: {
      [k: string]: unknown
    }
    account: {
      [k: string]: unknown
    }
  }
}

/**
 * For which inputs no row of a table applies, where more than one does, and which never gets its turn
 */
export interface CheckDecisionTables {
  params: {
    process: string
  }
  body: {
    /**
     * DMN 1.3
     */
    dmn: string
  }
  answer: {
    problems: {
      element: string
      reason: string
    }[]
    gaps: {
      decision: string
      words: string
    }[]
    overlaps: {
      decision: string
      rules: string[]
      words: string
    }[]
  }
}

/**
 * Whether an e-mail address can be used for a new account
 */
export interface CheckEmail {
  query: {
    email: string
  }
  answer: {
    valid: boolean
    message: string
  }
}

/**
 * What keeps a model from being deployed; without tables, those of the draft count
 */
export interface CheckModel {
  params: {
    process: string
  }
  body: {
    /**
     * BPMN 2.0, 1 MiB at most
     */
    bpmn: string
    /**
     * @maxItems 20
     */
    dmn?:
      | []
      | [DecisionTable]
      | [DecisionTable, DecisionTable]
      | [DecisionTable, DecisionTable, DecisionTable]
      | [DecisionTable, DecisionTable, DecisionTable, DecisionTable]
      | [DecisionTable, DecisionTable, DecisionTable, DecisionTable, DecisionTable]
      | [DecisionTable, DecisionTable, DecisionTable, DecisionTable, DecisionTable, DecisionTable]
      | [DecisionTable, DecisionTable, DecisionTable, DecisionTable, DecisionTable, DecisionTable, DecisionTable]
      | [
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
        ]
      | [
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
        ]
      | [
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
        ]
      | [
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
        ]
      | [
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
        ]
      | [
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
        ]
      | [
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
        ]
      | [
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
        ]
      | [
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
        ]
      | [
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
        ]
      | [
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
        ]
      | [
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
        ]
      | [
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
        ]
  }
  answer: ModelProblems
}

/**
 * Takes a task for oneself
 */
export interface ClaimTask {
  params: {
    id: string
  }
  answer: Task
}

/**
 * Decides a task: `done`, or `accepted` while the engine catches up
 */
export interface CompleteTask {
  params: {
    id: string
  }
  body: {
    data: {
      [k: string]: unknown
    }
    /**
     * Until then `undo` takes it back; a correction of the start form takes effect at once
     */
    notBefore?: string
  }
  answer: {
    state: 'done' | 'accepted'
    caseId: string
  }
}

/**
 * Answers what the case waits for its requester with
 */
export interface CompleteTrackedTask {
  params: {
    id: string
  }
  body: {
    data: {
      [k: string]: unknown
    }
  }
  answer: TrackedCase
}

/**
 * Confirms a guest’s case with the token of the mailed link; it goes on then
 */
export interface ConfirmCaseAsGuest {
  body: {
    token: string
  }
  answer: {
    reference: string
    /**
     * It had been confirmed before
     */
    repeated: boolean
  }
}

/**
 * Shows with the token of a mailed link that the address is one’s own
 */
export interface ConfirmEmail {
  body: {
    token: string
  }
}

/**
 * Erases the details now, for good; never by the one who asked
 */
export interface ConfirmErasure {
  params: {
    id: string
  }
  answer: Erasure
}

/**
 * Confirms the authenticator app by a code, which sign-in asks for from then on
 */
export interface ConfirmTotp {
  body: {
    code: string
  }
  answer: {
    /**
     * Shown this once; each is good once
     */
    recoveryCodes: string[]
  }
}

/**
 * How many tasks each queue has, of those that the same narrowing leaves in its list
 */
export interface CountTasks {
  query: {
    flow?: string
    status?: string
    desk?: string
    requester?: string
    faculty?: string
    amountFrom?: number
    amountTo?: number
    from?: string
    until?: string
    search?: string
    for?: string
  }
  answer: {
    open: CountUpTo
    mine: CountUpTo
    group: CountUpTo
    'due-soon': CountUpTo
    overdue: CountUpTo
    later: CountUpTo
    waiting: CountUpTo
    done: CountUpTo
  }
}

/**
 * Makes an applicant’s account; the password follows from this browser, or by the link that is mailed
 */
export interface CreateApplicantAccount {
  body: {
    [k: string]: unknown
  }
  answer: Account
}

/**
 * Adds an item
 */
export interface CreateItem {
  params: {
    area: string
    name: string
  }
  body: {
    data: {
      [k: string]: unknown
    }
    status?: string
  }
  answer: RegisterItemWithRights
}

/**
 * Makes an account without roles, and mails its owner a link to set a password
 */
export interface CreatePerson {
  body: {
    name: string
    email: string
    username?: string
    post?: string | null
    language?: 'en' | 'si' | 'ta'
    reason: string
  }
  answer: Person
}

/**
 * Keeps a scenario with the flow
 */
export interface CreateScenario {
  params: {
    process: string
  }
  body: Scenario
  answer: {
    id: string
  }
}

/**
 * Decides the task of the link, which is then used up
 */
export interface DecideByTaskLink {
  params: {
    token: string
  }
  body: {
    data: {
      [k: string]: unknown
    }
  }
  answer: {
    state: 'done' | 'accepted'
  }
}

/**
 * Approves of what another owner has proposed, or refuses it; an own one can be taken back
 */
export interface DecideModelProposal {
  params: {
    process: string
    id: string
  }
  body: {
    accept: boolean
    note: string
    /**
     * It is meant that nobody decides after some rows of its tables
     */
    nobodyDecides?: boolean
  }
  answer: Decided
}

/**
 * Confirms the name that somebody asks for, or refuses it; nobody decides about their own
 */
export interface DecideNameChange {
  params: {
    id: string
    change: string
  }
  body: {
    accept: boolean
    reason: string
  }
}

/**
 * Confirms that a flow does without a second owner, or refuses it; an own request can be taken back
 */
export interface DecideSecondOwnerWaiver {
  params: {
    process: string
    id: string
  }
  body: {
    accept: boolean
    note: string
  }
  answer: ModelSettings
}

/**
 * Refuses to stand in
 */
export interface DeclineSubstitution {
  params: {
    id: string
  }
  answer: Substitution
}

/**
 * Asks a colleague for an opinion: they hold the task until they give it back, and may not decide it
 */
export interface DelegateTask {
  params: {
    id: string
  }
  body: {
    to: string
    words: string
  }
  answer: Task
}

/**
 * Forgets a search that was kept
 */
export interface DeleteAuditSearch {
  params: {
    id: string
  }
}

/**
 * Takes back an own comment; an opinion stays
 */
export interface DeleteComment {
  params: {
    id: string
  }
}

/**
 * Forgets an own view of the inbox
 */
export interface DeleteInboxView {
  params: {
    id: string
  }
}

/**
 * Deletes one of one’s own notifications
 */
export interface DeleteNotification {
  body: {
    id: string
  }
}

/**
 * Deletes all of one’s own notifications
 */
export interface DeleteNotifications {}

/**
 * Throws a scenario of the owners away
 */
export interface DeleteScenario {
  params: {
    process: string
    id: string
  }
}

/**
 * Deploys the draft, or proposes it where the flow asks for a second owner
 */
export interface DeployModel {
  params: {
    process: string
  }
  body: {
    revision: number
    note: string
    results?: string
    /**
     * It is meant that nobody decides after some rows of its tables
     */
    nobodyDecides?: boolean
  }
  answer: Release
}

/**
 * Throws an own draft away
 */
export interface DiscardDraft {
  params: {
    id: string
  }
}

/**
 * Throws the draft away
 */
export interface DiscardModelDraft {
  params: {
    process: string
  }
}

/**
 * Throws an own half-filled start form away
 */
export interface DiscardStartDraft {
  params: {
    area: string
    flow: string
  }
}

/**
 * Ends a grant at once, or at a moment to come; one of a post ends with the appointment
 */
export interface EndGrant {
  params: {
    id: string
  }
  body: {
    endsAt?: string
    reason: string
  }
  answer: Grant
}

/**
 * Ends a holding at once, or at a moment to come
 */
export interface EndHolding {
  params: {
    id: string
  }
  body: {
    endsAt?: string
    reason: string
  }
  answer: PostHolder
}

/**
 * Signs out everywhere else
 */
export interface EndMyOtherSessions {}

/**
 * Signs out somewhere
 */
export interface EndMySession {
  params: {
    id: string
  }
}

/**
 * Takes away all second factors of somebody who has lost them, and ends their sessions
 */
export interface EndPersonSecondFactor {
  params: {
    id: string
  }
  body: {
    reason: string
  }
}

/**
 * Where the identity server tells that sessions have ended there (OpenID Connect Back-Channel Logout)
 */
export interface EndSessionsByIdentityServer {
  body: {
    logout_token: string
  }
  answer: null
}

/**
 * Ends a substitution, or takes back that one has asked; what is held by it is free again
 */
export interface EndSubstitution {
  params: {
    id: string
  }
  answer: Substitution
}

/**
 * A case with everything that happened to it: a dossier to print, or data
 */
export interface ExportAuditCase {
  params: {
    id: string
  }
  query: {
    format: 'pdf' | 'csv' | 'json'
  }
  answer: unknown
}

/**
 * The chain of some days with its entries, one per line, for `npm run audit:verify -- FILE`; it says so where it is known not to be whole
 */
export interface ExportAuditChain {
  query: {
    from?: string
    until?: string
    registers?: boolean
  }
}

/**
 * The same as a file for spreadsheets
 */
export interface ExportAuditReport {
  params: {
    name: 'self-decisions' | 'substitutes' | 'administrators' | 'grants' | 'skipped-desks'
  }
  query: {
    from?: string
    until?: string
    format: 'csv' | 'xlsx'
  }
}

/**
 * All entries of a search as a file for spreadsheets, however many they are
 */
export interface ExportAuditSearch {
  query: {
    from?: string
    until?: string
    reference?: string
    person?: string
    part?: 'acted' | 'concerned'
    flow?: string
    desk?: string
    action?: string
    text?: string
    format: 'csv' | 'xlsx'
  }
}

/**
 * The same list whole, as CSV or XLSX
 */
export interface ExportBatchMembers {
  params: {
    area: string
    flow: string
    item: string
  }
  query: {
    format: 'csv' | 'xlsx'
    standing?: 'to-open' | 'out-of-use' | 'no-account' | 'asked' | 'under-way' | 'done' | 'ended' | 'not-done'
  }
}

/**
 * The lines, the file for the bank or the annexure, as CSV or XLSX
 */
export interface ExportRun {
  params: {
    id: string
  }
  query: {
    sheet: 'lines' | 'bank-file' | 'annexure'
    format: 'csv' | 'xlsx'
  }
}

/**
 * A list of the inbox as a file, at most 10,000 rows; where there is more, its last line and the header `x-rows-of-more` say so
 */
export interface ExportTasks {
  query: {
    format: 'csv' | 'xlsx'
    queue?: 'open' | 'mine' | 'group' | 'due-soon' | 'overdue' | 'later' | 'waiting' | 'done'
    flow?: string
    status?: string
    desk?: string
    requester?: string
    faculty?: string
    amountFrom?: number
    amountTo?: number
    from?: string
    until?: string
    search?: string
    for?: string
    sort?: 'created' | '-created' | 'due' | 'follow-up' | '-priority' | 'amount' | '-amount'
  }
}

/**
 * People by a part of their name
 */
export interface FindAuditPeople {
  query: {
    name: string
  }
  answer: {
    items: {
      id: string
      name: string
      post: string | null
    }[]
  }
}

/**
 * What forms ask about the person with a NIC or employee number: oneself, or for who books for others
 */
export interface FindBooker {
  query: {
    nic?: string
    employee_id?: string
  }
  answer: {
    name: string
    email: string
    contact_no: string | null
    designation: string | null
    reg_no: string | null
    employee_id: string | null
    associated_as: string
    accountId: string | null
  }
}

/**
 * What one’s own register entry answers of a form, if one has an entry
 */
export interface FindMyselfAsBooker {
  answer: {
    entry: {
      name: string
      email: string
      contact_no: string | null
      designation: string | null
      reg_no: string | null
      employee_id: string | null
      associated_as: string
      accountId: string | null
      nic: string | null
      salutation: string | null
    } | null
  }
}

/**
 * Where the identity server leads a browser back to; opens a session and leads on
 */
export interface FinishSignInAtIdentityServer {}

/**
 * Puts a task off until a date, or takes it up again; a free one is taken with it
 */
export interface FollowUpTask {
  params: {
    id: string
  }
  body: {
    at: string | null
  }
  answer: Task
}

/**
 * Has a link mailed to the address, if it is somebody’s; the answer does not tell
 */
export interface ForgotPassword {
  body: {
    [k: string]: unknown
  }
  answer: null
}

/**
 * A case as it was at a moment; without one, as it is
 */
export interface GetAuditCase {
  params: {
    id: string
  }
  query: {
    at?: string
  }
  answer: AuditCaseThen
}

/**
 * The public keys that the chain was ever signed with, the one that signs now first, as PEM
 */
export interface GetAuditKey {}

/**
 * A person by their account
 */
export interface GetAuditPerson {
  params: {
    id: string
  }
  answer: {
    id: string
    name: string
    post: string | null
  }
}

/**
 * Who was refused, stood in, acted as an administrator or gave roles, and which desks a table left out
 */
export interface GetAuditReport {
  params: {
    name: 'self-decisions' | 'substitutes' | 'administrators' | 'grants' | 'skipped-desks'
  }
  query: {
    from?: string
    until?: string
  }
  answer: {
    items: AuditEntry[]
    more: boolean
    /**
     * Not all cases of these days were looked into: a file has them all
     */
    narrow: boolean
  }
}

/**
 * Acts, flows and desks that there are in the audit, in words
 */
export interface GetAuditVocabulary {
  answer: {
    actions: AuditWord[]
    flows: AuditWord[]
    desks: AuditWord[]
  }
}

/**
 * What has become of an item for all whom it is meant for, and how far its newest batch is
 */
export interface GetBatch {
  params: {
    area: string
    flow: string
    item: string
  }
  answer: Batch
}

/**
 * How far an own act on many tasks is, with an answer for each
 */
export interface GetBulk {
  params: {
    id: string
  }
  answer: BulkActionWithItems
}

/**
 * The days of a year as the weekly pattern in force and the special days make them
 */
export interface GetCalendar {
  query: {
    year: number
  }
  answer: {
    items: {
      date: string
      hours: {
        from: string
        until: string
      } | null
      special: {
        name: string
        kind: string
      }[]
    }[]
  }
}

/**
 * A case with what was sent, whom it waits for and its files
 */
export interface GetCase {
  params: {
    id: string
  }
  answer: Case
}

/**
 * A document that was issued in a case, such as its invoice, as PDF
 */
export interface GetCaseDocument {
  params: {
    id: string
    document: string
  }
}

/**
 * What happened to a case, in words, oldest first
 */
export interface GetCaseHistory {
  params: {
    id: string
  }
  answer: {
    items: {
      at: string
      kind:
        | 'submitted'
        | 'acted'
        | 'task-created'
        | 'claimed'
        | 'asked'
        | 'decided'
        | 'status'
        | 'mail'
        | 'worker'
        | 'incident'
        | 'withdrawn'
        | 'ended'
      text: string
      actor?: string
      element?: string
      reason?: string
      /**
       * Words of the status that it came to
       */
      status?: string
    }[]
  }
}

/**
 * The way a case took through its diagram, and where it is now
 */
export interface GetCasePath {
  params: {
    id: string
  }
  answer: {
    definitionId: string
    visited: {
      element: string
      startedAt: string
      endedAt: string | null
      canceled: boolean
    }[]
    present: string[]
  }
}

/**
 * The people of the demonstration and their password (demonstrations only)
 */
export interface GetDemo {
  answer: {
    password: string
    people: {
      username: string
      name: string
      post: string | null
    }[]
  }
}

/**
 * What came before a case that concerns the same item, as its flow says; first what is alike
 */
export interface GetEarlierCases {
  params: {
    id: string
  }
  answer: {
    items: {
      id: string | null
      reference: string
      status: Named
      amount: number | null
      createdAt: string
      alike: boolean
    }[]
  }
}

/**
 * Stream of hints about lists, cases and tasks of the person who asks; ends with the access token
 */
export interface GetEvents {}

/**
 * The content of a file that is public, is one’s own, belongs to a case that one may see, or is a colleague’s photo
 */
export interface GetFile {
  params: {
    id: string
  }
  query: {
    size?: 'small' | 'medium' | 'original'
  }
}

/**
 * A flow with the form that starts it, as of its newest deployed version
 */
export interface GetFlow {
  params: {
    area: string
    flow: string
  }
  answer: {
    flow: string
    title: string
    description?: string
    manifest: {
      [k: string]: unknown
    }
    form: FormKey
  }
}

/**
 * What a flow has for the person who asks: what they can ask for, why not, and what waits for them
 */
export interface GetFlowOpening {
  params: {
    area: string
    flow: string
  }
  answer: {
    message: string | null
    items: CalendarFeedItem[] | null
    /**
     * Cases of theirs that wait for themselves
     */
    waiting: {
      task: string
      name: string
      reference: string
      title: string
      dueAt: string | null
    }[]
    /**
     * Cases of theirs, not waiting for themselves, that keep them from asking for the same again
     */
    already: {
      id: string
      reference: string
      title: string
    }[]
  }
}

/**
 * A form by its hash
 */
export interface GetForm {
  params: {
    hash: string
  }
  answer: FormKey
}

/**
 * A module whose `check(data)` gives the field errors of the form as the server would
 */
export interface GetFormValidator {
  params: {
    hash: string
  }
}

/**
 * How cases have run through the elements of a flow in a period, by default the last 90 days
 */
export interface GetHeat {
  params: {
    process: string
  }
  query: {
    from?: string
    until?: string
    definition?: string
  }
  answer: {
    from: string
    until: string
    cases: number
    /**
     * False where only the newest 20,000 cases were looked at
     */
    whole: boolean
    elements: {
      element: string
      name: string
      passes: number
      cases: number
      waitingSeconds: {
        median: number
        p90: number
      } | null
      /**
       * Passes that have not ended
       */
      standing: number
      /**
       * Passes of a case that had been there before
       */
      rework: number
      /**
       * Decisions that said no
       */
      rejections: number
      /**
       * Reminders of the person who had a task here, as the desk promises
       */
      reminders: number
      /**
       * Mails to those above the desk, as it promises
       */
      escalations: number
    }[]
  }
}

/**
 * An empty CSV file with the columns that an import takes
 */
export interface GetImportTemplate {
  params: {
    area: string
    name: string
  }
}

/**
 * How the inbox looks to the person who asks: start view, density, grouping, columns by flow
 */
export interface GetInboxChoice {
  answer: InboxChoice
}

/**
 * An item; its ETag goes back as If-Match with a change. Reading what is sensitive is told to the audit
 */
export interface GetItem {
  params: {
    area: string
    name: string
    id: string
  }
  query: {
    sensitive?: boolean
  }
  answer: RegisterItemWithRights
}

/**
 * Answers while the process lives
 */
export interface GetLiveness {
  answer: {
    live: true
  }
}

/**
 * One mail (demonstrations only)
 */
export interface GetMail {
  params: {
    id: string
  }
  answer: Mail
}

/**
 * The person who asks, with what they may act as now
 */
export interface GetMe {
  answer: {
    id: string
    username: string
    name: string
    email: string
    post: string | null
    seesAll: boolean
    grants: {
      role: string
      scope: NamedScope | null
    }[]
    /**
     * Permission groups
     */
    groups: string[]
    student: boolean
    record: {
      register: string
      id: string
      title: string
    } | null
    /**
     * An entry of a register answers for the name
     */
    registered: boolean
    nameChange: NameChange | null
    faculty: {
      id: string
      name: string
      theme: string | null
    } | null
    language: 'en' | 'si' | 'ta'
    photo: string | null
    emailConfirmed: boolean
    mails: {
      tasks: boolean
      cases: boolean
      newTasks: boolean
      digest: boolean
    }
    secondFactor: {
      totp: boolean
      passkeys: number
      /**
       * Codes that are left
       */
      recoveryCodes: number
      /**
       * One has to be set up before anything else
       */
      wanted: boolean
    }
    setPasswordAt: string | null
  }
}

/**
 * Figures for Prometheus: from this machine, or for ADMIN and SA
 */
export interface GetMetrics {}

/**
 * How far a migration is, and what has become of each case, those that stay before others
 */
export interface GetMigration {
  params: {
    process: string
    id: string
  }
  query: {
    cursor?: string
    limit?: number
  }
  answer: {
    from: string
    to: string
    total: number
    done: number
    failed: number
    stopped: {
      by: string
      at: string
      reason: string
    } | null
    next: string | null
    items: {
      caseId: string
      reference: string
      state: 'waiting' | 'moving' | 'done' | 'failed'
      reason: string | null
    }[]
  }
}

/**
 * The open draft of a flow
 */
export interface GetModelDraft {
  params: {
    process: string
  }
  answer: ModelDraft
}

/**
 * What another owner is asked to approve of, as it was proposed
 */
export interface GetModelProposal {
  params: {
    process: string
    id: string
  }
  answer: Proposal
}

/**
 * The diagram and the decision tables of a version
 */
export interface GetModelVersion {
  params: {
    process: string
    definitionId: string
  }
  answer: {
    definitionId: string
    version: number
    bpmn: string
    dmn: DecisionTable[]
  }
}

/**
 * All that a model of the flow may name
 */
export interface GetModelVocabulary {
  params: {
    process: string
  }
  answer: Vocabulary
}

/**
 * Everything that is kept about the person who asks, as one file
 */
export interface GetMyData {
  answer: {}
}

/**
 * What a browser needs to sign in with a passkey
 */
export interface GetPasskeyOptions {
  answer: {
    challenge: string
    options: {
      [k: string]: unknown
    }
  }
}

/**
 * Somebody with all their grants and posts, and what the person who asks may do to them
 */
export interface GetPerson {
  params: {
    id: string
  }
  answer: Person
}

/**
 * How many entries of the audit say something of a person, and which of them could be erased
 */
export interface GetPersonErasure {
  params: {
    id: string
  }
  answer: {
    /**
     * Entries in their cases that have ended: these can be erased
     */
    ended: number
    /**
     * Entries in their cases that still run
     */
    running: number
    runningCases: number
    /**
     * Entries about their account and roles, which stay
     */
    account: number
    last: Erasure | null
  }
}

/**
 * A post with everybody who has held it
 */
export interface GetPost {
  params: {
    id: string
  }
  answer: {
    id: string
    title: string
    code: string
    role: string
    /**
     * Heads its unit
     */
    head: boolean
    scope: NamedScope | null
    holder: PostHolder | null
    acting: PostHolder | null
    next: PostHolder | null
    history: PostHolder[]
    /**
     * Tasks that are offered to it now
     */
    waiting: {
      value: number
      more: boolean
    }
    mayAppoint: boolean
  }
}

/**
 * One deployed version
 */
export interface GetProcessDefinition {
  params: {
    id: string
  }
  answer: ProcessDefinition
}

/**
 * The diagram of one deployed version
 */
export interface GetProcessDefinitionXml {
  params: {
    id: string
  }
}

/**
 * A challenge that a browser solves in a moment; its solution goes along as the header x-proof
 */
export interface GetProofChallenge {
  query: {
    difficulty?: number
  }
  answer: ProofChallenge
}

/**
 * A form that is open to all, as it is now
 */
export interface GetPublicForm {
  params: {
    area: string
    name: string
  }
  answer: FormKey
}

/**
 * One public item
 */
export interface GetPublicItem {
  params: {
    area: string
    name: string
    id: string
  }
  answer: PublicRegisterItem
}

/**
 * Whether database, engine and event feed are there
 */
export interface GetReadiness {
  answer: Readiness
}

/**
 * A register with the schema of its items
 */
export interface GetRegister {
  params: {
    area: string
    name: string
  }
  answer: RegisterDescription
}

/**
 * A report; `filter.<field>` for what its form can be narrowed by
 */
export interface GetReport {
  params: {
    area: string
    name: string
  }
  answer: Report
}

/**
 * A report as a file for spreadsheets
 */
export interface GetReportFile {
  params: {
    area: string
    name: string
  }
  query: {
    format: 'csv' | 'xlsx'
  }
}

/**
 * Use, income, rejections and lead times of the resources of the units of the person who asks
 */
export interface GetReservationOverview {
  query: {
    from: string
    until: string
    resource?: string
  }
  answer: ResourceOverview
}

/**
 * What a case pays in one run, and how its lines stand
 */
export interface GetRun {
  params: {
    id: string
  }
  answer: Run
}

/**
 * What a scenario of the flow can be made of: desks with their forms, deadlines, statuses, ends
 */
export interface GetScenarioParts {
  params: {
    process: string
  }
  query: {
    draft?: boolean
  }
  answer: ScenarioParts
}

/**
 * How far a run is, and what it has found
 */
export interface GetScenarioRun {
  params: {
    process: string
    id: string
  }
  answer: {
    id: string
    kind: 'scenarios' | 'rehearsal'
    ofDraft: boolean
    /**
     * The model has changed since
     */
    outdated: boolean
    state: 'running' | 'done' | 'failed'
    total: number
    done: number
    passed: number
    askedAt: string
    endedAt: string | null
    results: ScenarioResult[]
  }
}

/**
 * The ways to sign in here
 */
export interface GetSignInMethods {
  answer: {
    password: boolean
    oidc: {
      /**
       * What the button says
       */
      name: string
    } | null
    /**
     * Strangers may make an account here
     */
    signUp: boolean
  }
}

/**
 * The half-filled start form of the person who asks
 */
export interface GetStartDraft {
  params: {
    area: string
    flow: string
  }
  answer: {
    draft: {
      data: {
        [k: string]: unknown
      }
      savedAt: string
    } | null
  }
}

/**
 * A task with its form and its case
 */
export interface GetTask {
  params: {
    id: string
  }
  answer: {
    task: Task
    case: Case
    form: FormKey | null
    question: string | null
    blockedBy: string | null
    /**
     * Desks that have decided before and can be named in the form, beside `requester`
     */
    earlierDesks: {
      id: string
      name: string
      by: Who
    }[]
    draft: {
      data: {
        [k: string]: unknown
      }
      version: number
      savedAt: string
      conflict: string | null
    } | null
    may: TaskRights
    /**
     * Who else has it open now
     */
    looking: {
      id: string
      name: string
      typing: boolean
    }[]
    /**
     * To the requester, oldest first
     */
    questions: TaskQuestion[]
    /**
     * How many comments on the case the person who asks can read
     */
    comments: number
  }
}

/**
 * Why a task is with the person who asks: its rule, the way to it, and what follows from each answer
 */
export interface GetTaskWhy {
  params: {
    id: string
  }
  answer: {
    /**
     * What the desk is there for, and whom it is drawn for
     */
    rule: string
    /**
     * As what the person who asks has it
     */
    role: string
    because: string | null
    decision: {
      name: string
      rows: {
        inputs: VariableValue[]
        outputs: VariableValue[]
        rule: string | null
      }[]
    } | null
    /**
     * Where the case has been, oldest first
     */
    path: {
      element: string
      name: string
      at: string
      by: Who | null
      outcome: string | null
    }[]
    /**
     * Who has decided before, oldest first
     */
    before: {
      desk: string
      name: string
      by: Who
      for: Who | null
      at: string
      outcome: string | null
    }[]
    /**
     * What each answer leads to
     */
    next: {
      outcome: string
      title: string
      leads: {
        name: string
        who: string
        by: string | null
      }[]
    }[]
  }
}

/**
 * What each of the people in one’s units has taken, what nobody has, and what waits at which desk
 */
export interface GetTeam {
  answer: {
    people: {
      id: string
      name: string
      post: string | null
      /**
       * What they have taken
       */
      open: number
      overdue: number
      oldest: string | null
      doneThisWeek: number
    }[]
    free: {
      count: CountUpTo
      overdue: number
      oldest: string | null
    }
    desks: {
      desk: string
      title: string
      flow: string
      flowTitle: string
      open: number
      overdue: number
    }[]
  }
}

/**
 * Signs in, or trades a refresh token for the next one
 */
export interface GetToken {
  body: {
    grant_type: 'password' | 'refresh_token' | 'second_factor'
    username?: string
    password?: string
    challenge?: string
    code?: string
    refresh_token?: string
    client_id?: string
    client_secret?: string
    scope?: string
  }
  answer: Tokens
}

/**
 * The public keys that access tokens are checked with, those of the near future included
 */
export interface GetTokenKeys {
  answer: {
    keys: PublicKeyOptions[]
  }
}

/**
 * Where the tokens of a case stand, and where one could be put
 */
export interface GetTokens {
  params: {
    case: string
  }
  answer: {
    id: string
    reference: string
    flow: string
    /**
     * A move is on its way to the engine
     */
    moving: boolean
    present: {
      element: string
      name: string
      since: string
      holder: string | null
    }[]
    targets: {
      element: string
      name: string
      type: string
    }[]
  }
}

/**
 * The case, as its requester sees it
 */
export interface GetTrackedCase {
  answer: TrackedCase
}

/**
 * A document that was issued in the case, such as its invoice, as PDF
 */
export interface GetTrackedDocument {
  params: {
    document: string
  }
}

/**
 * Gives somebody a role; a start that has passed means at once
 */
export interface GiveGrant {
  params: {
    id: string
  }
  body: {
    role: string
    scope:
      | (
          | {
              kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
              id: string
            }
          | {
              kind: 'flow'
              id: string
            }
        )
      | null
    startsAt?: string
    endsAt?: string | null
    reason: string
  }
  answer: Grant
}

/**
 * Holds the slot that the fields of a start form name, for 15 minutes
 */
export interface HoldSlot {
  body: {
    flow: string
    data: {
      [k: string]: unknown
    }
  }
  answer: Hold
}

/**
 * Holds the slot that the fields of a start form name, for 15 minutes, for whoever has the cookie
 */
export interface HoldSlotAsGuest {
  body: {
    flow: string
    data: {
      [k: string]: unknown
    }
  }
  answer: Hold
}

/**
 * Gives roles by a CSV file, all lines or none; without `commit` it is only checked
 */
export interface ImportGrants {
  body: {
    csv: string
    commit: boolean
  }
  answer: {
    rows: number
    errors: {
      line: number
      column: string
      code: string
      message: string
      value: string
    }[]
    /**
     * All there are; `errors` holds the first of them
     */
    errorCount: number
    /**
     * Grants given; without `commit` those that would be
     */
    added: number
    effect: {
      /**
       * How many people are given something
       */
      people: number
      first: {
        id: string
        name: string
        pages: {
          gained: {
            route: string
            title: string
          }[]
          lost: {
            route: string
            title: string
          }[]
        }
        groups: {
          gained: string[]
          lost: string[]
        }
        tasks: {
          gained: CountUpTo
          lost: CountUpTo
          /**
           * Tasks taken by somebody that would be free again
           */
          released: {
            value: number
            more: boolean
          }
        }
        warnings: Warnings
      }[]
    } | null
    /**
     * Lines that somebody has already
     */
    unchanged: number
  }
}

/**
 * Reads a CSV file of items and says what is wrong with which cell; with `commit`, adds all or nothing
 */
export interface ImportItems {
  params: {
    area: string
    name: string
  }
  body: {
    csv: string
    commit: boolean
  }
  answer: ImportResult
}

/**
 * Says that one has a task open no longer
 */
export interface LeaveTask {
  params: {
    id: string
  }
}

/**
 * Everything that happened to a case, oldest first, to step through
 */
export interface ListAuditMoments {
  params: {
    id: string
  }
  answer: {
    items: AuditStep[]
  }
}

/**
 * The searches that the person who asks has kept
 */
export interface ListAuditSearches {
  answer: {
    items: AuditSearch[]
  }
}

/**
 * Every resource in use, and whether it may be booked from one moment to another
 */
export interface ListAvailableResources {
  query: {
    from: string
    until: string
    type?: string
  }
  answer: ResourceAvailability
}

/**
 * For whom it can be opened, who is left out and why, and who has come how far
 */
export interface ListBatchMembers {
  params: {
    area: string
    flow: string
    item: string
  }
  query: {
    standing?: 'to-open' | 'out-of-use' | 'no-account' | 'asked' | 'under-way' | 'done' | 'ended' | 'not-done'
  }
  answer: BatchMemberPage
}

/**
 * Own acts on many tasks, the newest first
 */
export interface ListBulk {
  answer: {
    items: BulkAction[]
  }
}

/**
 * The process variables of a case, as the engine has them
 */
export interface ListCaseVariables {
  params: {
    id: string
  }
  answer: {
    items: {
      name: string
      type: string
      value: string | number | boolean | null
    }[]
  }
}

/**
 * Cases that the person who asks may see, or only their own; the newest first
 */
export interface ListCases {
  query: {
    cursor?: string
    limit?: number
    mine?: boolean
    flow?: string
    status?: string
    item?: string
    search?: string
  }
  answer: {
    items: CaseSummary[]
    next: string | null
    count: PageCount
  }
}

/**
 * What is certain to take place next at the public items of a register
 */
export interface ListComingEvents {
  params: {
    area: string
    name: string
  }
  query: {
    limit?: number
  }
  answer: {
    items: {
      id: string
      title: string
      item: CalendarFeedItem
      from: string
      until: string
    }[]
  }
}

/**
 * Comments on a case, oldest first; its requester, who is not meant, reads none
 */
export interface ListComments {
  params: {
    id: string
  }
  answer: {
    items: Comment[]
  }
}

/**
 * Erasures that wait for a decision, then the last that were decided
 */
export interface ListErasures {
  answer: {
    items: Erasure[]
    /**
     * Whether the person who asks heads the audit
     */
    mayDecide: boolean
  }
}

/**
 * The flows that the person who asks may start
 */
export interface ListFlows {
  answer: {
    items: {
      flow: string
      title: string
      description?: string
      /**
       * Route of the page that starts it
       */
      startPage: string
      /**
       * What people may call it, in every language: its title, its description, everyday words
       */
      search: string[]
    }[]
  }
}

/**
 * Permission groups, the roles that hold each, and the pages that each opens
 */
export interface ListGroups {
  answer: {
    items: Group[]
  }
}

/**
 * Holidays from one day to another, both included
 */
export interface ListHolidays {
  query: {
    from?: string
    until?: string
  }
  answer: {
    items: {
      date: string
      name: string
      kind: string
    }[]
  }
}

/**
 * What the lists of the inbox can be narrowed by, and the columns that a flow has
 */
export interface ListInboxFields {
  query: {
    flow?: string
  }
  answer: {
    flows: {
      key: string
      title: string
    }[]
    statuses: Named[]
    desks: {
      key: string
      title: string
    }[]
    fields: {
      name: string
      title: string
      type: 'text' | 'choice' | 'item' | 'date' | 'boolean'
      options?: {
        value: string
        title: string
      }[]
      register?: string
    }[]
    columns: {
      name: string
      title: string
    }[]
  }
}

/**
 * Own views of the inbox, and those that are shared with a role one holds
 */
export interface ListInboxViews {
  answer: {
    items: InboxView[]
  }
}

/**
 * Items by title; `filter.<field>` for the fields that the register filters by
 */
export interface ListItems {
  params: {
    area: string
    name: string
  }
  query: {
    cursor?: string
    limit?: number
    search?: string
    status?: string
    inUse?: boolean
    casesOf?: string
    caseStatus?: string
  }
  answer: {
    items: RegisterItem[]
    next: string | null
    count: PageCount
    /**
     * Titles of the items referred to, by id
     */
    titles: {
      [k: string]: string
    }
    /**
     * By item, the newest case of `casesOf`
     */
    cases?: {
      [k: string]: EntryCase
    }
  }
}

/**
 * Mails to the person who asks, the newest first (demonstrations only)
 */
export interface ListMails {
  query: {
    cursor?: string
    limit?: number
  }
  answer: {
    items: Mail[]
    next: string | null
    count: PageCount
  }
}

/**
 * The versions of a flow, the newest first
 */
export interface ListModelVersions {
  params: {
    process: string
  }
  answer: {
    items: ModelVersion[]
  }
}

/**
 * The flows that the person who asks owns, ADMIN and SA all of them
 */
export interface ListModels {
  answer: {
    items: {
      process: string
      flow: string
      title: string
      area: string
      owners: string[]
      running: {
        definitionId: string
        version: number
        deployedAt: string
        by: string | null
        note: string | null
        source: 'repository' | 'owner'
      } | null
      cases: {
        definitionId: string
        version: number
        running: number
        ended: number
      }[]
      draft: {
        revision: number
        savedAt: string
        savedBy: string
        lockedBy: string | null
      } | null
      waiting: {
        id: string
        note: string
        proposedBy: string
        proposedAt: string
        /**
         * Proposed by the person who asks
         */
        mine: boolean
        /**
         * Its rows after which nobody decides
         */
        undecided: string[]
        results: {
          runId: string
          passed: number
          total: number
        } | null
      } | null
      /**
       * Migrations of running cases that go on
       */
      moving: {
        id: string
        from: string
        to: string
      }[]
      /**
       * What is deployed has to be approved by another owner
       */
      secondOwner: boolean
      /**
       * The person who asks may ask to do without a second owner
       */
      mayAskWaiver: boolean
      waiver: {
        id: string
        reason: string
        askedBy: string
        askedAt: string
        /**
         * Asked for by the person who asks
         */
        mine: boolean
      } | null
    }[]
  }
}

/**
 * The calendars that one’s programs may read; their addresses are told only when they are made
 */
export interface ListMyCalendarFeeds {
  answer: {
    items: {
      id: string
      item: CalendarFeedItem | null
      createdAt: string
    }[]
  }
}

/**
 * One’s passkeys
 */
export interface ListMyPasskeys {
  answer: {
    items: Passkey[]
  }
}

/**
 * Where one is signed in
 */
export interface ListMySessions {
  answer: {
    items: {
      id: string
      /**
       * The session that asks
       */
      current: boolean
      method: 'password' | 'totp' | 'recovery-code' | 'passkey' | 'oidc'
      userAgent: string | null
      address: string | null
      createdAt: string
      lastSeenAt: string
    }[]
  }
}

/**
 * The notifications of the person who asks, the newest first
 */
export interface ListNotifications {
  answer: {
    items: {
      id: string
      path: string | null
      icon: NotificationIcon
      heading: string
      title: string
      subtitle: string
      timestamp: string
    }[]
    /**
     * How many came since they were last seen
     */
    unseen: number
  }
}

/**
 * Everything of one cause, the oldest first
 */
export interface ListOperationItems {
  params: {
    cause: string
  }
  query: {
    cursor?: string
    limit?: number
  }
  answer: {
    items: {
      id: string
      kind: string
      message: string
      element: string | null
      at: string
      /**
       * What helps: trying it again, saying that it was looked after, or nothing here
       */
      remedy: 'retry' | 'close' | null
      case: {
        id: string
        reference: string
      } | null
    }[]
    next: string | null
  }
}

/**
 * Incidents, parked events, orphaned effects, dead mails and deferred work that was given up, by cause
 */
export interface ListOperations {
  answer: {
    items: {
      cause: string
      kind: string
      element: string | null
      flow: string | null
      /**
       * Of the newest
       */
      message: string
      count: number
      oldest: string
      /**
       * What helps: trying it again, saying that it was looked after, or nothing here
       */
      remedy: 'retry' | 'close' | null
    }[]
  }
}

/**
 * The instalments of whoever asks, the newest first
 */
export interface ListOwnRunLines {
  answer: {
    items: OwnRunLine[]
  }
}

/**
 * People by name: those of one’s own units, and whoever a name or address finds
 */
export interface ListPeople {
  query: {
    cursor?: string
    limit?: number
    search?: string
    role?: string
    scope?: string
    state?: 'active' | 'inactive'
  }
  answer: {
    items: PersonRow[]
    next: string | null
    count: PageCount
  }
}

/**
 * Who can be mentioned in a comment on a case; without a search those who have to do with it
 */
export interface ListPeopleForCase {
  params: {
    id: string
  }
  query: {
    search?: string
  }
  answer: {
    items: {
      id: string
      name: string
      post: string | null
    }[]
  }
}

/**
 * To whom a task can be given, or who can be asked for an opinion on it; whoever has least comes first
 */
export interface ListPeopleForTask {
  params: {
    id: string
  }
  query: {
    for: 'assign' | 'delegate'
    search?: string
  }
  answer: {
    items: {
      id: string
      name: string
      post: string | null
      /**
       * How many tasks they have taken
       */
      load: number
    }[]
  }
}

/**
 * Posts by name, each with who holds it
 */
export interface ListPosts {
  query: {
    cursor?: string
    limit?: number
    search?: string
    state?: 'vacant' | 'held'
    unit?: string
  }
  answer: {
    items: {
      id: string
      title: string
      code: string
      role: string
      /**
       * Heads its unit
       */
      head: boolean
      scope: NamedScope | null
      holder: PostHolder | null
      acting: PostHolder | null
      next: PostHolder | null
    }[]
    next: string | null
    count: PageCount
  }
}

/**
 * Every deployed version of every flow, the newest of each first
 */
export interface ListProcessDefinitions {
  answer: {
    items: ProcessDefinition[]
  }
}

/**
 * When items are taken; without a title it is reserved, and nothing more is said
 */
export interface ListPublicAllocations {
  query: {
    item?: string
    items?: string
    from: string
    until: string
  }
  answer: {
    items: {
      id: string
      item: string
      title: string | null
      from: string
      until: string
      booked: Span
      state: 'hold' | 'claimed' | 'final'
    }[]
  }
}

/**
 * Items that the register shows to the public, with the fields it shows
 */
export interface ListPublicItems {
  params: {
    area: string
    name: string
  }
  query: {
    cursor?: string
    limit?: number
    search?: string
    status?: string
    inUse?: boolean
  }
  answer: RegisterItemPage
}

/**
 * The registers that the person who asks may see
 */
export interface ListRegisters {
  answer: {
    items: RegisterDescription[]
  }
}

/**
 * Every role, how many people hold it now, and its other names
 */
export interface ListRoles {
  answer: {
    items: {
      role: string
      holders: number
      aliases: string[]
    }[]
  }
}

/**
 * What was done with a line, the oldest first
 */
export interface ListRunLineEvents {
  params: {
    id: string
    line: string
  }
  answer: {
    items: RunLineEvent[]
  }
}

/**
 * The lines of a run by name
 */
export interface ListRunLines {
  params: {
    id: string
  }
  query: {
    cursor?: string
    limit?: number
    state?: 'included' | 'held' | 'struck' | 'left-out' | 'returned'
    signature?: 'pending' | 'signed'
    questioned?: boolean
    changed?: boolean
    search?: string
  }
  answer: {
    items: RunLine[]
    next: string | null
    count: PageCount
  }
}

/**
 * The scenarios of a flow, those of the repository first, each with how it last went
 */
export interface ListScenarios {
  params: {
    process: string
  }
  answer: {
    items: {
      id: string
      source: 'repository' | 'owner'
      scenario: Scenario
      changedBy: string | null
      changedAt: string | null
      last: LastRun | null
    }[]
    rehearsal: string | null
    running: string | null
  }
}

/**
 * Students whom one looks after, each with what a link to a password would be to them
 */
export interface ListStudentLinks {
  query: {
    cursor?: string
    limit?: number
    search?: string
    status?: string
    faculty?: string
    department?: string
    programme?: string
    intake?: string
    year?: number
  }
  answer: {
    items: {
      id: string
      name: string
      regNo: string
      faculty: string
      department: string | null
      intake: string
      year: number | null
      status: string
      /**
       * The first link, another one, or why none is sent
       */
      link: 'first' | 'again' | 'not-active' | 'has-password' | 'account-closed' | 'address-in-use'
    }[]
    next: string | null
    /**
     * All that fit, counted exactly
     */
    total: number
    titles: {
      [k: string]: string
    }
    /**
     * Of all students whom one looks after
     */
    intakes: string[]
  }
}

/**
 * Colleagues who can be asked, by a part of their name
 */
export interface ListSubstitutes {
  query: {
    search: string
  }
  answer: {
    id: string
    name: string
    post: string | null
  }[]
}

/**
 * Substitutions in which one is the absent person or the substitute, the last asked first
 */
export interface ListSubstitutions {
  query: {
    cursor?: string
    limit?: number
    all?: boolean
  }
  answer: {
    items: Substitution[]
    next: string | null
    count: PageCount
  }
}

/**
 * One queue of the inbox; `filter.<field>` for what the forms mark with x-filter
 */
export interface ListTasks {
  query: {
    cursor?: string
    limit?: number
    queue?: 'open' | 'mine' | 'group' | 'due-soon' | 'overdue' | 'later' | 'waiting' | 'done'
    flow?: string
    status?: string
    desk?: string
    requester?: string
    faculty?: string
    amountFrom?: number
    amountTo?: number
    from?: string
    until?: string
    search?: string
    for?: string
    sort?: 'created' | '-created' | 'due' | 'follow-up' | '-priority' | 'amount' | '-amount'
  }
  answer: {
    items: Task[]
    next: string | null
    count: PageCount
    /**
     * So much would have to be looked through that the page ends early; `next` looks further, a narrower question sooner
     */
    narrow: boolean
  }
}

/**
 * The tasks in one’s units that somebody has taken, or that nobody has; the oldest first
 */
export interface ListTeamTasks {
  query: {
    cursor?: string
    limit?: number
    person: string | 'free'
  }
  answer: {
    items: Task[]
    next: string | null
    count: PageCount
  }
}

/**
 * Own decisions that can still be taken back, the newest first
 */
export interface ListUndoable {
  answer: {
    task: string
    reference: string
    title: string
    outcome: Named | null
    until: string
  }[]
}

/**
 * Takes or renews the lock of the draft for five minutes; `takeOver` also takes it from somebody else
 */
export interface LockModelDraft {
  params: {
    process: string
  }
  body: {
    takeOver?: boolean
  }
  answer: ModelLock
}

/**
 * Ends the session of the refresh token in the cookie or the body; unknown ones change nothing
 */
export interface Logout {
  body: {
    refresh_token?: string
  } | null
}

/**
 * Says that one has a task open; to be repeated every 15 seconds, for it ends after 40
 */
export interface LookAtTask {
  params: {
    id: string
  }
  body: {
    typing: boolean
  }
}

/**
 * What the link of a mail is about; looking decides nothing
 */
export interface LookAtTaskLink {
  params: {
    token: string
  }
  answer:
    | {
        /**
         * It is decided behind the sign-in
         */
        state: 'sign-in'
        task: string
      }
    | MailDecision
}

/**
 * What the token of a mailed link is for, and whose; it stays good
 */
export interface LookAtToken {
  body: {
    token: string
  }
  answer: {
    purpose: 'set-password' | 'confirm-email'
    email: string
  }
}

/**
 * The account of somebody for whom one books; made and told to them by mail if they have none
 */
export interface MakeBookerAccount {
  body: {
    [k: string]: unknown
  }
  /**
   * They had one
   */
  answer: {
    accountId: string
  }
}

/**
 * Makes the address of a calendar, of one’s own cases or of a public item; an older address ends
 */
export interface MakeCalendarFeed {
  body: {
    item: string | null
  }
  answer: {
    id: string
    /**
     * Shown this once
     */
    address: string
  }
}

/**
 * Moves a token of a case from one element to another
 */
export interface MoveToken {
  params: {
    case: string
  }
  body: {
    from: string
    to: string
    reason: string
  }
  answer: {
    /**
     * `accepted`: as soon as the engine answers
     */
    state: 'done' | 'accepted'
  }
}

/**
 * Opens it for all for whom it can be; goes on by itself
 */
export interface OpenBatch {
  params: {
    area: string
    flow: string
    item: string
  }
  answer: Batch
}

/**
 * How running cases can go on in another version, and where they stand without an instruction
 */
export interface PlanMigration {
  params: {
    process: string
  }
  body: {
    from: string
    to: string
  }
  answer: {
    instructions: MigrationInstruction[]
    /**
     * Elements at which cases stand and from which no instruction leads on
     */
    open: {
      element: string
      name: string
      cases: number
    }[]
    problems: {
      /**
       * The element that the instruction leads on from; empty where it is the whole
       */
      element: string
      reason: string
    }[]
  }
}

/**
 * With which tasks an act would go through, and with which not and why; nothing is done
 */
export interface PreviewBulk {
  body: BulkRequest
  answer: {
    doable: string[]
    refused: {
      task: string
      reference: string | null
      title: string | null
      code: string
      message: string
    }[]
    form: FormKey | null
    /**
     * What the form lets one decide
     */
    outcomes: {
      value: string
      title: string
    }[]
  }
}

/**
 * What moving a token would end and begin
 */
export interface PreviewMove {
  params: {
    case: string
  }
  query: {
    from: string
    to: string
  }
  answer: {
    ends: {
      element: string
      name: string
      holder: string | null
    }[]
    begins: {
      element: string
      name: string
      roles: string[]
      status: string | null
    }[]
  }
}

/**
 * A calendar as iCalendar (RFC 5545), for whoever has its address
 */
export interface ReadCalendarFeed {
  params: {
    secret: string
  }
}

/**
 * An ended case of the flow as a scenario without the data of persons; it is not kept by that
 */
export interface RecordScenario {
  params: {
    process: string
  }
  body: {
    reference: string
  }
  answer: Scenario
}

/**
 * Refuses to erase the details; never by the one who asked
 */
export interface RefuseErasure {
  params: {
    id: string
  }
  body: {
    reason: string
  }
  answer: Erasure
}

/**
 * Makes an account with a password at once; a link to confirm the address is mailed
 */
export interface Register {
  body: {
    email: string
    /**
     * The e-mail address, where it is absent
     */
    username?: string
    password: string
  }
  answer: Account
}

/**
 * Tells the newest ended cases anew, on the open draft where there is one: which would go another way, and where
 */
export interface RehearseModel {
  params: {
    process: string
  }
  body: {
    last: number
  }
  answer: Rehearsal
}

/**
 * Gives an own hold up
 */
export interface ReleaseHold {
  params: {
    id: string
  }
}

/**
 * Gives an own hold up
 */
export interface ReleaseHoldAsGuest {
  params: {
    id: string
  }
}

/**
 * Gives a task that one has taken back to all it was offered to
 */
export interface ReleaseTask {
  params: {
    id: string
  }
  answer: Task
}

/**
 * Takes a passkey away
 */
export interface RemovePasskey {
  params: {
    id: string
  }
  body: PasswordGiven
}

/**
 * Takes the authenticator app away
 */
export interface RemoveTotp {
  body: PasswordGiven
}

/**
 * New recovery codes; the old ones are good for nothing from then on
 */
export interface RenewRecoveryCodes {
  body: PasswordGiven
  answer: {
    /**
     * Shown this once; each is good once
     */
    recoveryCodes: string[]
  }
}

/**
 * How long each desk in one’s units took for what was decided from one day to another, and what waits there
 */
export interface ReportDesks {
  query: {
    from: string
    until: string
    flow?: string
    format?: 'json' | 'csv'
  }
  answer: {
    items: {
      flow: string
      flowTitle: string
      desk: string
      name: string
      decided: number
      /**
       * Of those with a due date
       */
      inTime: number
      late: number
      medianHours: number | null
      p90Hours: number | null
      open: number
      overdue: number
      oldestOpen: string | null
    }[]
  }
}

/**
 * Has the address at which a case is followed mailed again; the answer does not tell whether it was
 */
export interface ResendTracking {
  body: {
    reference: string
    email: string
  }
  answer: null
}

/**
 * Gives a task back with one’s opinion to the requester for it
 */
export interface ResolveTask {
  params: {
    id: string
  }
  body: {
    opinion: string
  }
  answer: Task
}

/**
 * Has items tried again, or up to a hundred of one cause; closes those that were only to be looked at
 */
export interface RetryOperations {
  body: {
    /**
     * @minItems 1
     * @maxItems 100
     */
    items?: [string, ...string[]]
    cause?: string
    reason: string
  }
  answer: {
    items: {
      id: string
      /**
       * `gone`: it was over before; `failed`: not possible now
       */
      outcome: 'retried' | 'closed' | 'gone' | 'failed'
    }[]
  }
}

/**
 * Notes that the bank gave back what a line was paid; the next run of the scheme takes it up
 */
export interface ReturnRunLine {
  params: {
    id: string
    line: string
  }
  body: {
    reason: string
    bankReference: string
  }
  answer: Run
}

/**
 * Makes the address of a calendar worthless
 */
export interface RevokeCalendarFeed {
  params: {
    id: string
  }
}

/**
 * Deploys the diagram and tables of an earlier version as the newest
 */
export interface RollBackModel {
  params: {
    process: string
  }
  body: {
    definitionId: string
    note: string
    /**
     * It is meant that nobody decides after some rows of its tables
     */
    nobodyDecides?: boolean
  }
  answer: Release
}

/**
 * Makes a new key for access tokens; it is published before it signs, and nobody is signed out
 */
export interface RotateTokenKeys {
  body: {
    reason: string
  }
  answer: {
    id: string
    signsFrom: string
  }
}

/**
 * Tells scenarios to the engine, all or some; it goes on by itself, once at a time per flow
 */
export interface RunScenarios {
  params: {
    process: string
  }
  body: {
    /**
     * @minItems 1
     * @maxItems 200
     */
    ids?: [string, ...string[]]
    /**
     * On the open draft instead of the version that runs
     */
    draft?: boolean
  }
  answer: RunBegun
}

/**
 * Keeps a search under a name
 */
export interface SaveAuditSearch {
  body: {
    name: string
    query: {
      [k: string]: string
    }
  }
  answer: AuditSearch
}

/**
 * Keeps a half-filled form of a task for the person who asks, on all their devices
 */
export interface SaveDraft {
  params: {
    id: string
  }
  body: {
    data: {
      [k: string]: unknown
    }
    /**
     * Of the draft that this one goes on from; none for the first
     */
    version?: number
  }
  answer: {
    version: number
    savedAt: string
  }
}

/**
 * Keeps a view of the inbox under a name, shared with a role one holds or not at all
 */
export interface SaveInboxView {
  body: {
    name: string
    /**
     * As the address bar has it
     */
    query: {
      [k: string]: string
    }
    sharedWith?: string | null
  }
  answer: InboxView
}

/**
 * Saves the draft, going on from a revision; takes or renews its lock
 */
export interface SaveModelDraft {
  params: {
    process: string
  }
  body: {
    revision: number
    /**
     * BPMN 2.0, 1 MiB at most
     */
    bpmn?: string
    /**
     * @maxItems 20
     */
    dmn?:
      | []
      | [DecisionTable]
      | [DecisionTable, DecisionTable]
      | [DecisionTable, DecisionTable, DecisionTable]
      | [DecisionTable, DecisionTable, DecisionTable, DecisionTable]
      | [DecisionTable, DecisionTable, DecisionTable, DecisionTable, DecisionTable]
      | [DecisionTable, DecisionTable, DecisionTable, DecisionTable, DecisionTable, DecisionTable]
      | [DecisionTable, DecisionTable, DecisionTable, DecisionTable, DecisionTable, DecisionTable, DecisionTable]
      | [
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
        ]
      | [
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
        ]
      | [
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
        ]
      | [
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
        ]
      | [
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
        ]
      | [
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
        ]
      | [
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
        ]
      | [
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
        ]
      | [
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
        ]
      | [
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
        ]
      | [
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
        ]
      | [
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
        ]
      | [
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
          DecisionTable,
        ]
  }
  answer: {
    revision: number
    savedAt: string
  }
}

/**
 * Keeps a half-filled start form for the person who asks, on all their devices
 */
export interface SaveStartDraft {
  params: {
    area: string
    flow: string
  }
  body: {
    data: {
      [k: string]: unknown
    }
  }
  answer: {
    savedAt: string
  }
}

/**
 * Audit entries, the newest first; `towards=newer` walks the other way from `cursor`
 */
export interface SearchAudit {
  query: {
    from?: string
    until?: string
    reference?: string
    person?: string
    part?: 'acted' | 'concerned'
    flow?: string
    desk?: string
    action?: string
    text?: string
    cursor?: string
    limit?: number
    towards?: 'older' | 'newer'
  }
  answer: {
    items: AuditEntry[]
    next: string | null
    previous: string | null
    /**
     * There was too much to look through: `next` looks further back
     */
    narrow: boolean
  }
}

/**
 * All cases, the newest first; `person` is the requester
 */
export interface SearchAuditCases {
  query: {
    from?: string
    until?: string
    cursor?: string
    limit?: number
    reference?: string
    person?: string
    flow?: string
    text?: string
  }
  answer: {
    items: AuditCase[]
    next: string | null
    /**
     * There was too much to look through: `next` looks further back
     */
    narrow: boolean
  }
}

/**
 * Marks one’s own notifications as seen
 */
export interface SeeNotifications {}

/**
 * Mails students the link to their first password, and makes accounts where there are none
 */
export interface SendPasswordLinks {
  body:
    | {
        /**
         * @minItems 1
         * @maxItems 1000
         */
        items: [string, ...string[]]
      }
    | {
        filter: {
          search?: string
          status?: string
          faculty?: string
          department?: string
          programme?: string
          intake?: string
          year?: number
        }
      }
  answer: {
    sent: number
    /**
     * Had been sent one before and had not used it
     */
    resent: number
    skipped: {
      id: string
      name: string | null
      reason: 'not-found' | 'not-active' | 'has-password' | 'account-closed' | 'address-in-use'
    }[]
  }
}

/**
 * Mails somebody a link to set a password
 */
export interface SendPersonPasswordLink {
  params: {
    id: string
  }
  answer: null
}

/**
 * Sends an own decision at once that was made with `notBefore`
 */
export interface SendTask {
  params: {
    id: string
  }
  answer: Task
}

/**
 * Puts an item into another of its register's statuses: items are deactivated, never deleted
 */
export interface SetItemStatus {
  params: {
    area: string
    name: string
    id: string
  }
  body: {
    status: string
  }
  answer: RegisterItemWithRights
}

/**
 * Sets the password: with the token of a mailed link, or from the browser that has just made the account
 */
export interface SetPassword {
  body: {
    username: string
    password: string
    token?: string
  }
  answer: {
    message: string
  }
}

/**
 * Says until when a task is to be decided; for who leads there
 */
export interface SetTaskDue {
  params: {
    id: string
  }
  body: {
    at: string
    reason: string
  }
  answer: Task
}

/**
 * Says how urgent a task is: 25 low, 50 as usual, 75 high
 */
export interface SetTaskPriority {
  params: {
    id: string
  }
  body: {
    priority: 25 | 50 | 75
  }
  answer: Task
}

/**
 * What appointing somebody would change; nothing is done
 */
export interface ShowAppointmentEffect {
  params: {
    id: string
  }
  body: {
    accountId: string
    startsAt?: string
  }
  answer: {
    successor: {
      tasksTaken: CountUpTo
    }
    predecessor: {
      id: string
      name: string
      released: CountUpTo
    } | null
    warnings: Warnings
  }
}

/**
 * What giving and ending roles would change for somebody; nothing is done
 */
export interface ShowGrantEffect {
  params: {
    id: string
  }
  body: {
    /**
     * @maxItems 20
     */
    add?:
      | []
      | [
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
        ]
      | [
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
        ]
      | [
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
        ]
      | [
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
        ]
      | [
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
        ]
      | [
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
        ]
      | [
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
        ]
      | [
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
        ]
      | [
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
        ]
      | [
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
        ]
      | [
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
        ]
      | [
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
        ]
      | [
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
        ]
      | [
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
        ]
      | [
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
        ]
      | [
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
        ]
      | [
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
        ]
      | [
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
        ]
      | [
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
        ]
      | [
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
          {
            role: string
            scope:
              | (
                  | {
                      kind: 'faculty' | 'department' | 'division' | 'unit' | 'committee' | 'post'
                      id: string
                    }
                  | {
                      kind: 'flow'
                      id: string
                    }
                )
              | null
          },
        ]
    /**
     * @maxItems 20
     */
    end?:
      | []
      | [string]
      | [string, string]
      | [string, string, string]
      | [string, string, string, string]
      | [string, string, string, string, string]
      | [string, string, string, string, string, string]
      | [string, string, string, string, string, string, string]
      | [string, string, string, string, string, string, string, string]
      | [string, string, string, string, string, string, string, string, string]
      | [string, string, string, string, string, string, string, string, string, string]
      | [string, string, string, string, string, string, string, string, string, string, string]
      | [string, string, string, string, string, string, string, string, string, string, string, string]
      | [string, string, string, string, string, string, string, string, string, string, string, string, string]
      | [string, string, string, string, string, string, string, string, string, string, string, string, string, string]
      | [
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
        ]
      | [
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
        ]
      | [
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
        ]
      | [
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
        ]
      | [
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
        ]
      | [
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
          string,
        ]
  }
  answer: GrantEffect
}

/**
 * Who would gain and lose a group with these roles; nothing is done
 */
export interface ShowGroupEffect {
  params: {
    name: string
  }
  body: {
    /**
     * @maxItems 200
     */
    roles: string[]
  }
  answer: {
    gaining: CountUpTo
    losing: CountUpTo
    /**
     * The first twenty
     */
    people: {
      id: string
      name: string
      gains: boolean
    }[]
  }
}

/**
 * Signs in with a passkey, which stands for the password and the second factor
 */
export interface SignInWithPasskey {
  body: {
    challenge: string
    response: {
      id: string
      response: {}
    }
    /**
     * `web` has the refresh token in a cookie
     */
    client_id?: string
  }
  answer: Tokens
}

/**
 * Ends every session of somebody
 */
export interface SignOutPerson {
  params: {
    id: string
  }
  body: {
    reason: string
  }
}

/**
 * Signs for an own instalment
 */
export interface SignOwnRunLine {
  params: {
    line: string
  }
  answer: {
    items: OwnRunLine[]
  }
}

/**
 * Notes signatures: by the codes of students at the counter, or lines of the printed sheet
 */
export interface SignRunLines {
  params: {
    id: string
  }
  body: {
    /**
     * @maxItems 500
     */
    lines?: string[]
    /**
     * @maxItems 500
     */
    codes?: string[]
  }
  answer: {
    signed: number
  }
}

/**
 * Begins one act on many tasks, which goes on by itself; one at a time per person
 */
export interface StartBulk {
  body: BulkRequest
  answer: {
    id: string
  }
}

/**
 * Leads a browser to the identity server, which leads it back
 */
export interface StartSignInAtIdentityServer {
  query: {
    to: string
  }
}

/**
 * Leaves alone whom the running batch has not come to yet
 */
export interface StopBatch {
  params: {
    area: string
    flow: string
    item: string
  }
  answer: Batch
}

/**
 * Leaves alone what an own act on many tasks has not come to yet
 */
export interface StopBulk {
  params: {
    id: string
  }
  answer: BulkActionWithItems
}

/**
 * Stops a migration: what has moved stays moved, all else stays where it is
 */
export interface StopMigration {
  params: {
    process: string
    id: string
  }
  body: {
    reason: string
  }
}

/**
 * Begins a case
 */
export interface SubmitCase {
  body: {
    flow: string
    data: {
      [k: string]: unknown
    }
    /**
     * Whose case it is to be, where the flow allows that
     */
    for?: {
      accountId: string
    }
  }
  answer: Case
}

/**
 * Begins a case of a public flow without signing in; a link to confirm it is mailed
 */
export interface SubmitCaseAsGuest {
  body: {
    flow: string
    data: {
      [k: string]: unknown
    }
    account: {
      [k: string]: unknown
    }
    /**
     * That an account is made for them
     */
    understood: true
  }
  answer: {
    reference: string
    reservationId: string | null
    /**
     * With the reference, opens the case to follow it
     */
    trackingSecret: string
    expiresAt: string
    /**
     * The address that was given, masked
     */
    emailedTo: string
  }
}

/**
 * Takes back the name that one has asked for
 */
export interface TakeBackMyName {
  params: {
    id: string
  }
}

/**
 * A token to follow a case with, for half an hour; it goes along as `Authorization: Tracking <token>`
 */
export interface TrackCase {
  body: {
    reference: string
    secret: string
  }
  answer: {
    token: string
    expiresAt: string
  }
}

/**
 * Asks a decision table on the engine: which rows are hit, and what they give; nothing of it stays
 */
export interface TryDecisionTable {
  params: {
    process: string
  }
  body: {
    /**
     * DMN 1.3
     */
    dmn: string
    decision: string
    inputs: {
      [k: string]: string | number | boolean | null
    }
  }
  answer: {
    rules: string[]
    outputs: {
      [k: string]: string | number | boolean | null
    }[]
  }
}

/**
 * Takes those decisions of an own act on many tasks back that have not been sent, and stops it
 */
export interface UndoBulk {
  params: {
    id: string
  }
  answer: BulkActionWithItems
}

/**
 * Takes an own decision back that was made with `notBefore` and has not been sent yet
 */
export interface UndoTask {
  params: {
    id: string
  }
  answer: Task
}

/**
 * Gives the own lock of the draft back
 */
export interface UnlockModelDraft {
  params: {
    process: string
  }
}

/**
 * Stores a file; its id then stands in the form that it belongs to
 */
export interface UploadFile {
  body: {
    form?: string
    register?: string
    field?: string
    file: string
  }
  answer: UploadedFile
}

/**
 * Stores a file; its id then stands in the form that it belongs to
 */
export interface UploadTrackedFile {
  body: {
    form?: string
    register?: string
    field?: string
    file: string
  }
  answer: UploadedFile
}

/**
 * What speaks against instructions, and which cases they leave where they are
 */
export interface ValidateMigration {
  params: {
    process: string
  }
  body: {
    from: string
    to: string
    /**
     * @maxItems 500
     */
    instructions: MigrationInstruction[]
  }
  answer: {
    problems: {
      /**
       * The element that the instruction leads on from; empty where it is the whole
       */
      element: string
      reason: string
    }[]
    /**
     * Elements at which cases stand and from which no instruction leads on
     */
    open: {
      element: string
      name: string
      cases: number
    }[]
  }
}

/**
 * Checks the chain of some days, link by link, and says what is wrong first; also where it was written anew
 */
export interface VerifyAudit {
  query: {
    from?: string
    until?: string
  }
  answer: {
    links: number
    from: string | null
    to: string | null
    /**
     * Entries whose details were erased by an act
     */
    erased: number
    /**
     * Entries whose details are gone, and no act erased them
     */
    missing: number
    checkpoints: number
    vouched: string | null
    /**
     * Entries after the last signature
     */
    unvouched: number
    /**
     * Rows that the search has, or has not, otherwise than the entries say
     */
    search: {
      missing: number
      altered: number
      extra: number
      first: {
        sequence: string | null
        entryId: string
        harm: 'missing' | 'altered' | 'extra'
      } | null
    }
    first: {
      harm:
        | 'altered'
        | 'missing'
        | 'removed'
        | 'reordered'
        | 'inserted'
        | 'unsigned'
        | 'rewritten'
        | 'unvouched'
        | 'signature-removed'
        | 'key-replaced'
      sequence: string
      entryId: string | null
      text: string
    } | null
  }
}

/**
 * What an issued document is, for whoever has its code; nothing else of its case is said
 */
export interface VerifyDocument {
  params: {
    code: string
  }
  answer: {
    title: string
    number: string
    holder: string
    issuedAt: string
    /**
     * The desks that have signed it
     */
    signedBy: string[]
    state: 'valid' | 'withdrawn' | 'replaced'
    endedAt: string | null
    /**
     * Of the file that was issued
     */
    sha256: string
  }
}

/**
 * Ends an own case, as long as its diagram allows that
 */
export interface WithdrawCase {
  params: {
    id: string
  }
  body: {
    reason: string
  }
  answer: Case
}

/**
 * Takes back a question that has not been answered yet
 */
export interface WithdrawQuestion {
  params: {
    id: string
  }
  answer: Task
}

/**
 * Withdraws the case
 */
export interface WithdrawTrackedCase {
  body: {
    reason: string
  }
  answer: TrackedCase
}
