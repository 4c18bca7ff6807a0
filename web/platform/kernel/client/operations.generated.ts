// Made by `npm run generate` out of the routes of the API. Not to be edited.

export interface Account {
  id: string
  username: string
}

export interface ActedLines {
  done: number
  /**
   * Lines on which it had no effect, with the reason
   */
  refused: {
    line: string
    name: string
    code: string
    message: string
  }[]
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
   * Parts of the current case that differ from the sealed record, or were never sealed
   */
  unlike: {
    part:
      | 'case'
      | 'steps'
      | 'sent'
      | 'tasks'
      | 'titles'
      | 'dues'
      | 'times'
      | 'names'
      | 'documents'
      | 'versions'
      | 'mails'
      | 'decisions'
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
   * The name comes from a register entry, or the system acted
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
   * Details were erased on request
   */
  erased: boolean
  /**
   * Details are missing although no erasure covers them
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
   * Number of people in each state
   */
  counts: {
    'to-open': number
    'out-of-use': number
    'no-account': number
    'left-out': number
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
    state: 'to-open' | 'out-of-use' | 'no-account' | 'left-out' | 'asked' | 'under-way' | 'done' | 'ended'
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
   * The decision; goes with `data`
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
   * The new assignee
   */
  to?: string
  /**
   * Until then each decision can be undone separately
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
   * One line that identifies the case to people
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
   * Current data: the start form with all later changes
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
   * Acts that you may use now
   */
  acts: CaseAct[]
  /**
   * Entries of registers as they are now
   */
  shows: {
    name: string
    schema: {
      /**
       * This interface was referenced by `undefined`'s JSON-Schema definition
       * via the `patternProperty` "^.*$".
       */
      [k: string]: unknown
    }
    /**
     * Names of the facts that belong to it
     */
    facts: string[]
    /**
     * Null while the status of the case shows none
     */
    items:
      | {
          id: string
          data: {
            /**
             * This interface was referenced by `undefined`'s JSON-Schema definition
             * via the `patternProperty` "^.*$".
             */
            [k: string]: unknown
          }
        }[]
      | null
  }[]
  follows: LinkedCase | null
  /**
   * Cases that follow from it, oldest first
   */
  linked: LinkedCase[]
  /**
   * Cases of other flows that you may begin from it now
   */
  offers: {
    name: string
    flow: string
    /**
     * Label of its button
     */
    title: string
    /**
     * Path of the page that begins it, with its fields filled in
     */
    page: string
  }[]
  /**
   * Questions to the requester, oldest first
   */
  questions: CaseQuestion[]
  /**
   * Questions to people without an account, who answer by a mailed link; oldest first
   */
  mailed: {
    name: string
    question: string
    askedAt: string
    closesAt: string
    outcome: Named | null
    data: {
      /**
       * This interface was referenced by `undefined`'s JSON-Schema definition
       * via the `patternProperty` "^.*$".
       */
      [k: string]: unknown
    } | null
    /**
     * The form that `data` conforms to
     */
    formHash: string
    answeredAt: string | null
    /**
     * The answer came too late and does not count
     */
    void: boolean
  }[]
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
   * Documents issued under a number
   */
  documents: {
    id: string
    kind: string
    number: string
    issuedAt: string
    /**
     * Time when it ceased to be valid
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
  /**
   * Register entries that fields of the form cannot name now, or that suit best, with the reason
   */
  unavailable: {
    field: string
    item: string
    why: string
    /**
     * It can be named, and suits best
     */
    suits: boolean
    title: string | null
  }[]
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
   * Waiting for an answer
   */
  open: boolean
}

export interface CaseSummary {
  id: string
  reference: string
  flow: string
  flowTitle: string
  /**
   * One line that identifies the case to people
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
   * Only its author reads a note; an opinion was given with a task that was handed back
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

export interface CurriculumComparison {
  /**
   * All versions of the degree program, the first one first
   */
  versions: {
    id: string
    title: string
    version: number
    status: string
  }[]
  before: string | null
  after: string | null
  credits: {
    before: number
    after: number
  }
  /**
   * Credits of each semester and, where it is null, of the year
   */
  totals: {
    year: number
    semester: number | null
    before: number
    after: number
  }[]
  rows: {
    subject: CalendarFeedItem
    is: 'added' | 'removed' | 'changed' | 'same'
    before: CurriculumPlace | null
    after: CurriculumPlace | null
  }[]
}

export interface CurriculumPlace {
  year: number
  semester: number
  kind: string
  /**
   * Those of the subject, if the curriculum gives none
   */
  credits: number
  /**
   * The codes of its prerequisites
   */
  needs: string
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

export interface Dispensing {
  status: string
  /**
   * Of the prescription; every part that is given raises it
   */
  version: number
  mayDispense: boolean
  allergies: string | null
  advice: string | null
  /**
   * What was given and refused so far
   */
  parts: {
    title: string
    units: number
    refused: string | null
    by: string | null
    at: string
  }[]
  lines: {
    item: string
    title: string
    unit: string
    /**
     * Dose and frequency
     */
    dose: string
    days: number | null
    /**
     * Still to be given; of one that is dispensed, what was given
     */
    units: number
    /**
     * Given before
     */
    given: number
    refused: string | null
    left: number | null
    batches: {
      batch: string
      number: string
      expiresOn: string
      units: number
    }[]
  }[]
}

export interface EntryBatch {
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
  /**
   * The first hundred of the newest batch, refused ones first
   */
  entries: {
    id: string
    title: string
    state: 'waiting' | 'done' | 'refused' | 'stopped'
    case: {
      id: string
      reference: string
    } | null
    message: string | null
  }[]
}

export interface EntryCase {
  id: string
  reference: string
  status: Named
  state: string
  endReason: string | null
}

export interface EntryPreview {
  total: number
  /**
   * Items for which a case can begin
   */
  ready: number
  /**
   * Changes when another item is ready, or one has changed
   */
  stamp: string
  /**
   * The first hundred mails, each as its recipient gets it
   */
  mails: {
    id: string
    title: string
    to: string
    language: 'en' | 'si' | 'ta'
    subject: string
    body: string
  }[]
  /**
   * The first hundred items that are left out, and why
   */
  leftOut: {
    id: string
    title: string
    message: string
  }[]
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

export interface FreeVehicles {
  vehicles: {
    id: string
    number: string
    model: string
    kind: string
    seats: number
    why: ('taken' | 'hire-over' | 'not-licensed') | null
  }[]
  crew: {
    id: string
    name: string
    duty: 'driver' | 'helper'
    contact: string
    licence: string | null
    why: ('taken' | 'no-driving-licence' | 'rests' | 'out-too-long') | null
    rests: string | null
  }[]
  /**
   * Planned trips that include the span and have room, those of the same way first
   */
  trips: {
    id: string
    reference: string
    route: string
    from: string
    until: string
    vehicle: string
    driver: string
    passengers: number
    /**
     * Free seats
     */
    left: number
    /**
     * It goes to the place, or by it
     */
    sameWay: boolean
  }[]
}

export interface GatherPreview {
  total: number
  /**
   * Items that a case would name
   */
  ready: number
  /**
   * Changes when another item is ready, or one has changed
   */
  stamp: string
  /**
   * The cases that would begin
   */
  cases: {
    /**
     * Status of its items, in words
     */
    status: string
    /**
     * What its items have in common
     */
    titles: string[]
    count: number
  }[]
  /**
   * The first hundred items that are left out, and why
   */
  leftOut: {
    id: string
    title: string
    message: string
  }[]
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
     * Number of assigned tasks that would become free again
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
  /**
   * Text keys of all columns, by name
   */
  titles: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     */
    [k: string]: string
  }
  errors: {
    /**
     * Line of the file where the row begins; the header is line 1
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
   * Total number of errors; `errors` holds the first of them
   */
  errorCount: number
  /**
   * The first rows, as parsed
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
   * Number of rows without an error
   */
  right: number
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
   * Query string, as in the address bar
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
   * The model or the scenario has changed since
   */
  outdated: boolean
  reasons: {
    element: string | null
    reason: string
    step?: number
  }[]
}

export interface LinkedCase {
  id: string | null
  reference: string
  flowTitle: string
  status: Named
  createdAt: string
  /**
   * It still runs, and ends if the case that it follows from does not take place
   */
  endsToo: boolean
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
     * The name comes from a register entry
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
   * Facts that are shown
   */
  shownFacts: string[]
  /**
   * Units of facts that are amounts
   */
  factUnits: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     */
    [k: string]: string
  }
  data: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     */
    [k: string]: unknown
  }
  /**
   * The form that `data` conforms to
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

export interface MailedQuestion {
  flowTitle: string
  question: string
  /**
   * The person who is asked
   */
  name: string
  /**
   * In which the person is written to
   */
  language: 'en' | 'si' | 'ta'
  closesAt: string
  shown: {
    label: string
    value: string
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
   * Another version has been deployed since it was opened
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
     * Id of the element; of the process or `definitions` for the whole model
     */
    element: string
    reason: string
    level: 'error' | 'warning'
    source: 'gate' | 'lint'
    /**
     * Name of the lint rule
     */
    rule?: string
    /**
     * Who must be listed in its four eyes: `requester`, or the id of a desk
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
   * Number of running cases
   */
  running: number
  /**
   * Number of ended cases
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
   * Succeeded, waits for its requester, or ended unsuccessfully; absent while in progress
   */
  meaning?: 'done' | 'returned' | 'ended'
  /**
   * Only for the audit trail; not shown where people see the case
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
   * The name comes from a register entry
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

export interface OccupancyPlan {
  on: string
  rooms: {
    id: string
    number: string
    hostel: string
    floor: number
    accessible: boolean
    year: number | null
    /**
     * It takes students
     */
    isOpen: boolean
    beds: {
      bed: number
      stay: string | null
      student: string | null
      /**
       * The student has moved in
       */
      livesThere: boolean
      until: string | null
    }[]
  }[]
}

export interface OpenEntry {
  id: string
  title: string
  data: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     */
    [k: string]: unknown
  }
  /**
   * YYYY-MM-DD
   */
  opens: string
  /**
   * YYYY-MM-DD
   */
  closes: string
  state: 'coming' | 'open' | 'closed'
  places: {
    there: number
    free: number
  } | null
}

export interface Owed {
  items: {
    id: string
    /**
     * The register or flow
     */
    kind: string
    /**
     * In your language
     */
    what: string
    title: string
    due: string | null
  }[]
}

export interface OwnAccount {
  bank: string
  branch: string
  /**
   * The last digits of its number
   */
  ending: string
  status: string
  /**
   * Whether instalments go to it
   */
  active: boolean
}

export interface OwnAward {
  id: string
  title: string
  scheme: string | null
  from: string | null
  until: string | null
  amount: number | null
  status: string
  /**
   * Whether it is paid
   */
  active: boolean
  /**
   * Whether all documents are here
   */
  complete: boolean
  reason: string | null
  since: string | null
}

export interface OwnRecord {
  /**
   * Text key
   */
  title: string
  steps: {
    name: string
    /**
     * Text key
     */
    title: string
    optional: boolean
    state: 'open' | 'done' | 'to-correct'
    form: FormKey
    initial: {
      /**
       * This interface was referenced by `undefined`'s JSON-Schema definition
       * via the `patternProperty` "^.*$".
       */
      [k: string]: unknown
    }
    data: {
      /**
       * This interface was referenced by `undefined`'s JSON-Schema definition
       * via the `patternProperty` "^.*$".
       */
      [k: string]: unknown
    } | null
    draft: {
      /**
       * This interface was referenced by `undefined`'s JSON-Schema definition
       * via the `patternProperty` "^.*$".
       */
      [k: string]: unknown
    } | null
    version: number | null
    savedAt: string | null
  }[]
}

export interface OwnRunLine {
  id: string
  scheme: string
  month: string
  /**
   * In cents
   */
  total: number
  /**
   * The former months whose arrears it pays, and why they were not paid then
   */
  owed: {
    month: string
    state: 'included' | 'held' | 'struck' | 'left-out' | 'returned'
    reason: string | null
    /**
     * In cents
     */
    amount: number
  }[]
  owedAfterAll: boolean
  state: 'included' | 'held' | 'struck' | 'left-out' | 'returned' | 'paid'
  reason: string | null
  said: string | null
  signature: 'pending' | 'signed'
  code: string | null
}

export interface PageCount {
  value: number
  /**
   * The actual number is higher than `value`
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
   * The name comes from a register entry
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
   * Number of sessions that continue
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
   * May request erasure of their details from the audit trail
   */
  mayErase: boolean
  mayGrant: {
    role: string
    /**
     * May be granted at any unit; otherwise only at those listed
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
   * The name comes from a register entry
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
   * What went wrong, in words
   */
  title: string
  status: number
  detail?: string
  /**
   * Error code
   */
  code: string
  /**
   * Errors by field; form fields as JSON pointers
   */
  errors: {
    field: string
    code: string
    message: string
  }[]
  /**
   * Identifies this request in the logs
   */
  reference?: string
  /**
   * From the token endpoint: error code of RFC 6749, section 5.2
   */
  error?: string
  /**
   * From the token endpoint: the title, for developers
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
   * You proposed it
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
   * Titles of referenced items, by id
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
   * Its items are people who are cleared by you: `owed` lists what each of yours still has
   */
  clears?: boolean
  /**
   * Fields that name the person an item is about
   */
  ownBy?: string[]
  /**
   * Of the items of others you see those entrusted to you: list with `entrusted`
   */
  entrustedOnly?: boolean
  /**
   * You add and change the items about you, and no others
   */
  writesOwn: boolean
  /**
   * Flows that can be opened for everybody an item is meant for
   */
  batches: string[]
  related: {
    register: string
    /**
     * Field of that register that refers to an item of this one
     */
    field: string
    /**
     * Text key
     */
    title: string
    /**
     * Fields shown beside the title of each item
     */
    columns?: string[]
    /**
     * A field with a picture of each item
     */
    picture?: string
    /**
     * Items of all statuses are shown, not only those in use
     */
    states?: boolean
    /**
     * Each item should have one; `lacks` finds those without
     */
    wanted?: boolean
  }[]
  /**
   * Statuses that only cases end
   */
  held: string[]
  /**
   * Statuses after which an item can no longer change
   */
  final: string[]
  /**
   * Statuses that you may set
   */
  settable: string[]
  /**
   * Statuses that you may set for many items at once, each with the statuses of items that get it
   */
  inBulk: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     */
    [k: string]: string[]
  }
  /**
   * Flows that you may open for each of many items
   */
  entryFlows: {
    flow: string
    /**
     * Text key
     */
    title: string
  }[]
  /**
   * Flows that you may start for many items at once
   */
  gatherFlows: {
    flow: string
    /**
     * Text key
     */
    title: string
    /**
     * Fields of its form that the items fill in
     */
    fills: string[]
  }[]
  /**
   * Text key of what is said once an item is saved
   */
  saved?: string
  /**
   * How a new item is made from an item: the field that counts versions, those that are entered again
   */
  versions?: {
    next: string
    clears: string[]
    compare?: string
  }
  /**
   * Items are created by the system; people change only their status
   */
  fixed: boolean
  /**
   * Fields of a fixed register that people change
   */
  corrected?: string[]
  /**
   * Reports on an item, each with the name of its filter for the item
   */
  reports: {
    report: string
    field: string
    /**
     * Text key
     */
    title: string
  }[]
  expires?: {
    /**
     * Field with the last day of an item
     */
    until: string
    /**
     * Days before it from which an item ends soon
     */
    soon: number
  }
  /**
   * Each item has a paper: `/items/{id}/paper.pdf`
   */
  prints: boolean
  /**
   * Chosen items can be printed together: `/sheet.pdf`
   */
  sheets: boolean
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
  /**
   * Title of the item that it belongs to (`belongsTo`)
   */
  owner?: string
  /**
   * It ends soon, or has ended, and no later item replaces it (`expires`)
   */
  ends?: boolean
}

export interface RegisterItemPage {
  items: RegisterItem[]
  next: string | null
  count: PageCount
  /**
   * Titles of referenced items, by id
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
   * Title of the item that it belongs to (`belongsTo`)
   */
  owner?: string
  /**
   * It ends soon, or has ended, and no later item replaces it (`expires`)
   */
  ends?: boolean
  /**
   * Titles of referenced items, by id
   */
  titles: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     */
    [k: string]: string
  }
  mayChange: boolean
  corrects: string[] | null
  ledBy: {
    id: string
    reference: string
    /**
     * Text key
     */
    title: string
  } | null
  sealed: {
    openUntil: string | null
    mayOpen: boolean
    /**
     * You have opened them, but nobody can read them: their key is lost
     */
    lost: boolean
    /**
     * What the person shows does not open it
     */
    restricted: boolean
    /**
     * What opens it without the person
     */
    reasons: {
      const: string
      /**
       * Text key
       */
      title: string
    }[]
  } | null
  /**
   * Entries to which the item leads (`tells`)
   */
  tells: {
    /**
     * Text key
     */
    title: string
    entries: {
      id: string
      register: string
      title: string
      /**
       * You see this entry
       */
      sees: boolean
    }[]
  }[]
  /**
   * The selections of the register that the item is among
   */
  selections: string[]
}

export interface Rehearsal {
  runId: string
  /**
   * Numbers of cases that an operator moved, which no model can follow
   */
  leftOut: string[]
}

export interface Release {
  deployed?: Deployment
  /**
   * The proposal waiting for another owner
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
   * JSON Schema of the filters
   */
  filterForm: {
    [k: string]: unknown
  }
  /**
   * Filters in effect, including defaults
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
   * Keyed by column; cents, hours, days and timestamps as numbers and strings
   */
  rows: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     */
    [k: string]: unknown
  }[]
  /**
   * There are more rows
   */
  more: boolean
  totals: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     */
    [k: string]: number
  }
  /**
   * With this filter it can be printed as a statement
   */
  statement: boolean
}

export interface ReportColumn {
  name: string
  /**
   * Text key
   */
  title: string
  as: 'text' | 'cents' | 'count' | 'hours' | 'day' | 'moment' | 'case' | 'word'
  /**
   * Its total is shown below the rows
   */
  total: boolean
}

export interface ResourceAvailability {
  /**
   * By name, at most 500
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
     * Occupied times, including the buffer before and after
     */
    taken: Span[]
  }[]
  /**
   * There are more resources than listed
   */
  more: boolean
}

export interface ResourceOverview {
  from: string
  until: string
  months: string[]
  /**
   * Those of your units, at most 200
   */
  resources: CalendarFeedItem[]
  /**
   * There are more resources than listed
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
     * In hours
     */
    booked: number
    /**
     * In hours
     */
    open: number
  }[]
  income: {
    resource: string
    month: string
    /**
     * In cents
     */
    hire: number
    /**
     * In cents
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
     * Hours from arrival at the desk to the decision
     */
    median: number
    /**
     * In hours
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
  /**
   * How many of its cheques are numbered
   */
  cheques: number
  bankFileAt: string | null
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
    /**
     * Included lines with the bank account of another student
     */
    shared: number
    changed: number
    leftOut: {
      reason: string
      count: number
    }[]
  }
  /**
   * Desks that have approved it, in order
   */
  agreed: {
    desk: string
    name: string
    at: string
    you: boolean
  }[]
  /**
   * What you may do with its lines now
   */
  may: {
    act: boolean
    desk: string | null
    answer: boolean
    sign: boolean
    /**
     * And settle; once the file for the bank was taken
     */
    giveBack: boolean
    bankFile: boolean
    owe: boolean
    numberCheques: boolean
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
  cheque: string | null
  state: 'included' | 'held' | 'struck' | 'left-out' | 'returned' | 'paid'
  reason: string | null
  questionOpen: boolean
  questionDesk: string | null
  /**
   * Registration numbers of other students with this bank account
   */
  sharedWith: string[]
  signature: 'pending' | 'signed'
  /**
   * Left out by a paid run, for a reason that may be gone
   */
  mayBeOwed: boolean
  /**
   * Left out, and owed: the next run pays it
   */
  owedAfterAll: boolean
  /**
   * The former months whose arrears it pays, and why they were not paid then
   */
  owed: {
    month: string
    state: 'included' | 'held' | 'struck' | 'left-out' | 'returned'
    reason: string | null
    /**
     * In cents
     */
    amount: number
  }[]
  /**
   * Desks that approved it before it changed
   */
  changedSince: {
    name: string
    you: boolean
  }[]
  /**
   * Something but a signature happened to it: see its events
   */
  hasHistory: boolean
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

export interface Signatures {
  signed: number
  /**
   * Whose lines were signed by their codes
   */
  byCode: {
    name: string
    code: string
    /**
     * In cents
     */
    total: number
  }[]
  /**
   * Lines on which it had no effect, with the reason
   */
  refused: {
    line: string
    name: string
    code: string
    message: string
  }[]
}

export interface Span {
  from: string
  until: string
}

export interface StockMovement {
  id: string
  kind: 'received' | 'issued' | 'counted' | 'corrected'
  /**
   * Positive: in; negative: out
   */
  units: number
  reason: string
  by: string | null
  confirmedBy: string | null
  dropped: {
    /**
     * Name
     */
    by: string
    reason: string
  } | null
  at: string
}

export interface StockShelf {
  id: string
  title: string
  /**
   * In use: more of it is received
   */
  active: boolean
  /**
   * Text key
   */
  unit: string
  /**
   * Below this it is ordered again
   */
  least: number
  /**
   * Units that can be issued
   */
  usable: number
  /**
   * Those with units on hand, what expires first first
   */
  batches: {
    id: string
    number: string
    expiresOn: string
    status: string
    onHand: number
    /**
     * Those of them that do not wait to be removed
     */
    free: number
    expired: boolean
    waits: {
      id: string
      /**
       * Units that leave
       */
      units: number
      reason: string
      /**
       * Name of who proposed it
       */
      by: string
      mayConfirm: boolean
    } | null
  }[]
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
   * One line that identifies the case to people
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
   * A question to the requester is unanswered
   */
  asked: boolean
  /**
   * Number of comments on the case that you may read
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
   * Values of the flow’s columns, in words
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
 * What you may do now
 */
export interface TaskRights {
  /**
   * Also takes back a task that they gave to somebody for an opinion
   */
  claim: boolean
  release: boolean
  assign: boolean
  /**
   * Takes it from its assignee
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
   * Reads and writes comments, and appears as present
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
   * Acts that you may use now
   */
  acts: CaseAct[]
  /**
   * Documents issued under a number
   */
  documents: {
    id: string
    kind: string
    number: string
    issuedAt: string
    /**
     * Time when it ceased to be valid
     */
    endedAt: string | null
  }[]
  /**
   * The start form
   */
  form: {
    key: string
    hash: string
  }
  confirmUntil: string | null
  waitsWith: {
    name: string
    /**
     * Who it is offered to, in words; empty: the requester
     */
    principals: string[]
    since: string
    dueAt: string | null
  }[]
  /**
   * What waits for the requester
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
   * Question from a desk
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

export interface VehicleBoard {
  vehicles: {
    id: string
    title: string
    status: string
    seats: number
    licence: string | null
    /**
     * It has never had a licence, or an insurance
     */
    unlicensed: boolean
    service: string | null
    trips: {
      id: string
      reference: string
      route: string
      from: string
      until: string
      driver: string
      contact: string
      passengers: number
      status: string
      /**
       * Its time is over, and no chart is entered yet
       */
      late: boolean
    }[]
  }[]
  /**
   * Trips to come whose vehicle, driver or helper cannot make them any more; for the office
   */
  unfit: {
    case: string
    reference: string
    route: string
    from: string
    until: string
    vehicle: string
    driver: string
    why: {
      /**
       * Key of the text
       */
      code: string
      values: {
        /**
         * This interface was referenced by `undefined`'s JSON-Schema definition
         * via the `patternProperty` "^.*$".
         */
        [k: string]: string | number
      }
    }[]
  }[]
  /**
   * Trips of any day whose time is over, and of which no chart is entered yet; for the office
   */
  late: {
    case: string
    reference: string
    route: string
    from: string
    until: string
    vehicle: string
    driver: string
  }[]
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
  people: {
    candidate: string
    title: string
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
   * Who it is offered to, in words
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
 * Use an act of your case, as long as its diagram waits for it
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
 * Query, answer, hold, release or strike a line while a desk decides about its run
 */
export interface ActOnRunLine {
  params: {
    id: string
    line: string
  }
  body: {
    act: 'question' | 'answer' | 'withdraw' | 'hold' | 'release' | 'strike'
    text: string
  }
  answer: Run
}

/**
 * Hold back, release or strike many lines with one reason, while a desk decides about their run
 */
export interface ActOnRunLines {
  params: {
    id: string
  }
  body: {
    act: 'hold' | 'release' | 'strike'
    text: string
    /**
     * @minItems 1
     * @maxItems 500
     */
    lines: [string, ...string[]]
  }
  answer: ActedLines
}

/**
 * Use an act that the case offers its requester
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
 * Add a comment, or a note to yourself; people mentioned are notified
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
 * Add a notification for yourself
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
 * Register a passkey that the browser created; the password alone no longer signs in
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
 * Answer with the link of an email, once
 */
export interface AnswerMailedQuestion {
  params: {
    token: string
  }
  body: {
    data: {
      [k: string]: unknown
    }
  }
  answer: {
    /**
     * Saved and in effect, or saved
     */
    state: 'done' | 'accepted'
  }
}

/**
 * Answer a question about your case
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
 * Answer a question from a desk about the case
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
 * Start a case of a flow that gives its guests an account; a link to confirm the address is mailed
 */
export interface ApplyWithAccount {
  body: {
    flow: string
    data: {
      [k: string]: unknown
    }
    account: {
      [k: string]: unknown
    }
    begun?: string
  }
  answer: {
    username: string
    caseId: string
    reference: string
  }
}

/**
 * Appoint a person to a post; the appointment of the previous holder ends at the same time
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
 * Check whether the slot in a start form is available; if not, why, and what is available instead
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
 * Request a change of name, which another person confirms; for people without a register entry
 */
export interface AskForMyName {
  body: {
    name: string
  }
  answer: NameChange
}

/**
 * Request erasure of a person’s details from the audit trail; the head of internal audit decides
 */
export interface AskPersonErasure {
  params: {
    id: string
  }
  body: {
    reason: string
    /**
     * Name of the person, typed as confirmation
     */
    confirmation: string
  }
  answer: Erasure
}

/**
 * Ask the requester a question; the task waits for the answer
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
 * Request a waiver of the second owner, which another person confirms; for ADMIN and SA
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
 * Ask a colleague to substitute for you while you are away
 */
export interface AskSubstitute {
  body: {
    substitute: string
    from: string
    until: string
    /**
     * Omitted for every flow
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
     * The absent person, if an administrator makes the request
     */
    absent?: string
  }
  answer: Substitution
}

/**
 * Mail the link to confirm your address again
 */
export interface AskToConfirmEmail {
  answer: null
}

/**
 * Assign a task to another person it is offered to; leaders of the unit can also reassign it
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
 * Say that you begin the form for a register item; who has begun may send it a little later
 */
export interface BeginApplication {
  body: {
    flow: string
    item: string
  }
  answer: {
    id: string
    closesAt: string
    finishUntil: string | null
    now: string
  }
}

/**
 * Migrate all or selected running cases to another version, in the background
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
 * Open the draft of a flow from a version, or get the open one
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
 * Get the options for creating a passkey
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
 * Say that you begin the start form for a register item; who has begun may send it a little later
 */
export interface BeginStartForm {
  params: {
    area: string
    flow: string
  }
  body: {
    item: string
  }
  answer: {
    id: string
    closesAt: string
    finishUntil: string | null
    now: string
  }
}

/**
 * Start setting up an authenticator app; it takes effect when its first code is confirmed
 */
export interface BeginTotp {
  body: PasswordGiven
  answer: {
    secret: string
    uri: string
    /**
     * The URI as a QR code (SVG)
     */
    qr: string
  }
}

/**
 * Replace the roles that hold a group; send the version read as If-Match
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
 * Save your settings of the inbox
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
 * Change your view of the inbox
 */
export interface ChangeInboxView {
  params: {
    id: string
  }
  body: {
    version: number
    name?: string
    /**
     * Query string, as in the address bar
     */
    query?: {
      [k: string]: string
    }
    sharedWith?: string | null
  }
  answer: InboxView
}

/**
 * Replace the data of an item; needs If-Match
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
 * Change your language, or the emails you receive
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
 * Require the approval of another owner for deployments
 */
export interface ChangeModelSettings {
  params: {
    process: string
  }
  body: {
    /**
     * Lifting this takes two people: request a waiver
     */
    secondOwner: true
  }
  answer: ModelSettings
}

/**
 * Change your password and end all your other sessions
 */
export interface ChangeMyPassword {
  body: {
    current: string
    password: string
  }
}

/**
 * Use an uploaded picture as your photo, or remove the photo
 */
export interface ChangeMyPhoto {
  body: {
    file: string | null
  }
}

/**
 * Change, close or reopen an account; send the version read as If-Match
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
 * Change a scenario of the owners; those of the repository are changed there
 */
export interface ChangeScenario {
  params: {
    process: string
    id: string
  }
  body: Scenario
}

/**
 * Check why a case of a public flow would be refused to a guest; nothing is created
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
 * Find inputs of a decision table without a rule, with several rules, and rules that never apply
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
 * Check whether an email address can be used for a new account
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
 * Check a model for what prevents its deployment; without tables, those of the draft are used
 */
export interface CheckModel {
  params: {
    process: string
  }
  body: {
    /**
     * BPMN 2.0, at most 1 MiB
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
 * Compare two versions of the curriculum of a degree program, subject by subject
 */
export interface CompareCurriculums {
  params: {
    id: string
  }
  query: {
    with?: string
  }
  answer: CurriculumComparison
}

/**
 * Decide a task: `done`, or `accepted` while the engine catches up
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
     * Until then `undo` reverses it; a correction of the start form takes effect at once
     */
    notBefore?: string
  }
  answer: {
    state: 'done' | 'accepted'
    caseId: string
  }
}

/**
 * Submit the form that the case expects from its requester
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
 * Confirm a guest’s case with the token of the mailed link; the case then continues
 */
export interface ConfirmCaseAsGuest {
  body: {
    token: string
  }
  answer: {
    reference: string
    /**
     * It was already confirmed
     */
    repeated: boolean
    /**
     * The desks that have it; empty until it has reached the first one
     */
    waitsWith: {
      name: string
      /**
       * Who it is offered to, in words
       */
      principals: string[]
      dueAt: string | null
    }[]
  }
}

/**
 * Confirm your address with the token of a mailed link
 */
export interface ConfirmEmail {
  body: {
    token: string
  }
}

/**
 * Erase the details permanently; not at your own request
 */
export interface ConfirmErasure {
  params: {
    id: string
  }
  answer: Erasure
}

/**
 * Confirm the authenticator app with a code; sign-in asks for a code from now on
 */
export interface ConfirmTotp {
  body: {
    code: string
  }
  answer: {
    /**
     * Shown only this once; each code works once
     */
    recoveryCodes: string[]
  }
}

/**
 * Correct what is on hand of a batch by some units
 */
export interface CorrectStock {
  params: {
    area: string
    name: string
    id: string
  }
  body: {
    units: number
    reason: string
  }
  answer: {
    /**
     * Fewer units: they leave once a second person confirms it
     */
    waits: boolean
  }
}

/**
 * Set what was counted of a batch
 */
export interface CountStock {
  params: {
    area: string
    name: string
    id: string
  }
  body: {
    units: number
    reason: string
  }
  answer: {
    /**
     * Fewer units: they leave once a second person confirms it
     */
    waits: boolean
  }
}

/**
 * Count the tasks of each queue under the same filters
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
 * Create an applicant account; the password is set from this browser or by the mailed link
 */
export interface CreateApplicantAccount {
  body: {
    [k: string]: unknown
  }
  answer: Account
}

/**
 * Add an item
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
 * Create an account without roles, and mail its owner a link to set a password
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
 * Save a scenario of the flow
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
 * Decide the task of the link, which can be used once
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
 * Approve or reject the proposal of another owner, or withdraw your own
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
     * Deliberate: some rows of its tables need no decision
     */
    nobodyDecides?: boolean
  }
  answer: Decided
}

/**
 * Confirm or reject a requested change of name; not your own
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
 * Confirm or reject a waiver of the second owner, or withdraw your own request
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
 * Confirm units that somebody else counted or corrected down, or drop that with a reason
 */
export interface DecideStockReduction {
  params: {
    area: string
    name: string
    id: string
    reduction: string
  }
  body: {
    confirmed: boolean
    reason?: string
  }
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
 * Ask a colleague for an opinion: they hold the task until they return it, and may not decide it
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
 * Delete a saved search
 */
export interface DeleteAuditSearch {
  params: {
    id: string
  }
}

/**
 * Delete your comment; opinions cannot be deleted
 */
export interface DeleteComment {
  params: {
    id: string
  }
}

/**
 * Delete your view of the inbox
 */
export interface DeleteInboxView {
  params: {
    id: string
  }
}

/**
 * Delete one of your notifications
 */
export interface DeleteNotification {
  body: {
    id: string
  }
}

/**
 * Delete all your notifications
 */
export interface DeleteNotifications {}

/**
 * Delete a scenario of the owners
 */
export interface DeleteScenario {
  params: {
    process: string
    id: string
  }
}

/**
 * Deploy the draft, or propose it if the flow requires a second owner
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
     * Deliberate: some rows of its tables need no decision
     */
    nobodyDecides?: boolean
  }
  answer: Release
}

/**
 * Discard your draft
 */
export interface DiscardDraft {
  params: {
    id: string
  }
}

/**
 * Discard the draft
 */
export interface DiscardModelDraft {
  params: {
    process: string
  }
}

/**
 * Discard what was typed in a step since it was last complete
 */
export interface DiscardOwnRecordDraft {
  params: {
    area: string
    record: string
    step: string
  }
}

/**
 * Discard your draft of a start form
 */
export interface DiscardStartDraft {
  params: {
    area: string
    flow: string
  }
}

/**
 * Dispense lines of a prescription from stock, or refuse them; the batches are those that were read, and are in hand
 */
export interface Dispense {
  params: {
    id: string
  }
  body: {
    /**
     * The version of the prescription that was read
     */
    version: number
    /**
     * What is given now; lines that are neither given nor refused wait
     *
     * @maxItems 50
     */
    give: {
      /**
       * Its place in the prescription
       */
      line: number
      units: number
    }[]
    /**
     * @maxItems 50
     */
    refuse: {
      /**
       * Its place in the prescription
       */
      line: number
      reason: string
    }[]
    /**
     * @maxItems 200
     */
    batches: {
      batch: string
      units: number
    }[]
  }
}

/**
 * Get one side of the paper of an item as a picture
 */
export interface DrawItem {
  params: {
    area: string
    name: string
    id: string
  }
  query: {
    side: 'front' | 'back'
    version?: number
  }
}

/**
 * End a grant now or at a later time; a grant of a post ends with the appointment
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
 * End an appointment now or at a later time
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
 * End all your other sessions
 */
export interface EndMyOtherSessions {}

/**
 * End one of your sessions
 */
export interface EndMySession {
  params: {
    id: string
  }
}

/**
 * Remove all second factors of a person who has lost them, and end their sessions
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
 * Receive notice that sessions have ended at the identity server (OpenID Connect Back-Channel Logout)
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
 * Download a case with its whole history, as a dossier to print or as data
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
 * Export the chain over a range of days with its entries, one per line, for `npm run audit:verify -- FILE`; known faults are stated
 */
export interface ExportAuditChain {
  query: {
    from?: string
    until?: string
    registers?: boolean
  }
}

/**
 * Download a report of the audit trail as a spreadsheet
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
 * Download all entries of a search as a spreadsheet, without a limit
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
 * Download the whole list as CSV or XLSX
 */
export interface ExportBatchMembers {
  params: {
    area: string
    flow: string
    item: string
  }
  query: {
    format: 'csv' | 'xlsx'
    state?: 'to-open' | 'out-of-use' | 'no-account' | 'left-out' | 'asked' | 'under-way' | 'done' | 'ended' | 'not-done'
  }
}

/**
 * Download the lines, the bank file or the annexure, as CSV or XLSX
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
 * Download a queue of the inbox, at most 10,000 rows; if there are more, the last line and the header `x-rows-of-more` say so
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
 * Find people by part of their name
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
 * Get the form fields known about the person with a NIC or employee number: yourself, or somebody you book for
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
    associated_as: string | null
    accountId: string | null
  }
}

/**
 * Get the form fields that your own register entry fills in, if you have an entry
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
      associated_as: string | null
      accountId: string | null
      nic: string | null
      salutation: string | null
    } | null
  }
}

/**
 * Receive the browser from the identity server, open a session and redirect
 */
export interface FinishSignInAtIdentityServer {}

/**
 * Put a task off until a date, or resume it; a free task is assigned to you
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
 * Mail a link to set a password if the address has an account; the answer is the same if not
 */
export interface ForgotPassword {
  body: {
    [k: string]: unknown
  }
  answer: null
}

/**
 * Get a case as it was at a given time, or as it is now
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
 * List all public keys that have signed the chain, the current one first, as PEM
 */
export interface GetAuditKey {}

/**
 * Get a person by account
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
 * List refusals, substitutions, acts of administrators, grants, or desks that a table left out
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
     * Only some cases of the period were examined; the file has all
     */
    narrow: boolean
  }
}

/**
 * List the acts, flows and desks that occur in the audit trail
 */
export interface GetAuditVocabulary {
  answer: {
    actions: AuditWord[]
    flows: AuditWord[]
    desks: AuditWord[]
  }
}

/**
 * Get the state of an item’s cases and the progress of its newest batch
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
 * Get the progress of your bulk act, with the result for each task
 */
export interface GetBulk {
  params: {
    id: string
  }
  answer: BulkActionWithItems
}

/**
 * List the days of a year as set by the weekly pattern and the special days
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
 * Get a case with its submissions, open tasks and files
 */
export interface GetCase {
  params: {
    id: string
  }
  answer: Case
}

/**
 * Download a document issued in a case, such as its invoice, as PDF
 */
export interface GetCaseDocument {
  params: {
    id: string
    document: string
  }
}

/**
 * List what happened to a case, in words, oldest first
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
       * New status, in words
       */
      status?: string
    }[]
  }
}

/**
 * Get what a case fills in of the start form of another one that you may begin from it
 */
export interface GetCaseOffer {
  params: {
    id: string
    name: string
  }
  answer: {
    flow: string
    data: {
      [k: string]: unknown
    }
  }
}

/**
 * Get the path of a case through its diagram, and its current position
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
 * List the demonstration accounts and their password (demonstrations only)
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
 * Get what a prescription takes from stock; the record of its patient must be open
 */
export interface GetDispensing {
  params: {
    id: string
  }
  answer: Dispensing
}

/**
 * List earlier cases about the same item, as its flow defines; similar ones first
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
 * Get the progress of the newest batch, and the result of each item
 */
export interface GetEntryBatch {
  params: {
    area: string
    flow: string
  }
  answer: EntryBatch
}

/**
 * Stream hints about your lists, cases and tasks until the access token expires
 */
export interface GetEvents {}

/**
 * Download a file that is public, your own, part of a case or a register entry that you may see, or a colleague’s photo
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
 * Get a flow and its start form, in the newest deployed version
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
 * Get what a flow offers you: what you can request, why not, and what waits for you
 */
export interface GetFlowOpening {
  params: {
    area: string
    flow: string
  }
  answer: {
    message: string | null
    items:
      | {
          id: string
          title: string
          closesAt: string | null
        }[]
      | null
    /**
     * What is not for you or opens later, and why
     */
    unfit: {
      id: string
      title: string
      reason: string
    }[]
    /**
     * Your cases that wait for you
     */
    waiting: {
      task: string
      name: string
      reference: string
      title: string
      dueAt: string | null
    }[]
    /**
     * Your other cases, which prevent you from requesting the same again
     */
    already: {
      id: string
      reference: string
      title: string
    }[]
  }
}

/**
 * Get a form by its hash
 */
export interface GetForm {
  params: {
    hash: string
  }
  answer: FormKey
}

/**
 * Get a module whose `check(data)` returns the same field errors as the server
 */
export interface GetFormValidator {
  params: {
    hash: string
  }
}

/**
 * Get how cases ran through the elements of a flow in a period, by default the last 90 days
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
     * False if only the newest 20,000 cases were counted
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
       * Visits that have not ended
       */
      present: number
      /**
       * Visits of cases that had been there before
       */
      rework: number
      /**
       * Rejections
       */
      rejections: number
      /**
       * Reminders to assignees, as the desk promises
       */
      reminders: number
      /**
       * Escalation emails, as the desk promises
       */
      escalations: number
    }[]
  }
}

/**
 * Get how many rows of your running import are checked, or added; nothing is there before all of them are
 */
export interface GetImportProgress {
  params: {
    area: string
    name: string
    id: string
  }
  answer: {
    progress: {
      step: 'check' | 'add'
      done: number
      total: number
    } | null
  }
}

/**
 * Get a CSV file with the columns of an import, for some registers with a line for each item to write about
 */
export interface GetImportTemplate {
  params: {
    area: string
    name: string
  }
}

/**
 * Get your settings of the inbox: start view, density, grouping, columns by flow
 */
export interface GetInboxChoice {
  answer: InboxChoice
}

/**
 * Get an item; send its ETag as If-Match when changing it. Reading sensitive fields is recorded in the audit trail
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
 * Report that the process is running
 */
export interface GetLiveness {
  answer: {
    live: true
  }
}

/**
 * Get an email (demonstrations only)
 */
export interface GetMail {
  params: {
    id: string
  }
  answer: Mail
}

/**
 * Get your account, with what you may act as now
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
     * The name comes from a register entry
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
       * Number of unused codes
       */
      recoveryCodes: number
      /**
       * You must set one up before anything else
       */
      wanted: boolean
    }
    setPasswordAt: string | null
  }
}

/**
 * Get metrics for Prometheus (from this machine, or for ADMIN and SA)
 */
export interface GetMetrics {}

/**
 * Get the progress of a migration and the result for each case, cases not migrated first
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
 * Get the open draft of a flow
 */
export interface GetModelDraft {
  params: {
    process: string
  }
  answer: ModelDraft
}

/**
 * Get what another owner is asked to approve, as it was proposed
 */
export interface GetModelProposal {
  params: {
    process: string
    id: string
  }
  answer: Proposal
}

/**
 * Get the diagram and the decision tables of a version
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
 * List everything that a model of the flow may refer to
 */
export interface GetModelVocabulary {
  params: {
    process: string
  }
  answer: Vocabulary
}

/**
 * Download everything stored about you as one file
 */
export interface GetMyData {
  answer: {}
}

/**
 * Every room with its beds, and who has each on a day
 */
export interface GetOccupancyPlan {
  query: {
    on?: string
  }
  answer: OccupancyPlan
}

/**
 * Get your own record with all its steps
 */
export interface GetOwnRecord {
  params: {
    area: string
    record: string
  }
  answer: OwnRecord
}

/**
 * Get the options for signing in with a passkey
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
 * Get a person with all their grants and posts, and what you may do with the account
 */
export interface GetPerson {
  params: {
    id: string
  }
  answer: Person
}

/**
 * Count the audit entries about a person, and those that can be erased
 */
export interface GetPersonErasure {
  params: {
    id: string
  }
  answer: {
    /**
     * Entries in their completed cases; these can be erased
     */
    ended: number
    /**
     * Entries in their running cases
     */
    running: number
    runningCases: number
    /**
     * Entries about their account and roles; these are kept
     */
    account: number
    last: Erasure | null
  }
}

/**
 * Get a post with everybody who has held it
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
     * The holder heads the unit
     */
    head: boolean
    scope: NamedScope | null
    holder: PostHolder | null
    acting: PostHolder | null
    next: PostHolder | null
    history: PostHolder[]
    /**
     * Number of tasks offered to the post now
     */
    waiting: {
      value: number
      more: boolean
    }
    mayAppoint: boolean
  }
}

/**
 * Get a deployed version
 */
export interface GetProcessDefinition {
  params: {
    id: string
  }
  answer: ProcessDefinition
}

/**
 * Get the diagram of a deployed version
 */
export interface GetProcessDefinitionXml {
  params: {
    id: string
  }
}

/**
 * Get a proof-of-work challenge; send its solution as the header x-proof
 */
export interface GetProofChallenge {
  query: {
    difficulty?: number
  }
  answer: ProofChallenge
}

/**
 * Get the forms of a public flow, and the published items for which it opens
 */
export interface GetPublicFlow {
  params: {
    area: string
    name: string
  }
  answer: {
    title: string
    description: string | null
    form: string
    /**
     * Field of the form that names an item
     */
    field: string
    account: {
      form: string
      after: string | null
    }
    schema: {
      [k: string]: unknown
    }
    items: OpenEntry[]
  }
}

/**
 * Get the current version of a public form
 */
export interface GetPublicForm {
  params: {
    area: string
    name: string
  }
  answer: FormKey
}

/**
 * Get a public item
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
 * Get the public fields of a register, and those by which its public items can be filtered
 */
export interface GetPublicRegister {
  params: {
    area: string
    name: string
  }
  answer: {
    title: string
    schema: {
      [k: string]: unknown
    }
    filters: string[]
  }
}

/**
 * Report whether the database, engine and event feed are ready
 */
export interface GetReadiness {
  answer: Readiness
}

/**
 * Get a register with the schema of its items
 */
export interface GetRegister {
  params: {
    area: string
    name: string
  }
  answer: RegisterDescription
}

/**
 * Get a report; `filter.<field>` for the filters of its form
 */
export interface GetReport {
  params: {
    area: string
    name: string
  }
  answer: Report
}

/**
 * Download a report as a spreadsheet
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
 * Print the statement of the entry that the filter names
 */
export interface GetReportStatement {
  params: {
    area: string
    name: string
  }
}

/**
 * Get use, income, rejections and lead times of the resources of your units
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
 * Get what a case pays in one run, and the states of its lines
 */
export interface GetRun {
  params: {
    id: string
  }
  answer: Run
}

/**
 * List what scenarios of the flow consist of: desks with forms, deadlines, statuses and ends
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
 * Get the progress and the results of a run
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
 * List the ways to sign in
 */
export interface GetSignInMethods {
  answer: {
    password: boolean
    oidc: {
      /**
       * Label of the button
       */
      name: string
    } | null
    /**
     * Applicants can sign up
     */
    signUp: boolean
  }
}

/**
 * Get your draft of a start form
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
 * Get a task with its form and its case
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
     * Register entries that fields of the form cannot name now, or that suit best, with the reason
     */
    unavailable: {
      field: string
      item: string
      why: string
      /**
       * It can be named, and suits best
       */
      suits: boolean
      title: string | null
    }[]
    /**
     * Desks that have decided before and can be selected in the form, in addition to `requester`
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
     * Other people who have it open now
     */
    looking: {
      id: string
      name: string
      typing: boolean
    }[]
    /**
     * Questions to the requester, oldest first
     */
    questions: TaskQuestion[]
    /**
     * Number of comments on the case that you may read
     */
    comments: number
  }
}

/**
 * What the flow says beside the fields of a task’s form at this moment, such as places left
 */
export interface GetTaskBeside {
  params: {
    id: string
  }
  answer: {
    notes: {
      /**
       * JSON pointer of the field
       */
      field: string
      text: string
      /**
       * It speaks against choosing the value
       */
      short: boolean
    }[]
    limits: {
      /**
       * JSON pointer of the list that is added up
       */
      field: string
      least: number
      most: number
    }[]
  }
}

/**
 * Explain why you have a task: its rule, the path to it, and what follows each decision
 */
export interface GetTaskWhy {
  params: {
    id: string
  }
  answer: {
    /**
     * Purpose of the desk, and who it is meant for
     */
    rule: string
    /**
     * Capacity in which you have it
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
     * Path of the case, oldest first
     */
    path: {
      element: string
      name: string
      at: string
      by: Who | null
      outcome: string | null
    }[]
    /**
     * Earlier decisions, oldest first
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
     * What each decision leads to
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
 * Count tasks in your units: assigned to each person, unassigned, and by desk
 */
export interface GetTeam {
  answer: {
    people: {
      id: string
      name: string
      post: string | null
      /**
       * Tasks assigned to them
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
 * Sign in, or exchange a refresh token for the next one
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
 * List the public keys that verify access tokens, including the next ones
 */
export interface GetTokenKeys {
  answer: {
    keys: PublicKeyOptions[]
  }
}

/**
 * List where the tokens of a case are, and where one could be moved to
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
     * A move is waiting for the engine
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
 * Get the case, as its requester sees it
 */
export interface GetTrackedCase {
  answer: TrackedCase
}

/**
 * Download a document issued in the case, such as its invoice, as PDF
 */
export interface GetTrackedDocument {
  params: {
    document: string
  }
}

/**
 * Get the vehicles with their trips of a day, and what is due on them
 */
export interface GetVehicleBoard {
  query: {
    day: string
  }
  answer: VehicleBoard
}

/**
 * Give a person a role; a start in the past means now
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
 * Hold the slot in a start form for 15 minutes
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
 * Hold the slot in a start form for 15 minutes, for the guest with the cookie
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
 * Give roles from a CSV file, all lines or none; without `commit` only check the file
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
     * Total number of errors; `errors` holds the first of them
     */
    errorCount: number
    /**
     * Number of grants given; without `commit`, the number that would be given
     */
    added: number
    effect: {
      /**
       * Number of people who receive a grant
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
           * Number of assigned tasks that would become free again
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
     * Lines whose grant already exists
     */
    unchanged: number
  }
}

/**
 * Check a CSV file of items, cell by cell; with `commit`, import all rows, or none if there are errors
 */
export interface ImportItems {
  params: {
    area: string
    name: string
  }
  body: {
    csv: string
    /**
     * Values of cells that the file leaves empty, by column: the id, code or title of an item
     */
    fill?: {
      [k: string]: string
    }
    commit: boolean
    /**
     * Chosen by you, to read by it how far the import is
     */
    progress?: string
    /**
     * With `commit`: leave out the rows with errors, and import the others
     */
    leaveOut?: boolean
  }
  answer: ImportResult
}

/**
 * Issue units, from the batches that expire first
 */
export interface IssueStock {
  params: {
    area: string
    name: string
  }
  body: {
    item: string
    units: number
    reason: string
  }
}

/**
 * Report that you no longer have a task open
 */
export interface LeaveTask {
  params: {
    id: string
  }
}

/**
 * What is open to you now in flows that the start page announces, and you have no case about
 */
export interface ListAnnouncements {
  answer: {
    items: {
      flow: string
      /**
       * Text key
       */
      title: string
      /**
       * Text key of what is said of an item, with {{until}}
       */
      words: string
      /**
       * Route of the page that starts it
       */
      startPage: string
      items: {
        id: string
        title: string
        closesAt: string | null
      }[]
    }[]
  }
}

/**
 * List everything that happened to a case, oldest first
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
 * List your saved searches
 */
export interface ListAuditSearches {
  answer: {
    items: AuditSearch[]
  }
}

/**
 * List resources in use, and whether each can be booked for a period
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
 * List the people a case can be opened for, those excluded and why, and the progress of each
 */
export interface ListBatchMembers {
  params: {
    area: string
    flow: string
    item: string
  }
  query: {
    state?: 'to-open' | 'out-of-use' | 'no-account' | 'left-out' | 'asked' | 'under-way' | 'done' | 'ended' | 'not-done'
  }
  answer: BatchMemberPage
}

/**
 * List your bulk acts, newest first
 */
export interface ListBulk {
  answer: {
    items: BulkAction[]
  }
}

/**
 * Get the process variables of a case from the engine
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
 * List the cases that you may see, or only your own; newest first
 */
export interface ListCases {
  query: {
    cursor?: string
    limit?: number
    mine?: boolean
    flow?: string
    running?: boolean
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
 * List the next confirmed events at the public items of a register
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
 * List comments on a case, oldest first; its requester sees none
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
 * List erasure requests: pending ones, then the last decided
 */
export interface ListErasures {
  answer: {
    items: Erasure[]
    /**
     * Whether you head internal audit
     */
    mayDecide: boolean
  }
}

/**
 * Names, types and sizes of those of these files that you may download
 */
export interface ListFiles {
  query: {
    ids: string
  }
  answer: {
    items: UploadedFile[]
  }
}

/**
 * List the flows that you may start
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
       * Registers of the people you may start it for, and whether only for others
       */
      forOthers?: {
        from: string[]
        only: boolean
      }
      /**
       * Search terms in every language: title, description and everyday words
       */
      search: string[]
    }[]
  }
}

/**
 * List vehicles, drivers and helpers that are free in a span, and trips that can be joined
 */
export interface ListFreeVehicles {
  query: {
    from: string
    until: string
    to?: string
  }
  answer: FreeVehicles
}

/**
 * List permission groups, the roles that hold each, and the pages that each opens
 */
export interface ListGroups {
  answer: {
    items: Group[]
  }
}

/**
 * List holidays from one day to another, both included
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
 * List the filters of the inbox, and the columns of a flow
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
 * List your views of the inbox, and those shared with your roles
 */
export interface ListInboxViews {
  answer: {
    items: InboxView[]
  }
}

/**
 * List items by title; `filter.<field>` for the filters of the register
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
    selection?: string
    casesOf?: string
    statuses?: string
    mine?: boolean
    entrusted?: boolean
    lacks?: string
    ending?: boolean
    whole?: boolean
    caseStatus?: string
  }
  answer: {
    items: RegisterItem[]
    next: string | null
    count: PageCount
    /**
     * Titles of referenced items, by id
     */
    titles: {
      [k: string]: string
    }
    /**
     * The newest case of `casesOf`, by item
     */
    cases?: {
      [k: string]: EntryCase
    }
  }
}

/**
 * List emails to you, newest first (demonstrations only)
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
 * List the versions of a flow, newest first
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
 * List the flows that you own; all of them for ADMIN and SA
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
         * You proposed it
         */
        mine: boolean
        /**
         * Rows of its tables that need no decision
         */
        undecided: string[]
        results: {
          runId: string
          passed: number
          total: number
        } | null
      } | null
      /**
       * Running migrations of cases
       */
      moving: {
        id: string
        from: string
        to: string
      }[]
      /**
       * Deployments need the approval of another owner
       */
      secondOwner: boolean
      /**
       * You may request a waiver of the second owner
       */
      mayAskWaiver: boolean
      waiver: {
        id: string
        reason: string
        askedBy: string
        askedAt: string
        /**
         * You requested it
         */
        mine: boolean
      } | null
    }[]
  }
}

/**
 * List your calendar feeds; addresses are shown only when they are created
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
 * List your passkeys
 */
export interface ListMyPasskeys {
  answer: {
    items: Passkey[]
  }
}

/**
 * List your sessions
 */
export interface ListMySessions {
  answer: {
    items: {
      id: string
      /**
       * The session of this request
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
 * The newest items of registers that are news today, at most three
 */
export interface ListNews {
  answer: {
    items: {
      register: string
      id: string
      title: string
      text: string
      createdAt: string
    }[]
  }
}

/**
 * List your notifications, newest first
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
     * Number since they were last seen
     */
    unseen: number
  }
}

/**
 * List all items of one cause, oldest first
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
       * Available remedy: retry, mark as handled, or none here
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
 * List incidents, parked events, orphaned effects, undeliverable emails and failed jobs, by cause
 */
export interface ListOperations {
  answer: {
    items: {
      cause: string
      kind: string
      element: string | null
      flow: string | null
      /**
       * Of the newest item
       */
      message: string
      count: number
      oldest: string
      /**
       * Available remedy: retry, mark as handled, or none here
       */
      remedy: 'retry' | 'close' | null
    }[]
  }
}

/**
 * What the person of an item still has to give back or settle
 */
export interface ListOwed {
  params: {
    area: string
    name: string
    id: string
  }
  answer: Owed
}

/**
 * List what you applied for and were awarded in all schemes that are paid by the month, and to which account
 */
export interface ListOwnAwards {
  answer: {
    applications: CaseSummary[]
    awards: OwnAward[]
    accounts: OwnAccount[]
  }
}

/**
 * What you still have to give back or settle
 */
export interface ListOwnOwed {
  answer: Owed
}

/**
 * List your instalments, newest first
 */
export interface ListOwnRunLines {
  answer: {
    items: OwnRunLine[]
  }
}

/**
 * List people in your units, or find anybody by name or address
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
 * List people who can be mentioned in a comment on a case; without a search, those involved
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
 * List possible assignees of a task, or people to ask for an opinion; fewest tasks first
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
       * Number of tasks assigned to them
       */
      load: number
    }[]
  }
}

/**
 * List posts by name, each with its holder
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
       * The holder heads the unit
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
 * List all deployed versions of all flows, newest first for each
 */
export interface ListProcessDefinitions {
  answer: {
    items: ProcessDefinition[]
  }
}

/**
 * List when items are occupied; a reserved time without a title is not described further
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
 * List the items that a register publishes, with their public fields
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
 * List the registers that you may see
 */
export interface ListRegisters {
  answer: {
    items: RegisterDescription[]
  }
}

/**
 * List roles, with the number of current holders and the other names of each
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
 * List what was done with a line, oldest first
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
 * List the lines of a run by name
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
 * List the scenarios of a flow, those of the repository first, each with its last result
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
 * List what is in stock, with its batches; `filter.<field>` for the filters of its register
 */
export interface ListStock {
  params: {
    area: string
    name: string
  }
  query: {
    cursor?: string
    limit?: number
    search?: string
  }
  answer: {
    items: StockShelf[]
    next: string | null
    mayChange: boolean
  }
}

/**
 * List the newest movements of a batch
 */
export interface ListStockMovements {
  params: {
    area: string
    name: string
    id: string
  }
  answer: {
    items: StockMovement[]
  }
}

/**
 * List the students in your care, each with the kind of password link that can be sent
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
    link?:
      | 'first'
      | 'again'
      | 'without-password'
      | 'not-active'
      | 'has-password'
      | 'account-closed'
      | 'address-in-use'
      | 'no-programme'
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
       * First link, another link, or the reason why none can be sent
       */
      link: 'first' | 'again' | 'not-active' | 'has-password' | 'account-closed' | 'address-in-use' | 'no-programme'
    }[]
    next: string | null
    /**
     * Exact number of matching students
     */
    total: number
    titles: {
      [k: string]: string
    }
  }
}

/**
 * Find possible substitutes by part of their name
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
 * List your substitutions, as absent person or as substitute, newest first
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
 * List a queue of the inbox; `filter.<field>` for form fields marked x-filter
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
     * The page ends early because the search is long; `next` continues it, a narrower filter is faster
     */
    narrow: boolean
  }
}

/**
 * List the assigned and unassigned tasks in your units, oldest first
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
 * List your decisions that can still be undone, newest first
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
 * How many items of each register wait for you to certify them; you did not write them
 */
export interface ListWaitingEntries {
  answer: {
    items: {
      register: string
      /**
       * Text key
       */
      title: string
      /**
       * Status of items that wait
       */
      status: string
      count: PageCount
    }[]
  }
}

/**
 * Acquire or renew the lock of the draft for five minutes; `takeOver` also takes it from another owner
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
 * End the session of the refresh token in the cookie or the body; unknown tokens are ignored
 */
export interface Logout {
  body: {
    refresh_token?: string
  } | null
}

/**
 * Show what the link of an email asks; showing answers nothing
 */
export interface LookAtMailedQuestion {
  params: {
    token: string
  }
  answer: MailedQuestion
}

/**
 * Report that you have a task open; repeat every 15 seconds, it expires after 40
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
 * Show what the link of an email is about; showing decides nothing
 */
export interface LookAtTaskLink {
  params: {
    token: string
  }
  answer:
    | {
        /**
         * The decision needs a sign-in
         */
        state: 'sign-in'
        task: string
      }
    | MailDecision
}

/**
 * Get the purpose and the owner of the token of a mailed link; the token stays valid
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
 * The items that you see whose code, or number of their paper, this is, alone or with another field; letter case does not count
 */
export interface LookUpScanned {
  query: {
    code: string
  }
  answer: {
    items: {
      id: string
      register: string
      title: string
      /**
       * What it is, in your language
       */
      what: string
    }[]
  }
}

/**
 * Get the account of a person you book for; created and announced by email if they have none
 */
export interface MakeBookerAccount {
  body: {
    [k: string]: unknown
  }
  /**
   * The account existed before
   */
  answer: {
    accountId: string
  }
}

/**
 * Create the address of a calendar feed, for your cases or a public item; the previous address stops working
 */
export interface MakeCalendarFeed {
  body: {
    item: string | null
  }
  answer: {
    id: string
    /**
     * Shown only this once
     */
    address: string
  }
}

/**
 * Move a token of a case from one element to another
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
     * `accepted`: happens as soon as the engine answers
     */
    state: 'done' | 'accepted'
  }
}

/**
 * Number the cheques of a paid run from the first number, by name
 */
export interface NumberRunCheques {
  params: {
    id: string
  }
  body: {
    first: string
    /**
     * Leaves between the first and the last that are torn
     *
     * @maxItems 100
     */
    torn?: string[]
  }
  answer: Run
}

/**
 * Open cases for everybody eligible, in the background
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
 * Open a case for each chosen item that is ready, in the background
 */
export interface OpenEntryBatch {
  params: {
    area: string
    flow: string
  }
  body: {
    choice: {
      /**
       * Items chosen one by one
       *
       * @minItems 1
       * @maxItems 2000
       */
      ids?: [string, ...string[]]
      search?: string
      status?: string
      filters?: {
        [k: string]: string
      }
    }
    /**
     * The one of the preview that was confirmed
     */
    stamp: string
  }
  answer: EntryBatch
}

/**
 * Open the encrypted fields about a person with what they show, or with a declared reason, which the head is mailed
 */
export interface OpenRecord {
  params: {
    area: string
    name: string
    id: string
  }
  body: {
    /**
     * Number of a card, or of the identity card
     */
    shown?: string
    /**
     * One of `sealed.reasons` of the entry
     */
    reason?: string
  }
  answer: {
    until: string
  }
}

/**
 * Record that a month which a paid run left out is owed after all; the next run of the scheme pays it
 */
export interface OweRunLine {
  params: {
    id: string
    line: string
  }
  body: {
    reason: string
  }
  answer: Run
}

/**
 * Plan a migration: instructions to another version, and elements without one
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
     * Elements where cases wait and no instruction applies
     */
    open: {
      element: string
      name: string
      cases: number
    }[]
    problems: {
      /**
       * Element that the instruction starts from; empty if it concerns all instructions
       */
      element: string
      reason: string
    }[]
  }
}

/**
 * Preview for which tasks a bulk act would succeed, and why not for the others
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
     * Decisions that the form offers
     */
    outcomes: {
      value: string
      title: string
    }[]
  }
}

/**
 * Show the mail of each chosen item, and the items that are left out; changes nothing
 */
export interface PreviewEntryBatch {
  params: {
    area: string
    flow: string
  }
  body: {
    choice: {
      /**
       * Items chosen one by one
       *
       * @minItems 1
       * @maxItems 2000
       */
      ids?: [string, ...string[]]
      search?: string
      status?: string
      filters?: {
        [k: string]: string
      }
    }
  }
  answer: EntryPreview
}

/**
 * Show the cases that would begin for the chosen items, and the items left out; changes nothing
 */
export interface PreviewGatheredCases {
  params: {
    area: string
    flow: string
  }
  body: {
    choice: {
      /**
       * Items chosen one by one
       *
       * @minItems 1
       * @maxItems 1000
       */
      ids?: [string, ...string[]]
      /**
       * Items that are left out
       *
       * @minItems 1
       * @maxItems 1000
       */
      except?: [string, ...string[]]
      search?: string
      status?: string
      filters?: {
        [k: string]: string
      }
    }
  }
  answer: GatherPreview
}

/**
 * Preview what moving a token would end and start
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
 * Get an item as the paper that its register declares; recorded in the audit trail
 */
export interface PrintItem {
  params: {
    area: string
    name: string
    id: string
  }
}

/**
 * Get the papers of several items on sheets; each is recorded in the audit trail
 */
export interface PrintItems {
  params: {
    area: string
    name: string
  }
  body: {
    /**
     * @minItems 1
     * @maxItems 200
     */
    items: [string, ...string[]]
  }
}

/**
 * Print the sheet to sign, the annexure per faculty and bank, or the list of cheques
 */
export interface PrintRun {
  params: {
    id: string
  }
  query: {
    paper: 'signing-sheet' | 'annexure' | 'cheque-list'
  }
}

/**
 * Get a calendar as iCalendar (RFC 5545); the address is the credential
 */
export interface ReadCalendarFeed {
  params: {
    secret: string
  }
}

/**
 * Find or enter who shows a card, and open their record
 */
export interface ReceivePatient {
  body: {
    /**
     * Number of the card, or NIC
     */
    shown: string
  }
  answer: {
    id: string
    open: boolean
  }
}

/**
 * Add what was received to a batch
 */
export interface ReceiveStock {
  params: {
    area: string
    name: string
  }
  body: {
    item: string
    number: string
    expiresOn: string
    units: number
    reason: string
  }
  answer: {
    id: string
  }
}

/**
 * Derive a scenario without personal data from a completed case; it is not saved
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
 * Reject the erasure; not your own request
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
 * Create an account with a password; a link to confirm the address is mailed
 */
export interface Register {
  body: {
    email: string
    /**
     * Defaults to the email address
     */
    username?: string
    password: string
  }
  answer: Account
}

/**
 * Replay the newest completed cases, on the open draft if there is one, and report which take another path and where
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
 * Release your hold
 */
export interface ReleaseHold {
  params: {
    id: string
  }
}

/**
 * Release your hold
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
 * Remove a passkey
 */
export interface RemovePasskey {
  params: {
    id: string
  }
  body: PasswordGiven
}

/**
 * Remove the authenticator app
 */
export interface RemoveTotp {
  body: PasswordGiven
}

/**
 * Create new recovery codes; the old ones stop working
 */
export interface RenewRecoveryCodes {
  body: PasswordGiven
  answer: {
    /**
     * Shown only this once; each code works once
     */
    recoveryCodes: string[]
  }
}

/**
 * Get how long each desk in your units took to decide in a period, and what waits there
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
       * Of tasks with a due date
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
 * Mail the tracking address of a case again; the answer does not reveal whether it was sent
 */
export interface ResendTracking {
  body: {
    reference: string
    email: string
  }
  answer: null
}

/**
 * Return a task with your opinion to the person who asked for it
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
 * Retry items, or up to a hundred of one cause; close those that need no retry
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
       * `gone`: already resolved; `failed`: not possible now
       */
      outcome: 'retried' | 'closed' | 'gone' | 'failed'
    }[]
  }
}

/**
 * Record that the bank returned a payment; the next run of the scheme pays it again
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
 * Revoke the address of a calendar feed
 */
export interface RevokeCalendarFeed {
  params: {
    id: string
  }
}

/**
 * Deploy the diagram and tables of an earlier version as the newest version
 */
export interface RollBackModel {
  params: {
    process: string
  }
  body: {
    definitionId: string
    note: string
    /**
     * Deliberate: some rows of its tables need no decision
     */
    nobodyDecides?: boolean
  }
  answer: Release
}

/**
 * Create a key for access tokens; it is published before it signs, and nobody is signed out
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
 * Run all or some scenarios on the engine, in the background; one run at a time per flow
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
     * Against the open draft instead of the current version
     */
    draft?: boolean
  }
  answer: RunBegun
}

/**
 * Save a search under a name
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
 * Save your draft of a task’s form, for all your devices
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
     * Revision that this draft is based on; omitted for the first
     */
    version?: number
  }
  answer: {
    version: number
    savedAt: string
  }
}

/**
 * Save a view of the inbox under a name, optionally shared with one of your roles
 */
export interface SaveInboxView {
  body: {
    name: string
    /**
     * Query string, as in the address bar
     */
    query: {
      [k: string]: string
    }
    sharedWith?: string | null
  }
  answer: InboxView
}

/**
 * Save the draft, based on a revision; acquires or renews its lock
 */
export interface SaveModelDraft {
  params: {
    process: string
  }
  body: {
    revision: number
    /**
     * BPMN 2.0, at most 1 MiB
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
 * Save a step of your own record, as a draft or as complete
 */
export interface SaveOwnRecordStep {
  params: {
    area: string
    record: string
    step: string
  }
  body: {
    data: {
      [k: string]: unknown
    }
    complete: boolean
    /**
     * Version that this is based on; omitted for the first
     */
    version?: number
  }
  answer: {
    version: number
    savedAt: string
  }
}

/**
 * Save your draft of a start form, for all your devices
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
 * List audit entries, newest first; `towards=newer` reverses the direction from `cursor`
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
     * The search stopped early; `next` continues it
     */
    narrow: boolean
  }
}

/**
 * List all cases, newest first; `person` is the requester
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
     * The search stopped early; `next` continues it
     */
    narrow: boolean
  }
}

/**
 * Mark your notifications as seen
 */
export interface SeeNotifications {}

/**
 * Mail students the link to their first password, and create missing accounts
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
          /**
           * The state of their account and link; `without-password`: those who should have a password
           */
          link?:
            | 'first'
            | 'again'
            | 'without-password'
            | 'not-active'
            | 'has-password'
            | 'account-closed'
            | 'address-in-use'
            | 'no-programme'
        }
      }
  answer: {
    sent: number
    /**
     * An earlier link was sent and not used
     */
    resent: number
    skipped: {
      id: string
      name: string | null
      reason: 'not-found' | 'not-active' | 'has-password' | 'account-closed' | 'address-in-use' | 'no-programme'
    }[]
  }
}

/**
 * Mail a person a link to set a password
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
 * Change the status of an item: items are deactivated, never deleted
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
 * Set the password, with the token of a mailed link or from the browser that has just created the account
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
 * Set the due date of a task, as a leader of the unit
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
 * Set the priority of a task: 25 low, 50 normal, 75 high
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
 * Record that a payment which was entered as returned was made after all
 */
export interface SettleRunLine {
  params: {
    id: string
    line: string
  }
  body: {
    reason: string
  }
  answer: Run
}

/**
 * Preview what an appointment would change
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
 * Preview what giving and ending roles would change for a person
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
 * Preview who would gain and lose a group with these roles
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
 * Sign in with a passkey, which replaces both password and second factor
 */
export interface SignInWithPasskey {
  body: {
    challenge: string
    response: {
      id: string
      response: {}
    }
    /**
     * For `web` the refresh token is in a cookie
     */
    client_id?: string
  }
  answer: Tokens
}

/**
 * End all sessions of a person
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
 * Sign for your instalment
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
 * Record signatures, by codes of students at the counter or lines of the printed sheet
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
  answer: Signatures
}

/**
 * Start one act on many tasks, in the background; one at a time per person
 */
export interface StartBulk {
  body: BulkRequest
  answer: {
    id: string
  }
}

/**
 * Begin the cases for the chosen items: all of them, or none
 */
export interface StartGatheredCases {
  params: {
    area: string
    flow: string
  }
  body: {
    choice: {
      /**
       * Items chosen one by one
       *
       * @minItems 1
       * @maxItems 1000
       */
      ids?: [string, ...string[]]
      /**
       * Items that are left out
       *
       * @minItems 1
       * @maxItems 1000
       */
      except?: [string, ...string[]]
      search?: string
      status?: string
      filters?: {
        [k: string]: string
      }
    }
    /**
     * The one of the preview that was confirmed
     */
    stamp: string
    data: {
      [k: string]: unknown
    }
  }
  answer: {
    cases: {
      id: string
      reference: string
      count: number
    }[]
  }
}

/**
 * Redirect the browser to the identity server
 */
export interface StartSignInAtIdentityServer {
  query: {
    to: string
  }
}

/**
 * Stop the running batch; people not yet reached get no case
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
 * Stop your bulk act; remaining tasks stay as they are
 */
export interface StopBulk {
  params: {
    id: string
  }
  answer: BulkActionWithItems
}

/**
 * Stop the running batch; items not yet reached get no case
 */
export interface StopEntryBatch {
  params: {
    area: string
    flow: string
  }
  answer: EntryBatch
}

/**
 * Stop a migration; migrated cases stay migrated
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
 * Start a case
 */
export interface SubmitCase {
  body: {
    flow: string
    data: {
      [k: string]: unknown
    }
    /**
     * Requester of the case, if the flow allows another: the account, or the register entry
     */
    for?: {
      accountId?: string
      entry?: string
    }
    /**
     * The case that it follows from, as that one offers
     */
    follows?: {
      case: string
      name: string
    }
  }
  answer: Case
}

/**
 * Start a case of a public flow without signing in; a confirmation link is mailed
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
     * Confirms that an account is created for them
     */
    understood: true
  }
  answer: {
    reference: string
    reservationId: string | null
    /**
     * Together with the case number, opens the case for tracking
     */
    trackingSecret: string
    expiresAt: string
    /**
     * The given address, masked
     */
    emailedTo: string
  }
}

/**
 * Withdraw your requested change of name
 */
export interface TakeBackMyName {
  params: {
    id: string
  }
}

/**
 * Get a token for tracking a case, valid for half an hour; send it as `Authorization: Tracking <token>`
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
 * Evaluate a decision table on the engine: rules hit and their outputs; nothing is stored
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
 * Stop your bulk act and undo those of its decisions that have not been sent
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
 * Release your lock of the draft
 */
export interface UnlockModelDraft {
  params: {
    process: string
  }
}

/**
 * Upload a file; put its id into the form that it belongs to
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
 * Upload a file; put its id into the form that it belongs to
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
 * Check migration instructions: problems, and the cases that they do not move
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
       * Element that the instruction starts from; empty if it concerns all instructions
       */
      element: string
      reason: string
    }[]
    /**
     * Elements where cases wait and no instruction applies
     */
    open: {
      element: string
      name: string
      cases: number
    }[]
  }
}

/**
 * Verify the chain over a range of days, link by link, and report the first fault, including rewritten links
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
     * Entries whose details were erased on request
     */
    erased: number
    /**
     * Entries whose details are missing although no erasure covers them
     */
    missing: number
    checkpoints: number
    vouched: string | null
    /**
     * Entries after the last signature
     */
    unvouched: number
    /**
     * Rows of the search index that are missing, surplus or different from the entries
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
 * Verify an issued document by its code; no other data of its case is returned
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
     * Desks that have signed it
     */
    signedBy: string[]
    state: 'valid' | 'withdrawn' | 'replaced' | 'not-yet' | 'reported' | 'expired'
    endedAt: string | null
    sha256: string | null
  }
}

/**
 * Withdraw your case, as long as its diagram allows it
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
 * Withdraw a question that has not been answered
 */
export interface WithdrawQuestion {
  params: {
    id: string
  }
  answer: Task
}

/**
 * Withdraw the case
 */
export interface WithdrawTrackedCase {
  body: {
    reason: string
  }
  answer: TrackedCase
}
