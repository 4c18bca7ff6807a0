import type { Listing } from './listing.ts'
import type { MailedQuestion } from './mailed-question.ts'
import type { RunDefinition } from './run.ts'

/**
 * A register entry that a case pays, named by the field `item` of the start form. If its field holds what `when` says,
 * its `number` is the registration number or the NIC of a student.
 */
export interface PaidPayee {
  item: string
  number: string
  when: { field: string; is: string }
}

/**
 * `forms/<area>/<flow>.flow.json`, which describes a flow. Pointers are JSON pointers into the data of the start form.
 */
export interface Manifest {
  /** Text key. */
  title: string
  description?: string
  /** Text key: the start page tells people what is open to them, and until when, before they have a case. */
  announced?: string
  /** Id of the BPMN process, and name of its file. */
  process: string
  /** Key of the start form. */
  start: string
  /** Route of the start page, if it is not the form itself. */
  startPage?: string
  /** Roles, or `*` for all signed-in people. */
  startedBy: string[]
  /** The field whose entries the requester starts it for, with a role of `startedBy` held at their units. */
  startedAt?: StartedAt
  /** Roles that see every case of this flow; `Role@kind` only those of their own unit. */
  seenBy: string[]
  /** Per status list, the state of a new case. */
  firstStatus: Record<string, string>
  /** Per status list, the key of the list: `<area>/<list>`. */
  statusLists: Record<string, string>
  /** Pattern of the human reference: `{yyyy}`, `{mm}`, `{sequence:6}`. */
  reference: string
  /** Routing variables that need no rules: name of the variable → source. */
  variables?: Record<string, KnownVariable>
  /**
   * Boolean routing variables, which are also facts: whether the requester's entry is listed in the present month. They
   * are found again with every answer at a desk.
   */
  listed?: Record<string, Listing>
  /**
   * Per kind of unit, `<kind>` or `<name>:<kind>`, the pointer to its id; of several pointers the first with a value
   * counts. `/field#/pointer` looks into the register entry that a field names, and each further `#/pointer` into the
   * entry named by the previous one.
   */
  scope?: Record<string, string | string[]>
  /** What people recognise a case by: name → pointer, `#/title` for an entry's title. */
  subject?: Record<string, string>
  /** The one name of `subject` that the public calendar shows for final allocations; absent: nothing. */
  publicSubject?: string
  /** Text key of one line about a case; its placeholders are the names of `subject`. */
  subjectText?: string
  /** Per desk, text key of its question. */
  question?: Record<string, string>
  /** Slots that a submission claims. */
  allocations?: ManifestAllocation[]
  /** Entries that desks and acts pick late, each free for the time of the case. */
  assigns?: DeskAllocation[]
  /** Variables that the flow's rules derive from a submission. */
  derives?: string[]
  /**
   * The amount of a case in cents: one of `derives`, or a pointer into the start form. Lists sort by it, and it limits
   * substitutes.
   */
  amount?: string
  /** Who pays or is paid what its cases move in the ledger. A run pays the people of its lines instead. */
  paysWith?: 'requester' | PaidPayee
  /**
   * People that steps of the flow name, each with the text key for them: `<name>Id` is the account of one, or `none`. A
   * desk can be offered to them by name.
   */
  people?: Record<string, string>
  /** Names of facts that lists and case pages show. */
  facts?: string[]
  /** Units of facts that are amounts, by name. */
  factUnits?: Record<string, 'LKR cents'>
  columns?: string[]
  /** Which earlier cases of the flow concern the same entry. */
  earlier?: Earlier
  /** The fields that desks agree to. A correction can skip desks for which nothing has changed. */
  agreement?: Agreement
  /** What the requester does not see: the answers of these desks, and these facts. */
  confidential?: { desks?: string[]; facts?: string[] }
  /** Decisions that certain worker steps require, whatever diagram and tables say. */
  floor?: NeededDecision[]
  /** Name of the BPMN message for a withdrawal. */
  withdraw?: string
  /** Who may withdraw it for the requester, with a reason that the requester gets: roles, or `group:<permission group>`. */
  withdrawnBy?: string[]
  /** Desks whose decision says what has already happened: while one takes effect, nobody withdraws the case. */
  final?: string[]
  /** Acts of the requester while the case runs. */
  acts?: Act[]
  /** Whether people without an account may begin it; the account is created with it. */
  public?: true
  /**
   * Who may begin it for somebody else: roles, or `group:<permission group>`. With `from` the start page offers the
   * people of these registers.
   */
  onBehalf?: { by: string[]; from?: string[] }
  /** The register that a requester must have an entry in; `scope` and `subject` can name the entry as `requester`. */
  requester?: RequesterRecord
  /** A requester has at most one case per value of a field. */
  once?: Once
  /** At most one case, no matter who sends it, with the same values. */
  sole?: Sole
  /**
   * The field whose entries are each named by one running case of the flow; a `*` stands for every row of a list,
   * `requester` for the requester's own entry.
   */
  claims?: string
  /** The first and last day for requests, both included. */
  open?: Opening
  /** The entry whose places its cases take, and how many there are. */
  places?: Places
  /** People without an account may begin it; they get one, with a password and a role, in the same transaction. */
  account?: NewAccount
  /** Entries of registers that a case shows as they are now. */
  shows?: Shown[]
  /** Statuses in which a running case is something that its requester still has to settle. */
  owes?: { in: string[] }
  /**
   * Who may open it for everybody that a register entry is meant for, and the field that names the entry; `only` so. It
   * is opened `again` for people whose case was withdrawn, or ended in one of these statuses.
   */
  batch?: { item: string; by: string[]; only?: true; again?: string[] }
  /** The field that names the entry whose status is always that of the case. */
  leads?: string
  /** Questions that people without an account answer by a mailed link, by name. */
  asks?: Record<string, MailedQuestion>
  /** Who may open it for each of many entries, the field that names the entry, and the mail that they send with it. */
  entries?: { item: string; by: string[]; mail: string }
  /**
   * People start it for many entries of a list at once: the field of a row that names an entry, and the fields of the
   * form that get a value from the entries, which all entries of a case share, as they do their status.
   */
  gathers?: { items: string; alike: Record<string, string> }
  /** The people a case pays, the amount and the month: a run. */
  run?: RunDefinition
  /** Cases of other flows that follow from a case. */
  linked?: LinkedFlow[]
  /** What cases are told when an entry that they name changes. */
  onChange?: OnChange
}

/**
 * The `message` for cases that name an entry of `register` in the field `item` and wait at a desk of `at`, when other
 * values of its `fields` are in force.
 */
export interface OnChange {
  item: string
  register: string
  fields: string[]
  at: string[]
  message: string
}

/** The area of a flow, or of another key `<area>/<name>`. */
export const areaOf = (key: string): string => key.split('/')[0] ?? key

/**
 * A case of another flow that follows from a case. People begin it from the page of the case while that is in a status of
 * `in` and its data fits `when`; without `in` only a step begins it. `gives` fills fields of its start form.
 */
export interface LinkedFlow {
  name: string
  flow: string
  in?: string[]
  /** JSON Schema of the data of the case. */
  when?: object
  /** At most one such case, however often it is asked for. */
  once?: true
  /** Beside `once`: another one may follow once the last was withdrawn or ended in one of these statuses. */
  again?: string[]
  /** The message by which such a case ends when this one does not take place (`platform.end-linked`). */
  ends?: string
  /** Field of the other start form, which may be one of a row (`/lines/0/amount`) → where its value comes from. */
  gives: Record<string, GivenToLinked>
}

/**
 * A place in `{reference, data, facts, subject}` of the case, with a `time` the moment of the day there; the sum of
 * numbers at such places; a value; or a text, whose placeholders are the names of `subject` and the reference.
 */
export type GivenToLinked =
  | string
  | { at: string; time: string }
  | { sum: string[] }
  | { is: string }
  | { text: string }

/** `item` is a field that names an entry; a `*` stands for every row of a list. `code` is the error of one elsewhere. */
export interface StartedAt {
  item: string
  code: string
}

/** What the requester's entry has to meet. */
export interface RequesterRecord {
  register: string
  /** The statuses that the entry may have; without it, only the one in use. */
  statuses?: string[]
  /** Pointer into the entry → lookup of the required value; a lookup without a value requires nothing. */
  match?: Record<string, string>
  /** People named by an entry in use of such a register may not ask. */
  unless?: ExceptedBy[]
  /** Desk → outcomes that are refused once the requester could not ask any more. */
  refuses?: Record<string, string[]>
  /** These outcomes are also refused once the entry does not hold what `match` says any more. */
  refusesUnmatched?: true
  /** The start page also names entries that are not for the reader, and says why. */
  explains?: true
}

/**
 * A register that excepts people: `person` is the field of an entry that names the person's own, `where` fields of the
 * entry → lookup of their value, `is` fields → the value itself. `code` is the error that they are told.
 */
export interface ExceptedBy {
  register: string
  person: string
  where?: Record<string, string>
  is?: Record<string, string>
  code?: string
}

/**
 * `per` is a field of the start form; without it a requester has one case at a time. Cases that were withdrawn, or
 * ended in a status of `again`, do not count.
 */
export interface Once {
  per?: string
  again?: string[]
}

/**
 * `by` are lookups. Values that are numbers of identity cards count as equal if they name one person. Cases that were
 * withdrawn, or ended in a status of `again`, do not count.
 */
export interface Sole {
  by: string[]
  again?: string[]
  /** Error code of the refusal, if not the general one. */
  code?: string
}

/** `of` is a field of the start form that names an entry, `number` the field of the entry with its number of places. */
export interface Places {
  of: string
  number: string
}

/** Lookups of dates; requests are open from `before` days before the first until `after` days after the last. */
export interface Opening {
  from: string
  until: string
  before?: number
  after?: number
  /** Who has begun before closing may still send it for ten minutes. */
  finish?: true
}

/** The form with email and password, the role of the account, and where the start form names the person. */
export interface NewAccount {
  form: string
  role: string
  name: string
  /** The field of the start form that must be true before the account is asked for. */
  after?: string
}

/** A part of what a case shows of registers as they are now, while it has a status of `in`. */
interface ShownPart {
  name: string
  in: string[]
  /** Not once the case is over; otherwise only a case that was withdrawn shows nothing. */
  running?: true
  /** Only if the lookup `at` leads to this value. */
  when?: { at: string; is: string }
  /** Facts of the case that a page of this part shows too. */
  facts?: string[]
  /** Desk → outcomes that are refused while there is such an entry. */
  refuses?: Record<string, string[]>
}

/**
 * Entries in use whose fields (or `id`) have one of the values that the case has at a pointer, and whose fields of `is`
 * have that very value; `*` in a pointer stands for every row of a list. With `between`, only those whose first and last
 * day (which they may lack) include today.
 */
export interface ShownEntriesOf extends ShownPart {
  register: string
  where?: Record<string, string>
  is?: Record<string, string>
  between?: { from: string; until: string }
  fields: string[]
}

/**
 * What people still have to give back or settle (`owed` of registers, `owes` of flows): the requester, or those whose
 * own entries a pointer names. With `of`, only of these registers and flows.
 */
export interface ShownOwed extends ShownPart {
  owedBy: string
  of?: string[]
}

export type Shown = ShownEntriesOf | ShownOwed

/** Shows cases that name the same entry in the field `by`; those that match in further fields are highlighted. */
export interface Earlier {
  by: string
  alike?: string[]
  /** Route of the page with all of them; `{id}` is the entry. */
  page?: string
}

/** Pointers into the start form, and per desk the answer that agrees to their values. */
export interface Agreement {
  to: string[]
  by: Record<string, string>
}

/**
 * Before the steps of these topics, somebody must have answered one of these forms with one of these outcomes. Not
 * required if a derived variable has the value in `unless`.
 */
export interface NeededDecision {
  before: string[]
  decided: Record<string, string[]>
  unless?: Record<string, boolean>
}

/** A variable from the form or from an entry that it names; of a day also the moment at which it ends. */
export interface KnownVariable {
  /** `/field`, `/item#/data/field`, or `requester#/data/field`. */
  at: string
  /** The value is a day: the variable is its last second in Colombo. */
  as?: 'end-of-day'
  /** Number of days after that day, or before it if negative. */
  days?: number
}

/** The form fields that name a slot. `data:/pointer` points into the content of the case instead of the form. */
export interface ManifestAllocation {
  item: string
  from: string
  until: string
  /** Error code for a slot that is taken. */
  code: string
}

/**
 * An entry that an answer at a desk picks for the case; nobody else can have it in that time. What an act picks replaces
 * what the case has.
 */
export interface DeskAllocation extends ManifestAllocation {
  /** Key of the form; its field `item` names the entry, and an answer without it picks none. */
  form: string
  /** Minutes to keep free before and after: a number, or the name of a fact of the case that holds it. */
  before?: number | string
  after?: number | string
  /** The most hours of a day for which an entry is out that other cases have too on that day. */
  mostADay?: number
}

/** An act that the requester may perform while the diagram waits for its message. */
export interface Act {
  name: string
  /** Text key of its button. */
  title: string
  /** Name of the BPMN message. */
  message: string
  /** Key of its form. */
  form: string
  /** Text key of the confirmation before it is sent. */
  confirm?: string
  /** Slots that it claims for afterwards. */
  allocations?: ManifestAllocation[]
  /** Who else may perform it: roles, or `group:<permission group>`. */
  by?: string[]
  /** Only these perform it, never the requester. */
  only?: true
  /** Facts of the case: once one of them has a value, nobody can perform it. */
  unless?: string[]
}

/** Whether an act takes slots that replace those of the case. */
export function movesSlots({ assigns = [] }: Pick<Manifest, 'assigns'>, { allocations = [], form }: Act): boolean {
  return allocations.length > 0 || assigns.some((one) => one.form === form)
}

/** The keys of `scope`: `name:kind` names a unit of a kind, `kind` is its own name. */
export function scopesOf({
  scope = {},
}: Pick<Manifest, 'scope'>): { name: string; kind: string; pointers: string[] }[] {
  return Object.entries(scope).map(([key, pointers]) => {
    const [name = key, kind = name] = key.split(':')
    return { name, kind, pointers: [pointers].flat() }
  })
}

/** Names of variables that only the server sets, including all ids; forms that declare one are rejected. */
export const serverVariables =
  /^([a-z][A-Za-z]*Id|workday\d+|.+_outcome|byBatch|closesAt|agreed|corrected|runTotal|runChanged|placed)$/

/** Name of the requester's own entry in pointers that otherwise begin with a field. */
export const REQUESTER = 'requester'

/** The role that comes with every post, at the post itself: what is for the holder of a post is offered to it. */
export const POST_HOLDER = 'Post Holder'
