import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Transaction } from 'kysely'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import type { Variables } from '../../kernel/engine/port.ts'
import type { FieldError } from '../../kernel/errors.ts'

/** Who sends a form, as far as rules ask. */
export interface RuleRequester {
  /** The account; of a guest the session, whoever they are. */
  id: string
  /** The roles held now. */
  roles: readonly string[]
  /** Whether the university knows that it is this person: by an account whose address is confirmed, or by who sends it for them. */
  confirmed: boolean
  /** Whether the entry of employees or students that is theirs says that they have left. */
  formerMember: boolean
  /** Whether it was sent without signing in, and nobody has confirmed it yet. */
  guest: boolean
}

/** A form as an area's rules see it; it has passed its schema. */
export interface RuleInput {
  data: JsonObject
  /** The register items that its fields name, by JSON pointer of the field. */
  items: ReadonlyMap<string, { status: string; data: JsonObject }>
  now: Date
  /** For whom the case is, whoever sends it. */
  requester: RuleRequester
  /** To look something up; a rule changes nothing. */
  trx: Transaction<DB>
  /** Absent while the case is only asked about. */
  caseId?: string
  /** In a correction, what the case said until now. */
  before?: JsonObject
}

/** What an act of the requester asks for, beside what the case says now. */
export interface ActInput extends Omit<RuleInput, 'before'> {
  current: JsonObject
  facts: JsonObject
  caseId: string
}

/** What somebody answers at a desk, beside what the case says now. */
export interface DeskInput {
  data: JsonObject
  current: JsonObject
  facts: JsonObject
  now: Date
  trx: Transaction<DB>
  caseId: string
  /** Who answers. */
  by: string
}

/** What follows from a submission by itself, so that no step of the diagram has to work it out. */
export interface Derived {
  /** Shown to people beside what was sent; those of an act or a correction are laid over what the case had. */
  facts: JsonObject
  /** Route the case; their names are those of `derives` in the manifest (of an act: among them). */
  variables: Variables
}

/**
 * What a submission takes of an item, and what goes with it. It is taken by
 * `allocations(trx).claim({ ...plan, holder, guest?, caseId, path, purpose? })`, where a hold of the holder or the guest
 * becomes the claim, and moved in place by `allocations(trx).reclaim({ ...plan, holder, caseId, path })`.
 */
export interface SlotPlan {
  item: string
  /** What was asked for; ISO 8601 with an offset, the end excluded. */
  booked: { from: string; until: string }
  /** Minutes that stay free before it, and after it. */
  before: number
  after: number
  /** Countable items that are lent for it. */
  lent: { item: string; quantity: number }[]
  /** Error code that says it is taken. */
  code: string
  /** Error codes that say that a part of it is taken, and that too few are left to be lent; without them general ones. */
  partCode?: string
  lentCode?: string
}

/** Something else that is free: the same item at another time, or another one. */
export interface Alternative {
  resource: { id: string; title: string }
  from: string
  until: string
}

/** Whether somebody may have what a start form asks for; if not, why, and what is free instead. */
export type Availability = { free: true } | ({ free: false; alternatives: Alternative[] } & FieldError)

/** What a flow does with a submission beyond what its form's schema can say: `api/<area>/<flow>.rules.ts`. */
export interface Rules {
  /** Gives what is wrong by field; an empty list lets the submission pass. */
  check?(input: RuleInput): FieldError[] | Promise<FieldError[]>
  /** Called with what has passed `check`. */
  derive?(input: RuleInput): Derived | Promise<Derived>
  /** What the submission takes; without it, what the manifest's `allocations` name and nothing beside. */
  slots?(input: RuleInput): SlotPlan | Promise<SlotPlan>
  /** Answers as `check` and the slots would, for a form of which only the fields of the slot need to be filled. */
  available?(input: RuleInput): Promise<Availability>
  /** By the name of an act. Its `slots` say what is taken for the time after it. */
  acts?: Readonly<Record<string, ActRules>>
  /** By the key of a form: what an answer must fulfil beyond it, at whatever desk a diagram asks for it. */
  answers?: Readonly<Record<string, { check(input: DeskInput): FieldError[] | Promise<FieldError[]> }>>
}

/** What a flow asks of an act of the requester. */
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
    const module = (await import(pathToFileURL(file).href)) as { default?: unknown }
    if (typeof module.default !== 'object') throw new Error(`${file} has no rules as its default export`)
    found.set(flow, module.default as Rules)
  }
  return found
}
