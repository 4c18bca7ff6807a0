import type { RunDefinition } from './run.ts'

/** What `forms/<area>/<flow>.flow.json` says of a flow. Pointers are JSON pointers into the data of the start form. */
export interface Manifest {
  /** Text key. */
  title: string
  description?: string
  /** Id of the BPMN process, and name of its file. */
  process: string
  /** Key of the start form. */
  start: string
  /** Route of the page that starts it, where that is not the form by itself. */
  startPage?: string
  /** Roles, or `*` for everybody who is signed in. */
  startedBy: string[]
  /** Roles that see every case of this flow; `Role@kind` only those of their own unit. */
  seenBy: string[]
  /** Per status list, what a case has from its submission on. */
  firstStatus: Record<string, string>
  /** Per status list, the key of the list: `<area>/<list>`. */
  statusLists: Record<string, string>
  /** Pattern of the human reference: `{yyyy}`, `{mm}`, `{sequence:6}`. */
  reference: string
  /** What routes a case and is known by itself: name of the variable → where it stands. */
  variables?: Record<string, KnownVariable>
  /**
   * Per kind of unit, `<kind>` or `<name>:<kind>`, where its id stands; of several pointers the first that gives something
   * counts. `/field#/pointer` looks into the register item that a field names, and each further `#/pointer` into the item
   * that the one before it names.
   */
  scope?: Record<string, string | string[]>
  /** What people recognise a case by: name → pointer, `#/title` for an item's title. */
  subject?: Record<string, string>
  /** The one name of `subject` that the public calendar shows of what is certain; absent: nothing. */
  publicSubject?: string
  /** Text key of one line about a case; its placeholders are the names of `subject`. */
  subjectText?: string
  /** Per desk, text key of the question that it answers. */
  question?: Record<string, string>
  /** Slots that a submission claims. */
  allocations?: ManifestAllocation[]
  /** Variables that the flow's rules derive from a submission. */
  derives?: string[]
  /**
   * What a case is about in money, in cents: one of `derives`, or a pointer into the data of the start form. Lists are
   * sorted by it and substitutes limited.
   */
  amount?: string
  /** Names of facts that lists and case pages show. */
  facts?: string[]
  columns?: string[]
  /** Which cases of the flow came before one that concern the same item. */
  earlier?: Earlier
  /** What desks agree to, so that a correction need not pass again those to whom it says nothing new. */
  agreement?: Agreement
  /** What has to be decided before certain steps of a worker, whatever diagram and tables say. */
  floor?: NeededDecision[]
  /** Name of the BPMN message by which the requester withdraws. */
  withdraw?: string
  /** What the requester may ask for while the case runs. */
  acts?: Act[]
  /** Whether somebody without an account may begin it; the account comes into being with it. */
  public?: true
  /** Who may begin it for somebody else: roles, or `group:<permission group>`. */
  onBehalf?: { by: string[] }
  /** Whose entry in a register a requester has to be; it can be named as `requester` in `scope` and `subject`. */
  requester?: RequesterRecord
  /** Each requester has at most one case per value of a field. */
  once?: Once
  /** The days on which it can be asked for, the first and the last included: lookups of dates. */
  open?: { from: string; until: string }
  /** Who may open it for all whom a register item is meant for, and which field names that item. */
  batch?: { item: string; by: string[] }
  /** Whom a case pays, how much and for which month: many people, in one run. */
  run?: RunDefinition
}

/** What has to hold of the entry that a requester's account is about; it has to be in use in any case. */
export interface RequesterRecord {
  register: string
  /** Pointer into the entry → lookup of the value that has to stand there; one that gives nothing asks for nothing. */
  match?: Record<string, string>
}

/**
 * `per` is a field of the start form; without it there is one case at a time, whatever it says. A case that was
 * withdrawn, or came to an end in one of `again`, does not count.
 */
export interface Once {
  per?: string
  again?: string[]
}

/** Told of cases that name the same item in the field `by`; those that are alike in further fields stand out. */
export interface Earlier {
  by: string
  alike?: string[]
  /** Route of the page with all of them; `{id}` is the item. */
  page?: string
}

/** Pointers into the start form, and per desk the answer that agrees to what stands there. */
export interface Agreement {
  to: string[]
  by: Record<string, string>
}

/**
 * Before the steps of these topics somebody has answered one of these forms with one of these outcomes; not asked for
 * where a variable that the flow derives has the value of `unless`.
 */
export interface NeededDecision {
  before: string[]
  decided: Record<string, string[]>
  unless?: Record<string, boolean>
}

/** A variable that stands in the form or in an item that it names; of a day, also the moment at which it ends. */
export interface KnownVariable {
  /** `/field`, `/item#/data/field`, or `requester#/data/field`. */
  at: string
  /** The value is a day: the variable is the last second of it in Colombo. */
  as?: 'end-of-day'
  /** So many days after that day, or before it. */
  days?: number
}

/** Where a form says which slot it takes. `data:/pointer` means what the case says, not what the form says. */
export interface ManifestAllocation {
  item: string
  from: string
  until: string
  /** Error code that says the slot is taken. */
  code: string
}

/** Something that the requester may ask for while something in the diagram waits for its message. */
export interface Act {
  name: string
  /** Text key: what its button says. */
  title: string
  /** Name of the BPMN message. */
  message: string
  /** Key of the form that it is asked for by. */
  form: string
  /** Text key of the question that is asked before it is sent. */
  confirm?: string
  /** Slots that it claims for the time after it. */
  allocations?: ManifestAllocation[]
}

/** What the keys of `scope` say: `name:kind` names a unit of a kind, `kind` is its own name. */
export function scopesOf({
  scope = {},
}: Pick<Manifest, 'scope'>): { name: string; kind: string; pointers: string[] }[] {
  return Object.entries(scope).map(([key, pointers]) => {
    const [name, kind] = key.split(':') as [string, string | undefined]
    return { name, kind: kind ?? name, pointers: [pointers].flat() }
  })
}

/** Names of variables that only the server sets, every id among them; a form that declares one is refused. */
export const serverVariables =
  /^([a-z][A-Za-z]*Id|workday\d+|.+_outcome|byBatch|closesAt|agreed|corrected|runTotal|runChanged)$/

/** How a manifest names the entry that the requester's account is about, where a pointer names a field elsewhere. */
export const REQUESTER = 'requester'

/** The role that goes with every post, at the post itself: what is meant for whoever holds it is offered to that. */
export const POST_HOLDER = 'Post Holder'
