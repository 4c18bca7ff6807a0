import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Kysely, Transaction } from 'kysely'
import { isObject } from '../../kernel/objects.ts'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import type { Variables } from '../../kernel/engine/port.ts'
import type { FieldError } from '../../kernel/errors.ts'

/** The person who sends a form, for rules. */
export interface RuleRequester {
  /** The account; for guests the session. */
  id: string
  /** Present roles. */
  roles: readonly string[]
  /**
   * Whether the person's identity is known: by an account with a confirmed address, or by the person who sends it for
   * them.
   */
  confirmed: boolean
  /** Whether their entry among employees or students says that they have left. */
  formerMember: boolean
  /** Whether it was sent without signing in, and is not confirmed yet. */
  guest: boolean
}

/** A form for an area's rules; it has passed its schema. */
export interface RuleInput {
  data: JsonObject
  /** The register entries that its fields name, by JSON pointer of the field. */
  items: ReadonlyMap<string, { status: string; data: JsonObject }>
  now: Date
  /** The requester, even if somebody else sends it. */
  requester: RuleRequester
  /** For look-ups; a rule changes nothing. */
  trx: Transaction<DB>
  /** Absent if somebody only checks availability. */
  caseId?: string
  /** In a correction, the content of the case so far. */
  before?: JsonObject
}

/** An act of the requester, with the present content of the case. */
export interface ActInput extends Omit<RuleInput, 'before'> {
  current: JsonObject
  facts: JsonObject
  caseId: string
}

/** An answer at a desk, with the present content of the case. */
export interface DeskInput {
  data: JsonObject
  current: JsonObject
  facts: JsonObject
  now: Date
  trx: Transaction<DB>
  caseId: string
  /** Account of the person who answers. */
  by: string
}

/** What a submission implies, so that no step of the diagram has to calculate it. */
export interface Derived {
  /** Shown to people beside the submission; those of an act or correction replace earlier ones. */
  facts: JsonObject
  /** Routing variables, named in `derives` of the manifest (an act may set a part of them). */
  variables: Variables
}

/**
 * The slot of a submission. `allocations(trx).claim({ ...plan, holder, guest?, caseId, path, purpose? })` claims it and
 * converts a hold of the holder or guest; `allocations(trx).reclaim({ ...plan, holder, caseId, path })` moves it in
 * place.
 */
export interface SlotPlan {
  item: string
  /** The requested time; ISO 8601 with an offset, the end excluded. */
  booked: { from: string; until: string }
  /** Minutes to keep free before it, and after it. */
  before: number
  after: number
  /** Countable entries that are lent for it. */
  lent: { item: string; quantity: number }[]
  /** Error code if it is taken. */
  code: string
  /** Error codes if a part of it is taken, or too few are left to lend; general ones by default. */
  partCode?: string
  lentCode?: string
}

/** A form of `assigns` that somebody is about to fill in for a case. */
export interface UnfitInput {
  trx: Transaction<DB>
  form: string
  caseId: string
  current: JsonObject
}

/** An entry that a field cannot pick. */
export interface Unfit extends FieldError {
  item: string
  /** It can be picked, and suits best. */
  suits?: true
}

/** A form at a desk that somebody is about to fill in. */
export interface BesideInput {
  trx: Transaction<DB>
  caseId: string
  /** Account of the requester. */
  requesterId: string
  current: JsonObject
  facts: JsonObject
}

/** What is known now about a form that is being filled in. */
export interface Beside {
  /** What is said at single fields. `short`: it speaks against choosing the value. */
  notes: (FieldError & { short?: true })[]
  /** The limits of what `x-counts` adds up, by field. */
  limits: { field: string; least: number; most: number }[]
}

/** An alternative that is free: the same entry at another time, or another one. */
export interface Alternative {
  resource: { id: string; title: string }
  from: string
  until: string
}

/** Whether the slot of a start form is available; if not, the reason and what is free instead. */
export type Availability = { free: true } | ({ free: false; alternatives: Alternative[] } & FieldError)

/** Rules of a flow beyond the schema of its form: `api/<area>/<flow>.rules.ts`. */
export interface Rules {
  /** Returns errors by field; an empty list accepts the submission. */
  check?(input: RuleInput): FieldError[] | Promise<FieldError[]>
  /** Called after `check` has passed. */
  derive?(input: RuleInput): Derived | Promise<Derived>
  /** The slots of the submission; by default those of the manifest's `allocations`. */
  slots?(input: RuleInput): SlotPlan | Promise<SlotPlan>
  /** Answers as `check` and the slots would, for a form in which only the slot's fields need to be filled. */
  available?(input: RuleInput): Promise<Availability>
  /**
   * Entries that a form of `assigns` cannot pick, besides those that are taken, and those that suit it best: each with its
   * field and the reason.
   */
  unfit?(input: UnfitInput): Promise<Unfit[]>
  /** Which people of a batch get no case, by their entry, with the reason (an error code). */
  leftOut?(input: { trx: Transaction<DB>; records: readonly string[] }): Promise<ReadonlyMap<string, string>>
  /**
   * For which people a register entry is not, by their own entry, with the reason (a text key): it is not offered to them
   * where the flow starts, and they get no case in a batch. For look-ups before they have filled in anything.
   */
  unfitFor?(input: {
    db: Kysely<DB>
    records: readonly string[]
    item: { data: JsonObject }
  }): Promise<ReadonlyMap<string, string>>
  /** By the name of an act. Its `slots` are those for afterwards. */
  acts?: Readonly<Record<string, ActRules>>
  /**
   * By the key of a form, at every desk with that form: additional checks of answers, and what is said beside the fields of
   * a form with `x-beside` while it is filled in.
   */
  answers?: Readonly<
    Record<
      string,
      {
        check(input: DeskInput): FieldError[] | Promise<FieldError[]>
        beside?(input: BesideInput): Promise<Beside>
      }
    >
  >
}

/** Rules for an act of the requester. */
export interface ActRules {
  check?(input: ActInput): FieldError[] | Promise<FieldError[]>
  derive?(input: ActInput): Derived | Promise<Derived>
  slots?(input: ActInput): SlotPlan | Promise<SlotPlan>
}

/** The rules of those flows (`<area>/<flow>`) that have some. */
export async function loadRules(root: string, flows: Iterable<string>): Promise<ReadonlyMap<string, Rules>> {
  const found = new Map<string, Rules>()
  for (const flow of flows) {
    const file = join(root, 'api', `${flow}.rules.ts`)
    if (!existsSync(file)) continue
    const module: { default?: unknown } = await import(pathToFileURL(file).href)
    if (!isRules(module.default)) throw new Error(`${file} has no rules as its default export`)
    found.set(flow, module.default)
  }
  return found
}

/** Each rule is optional, so any object will do. */
function isRules(value: unknown): value is Rules {
  return isObject(value)
}
