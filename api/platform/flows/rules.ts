import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { JsonObject } from '../db/database.generated.ts'
import type { Variables } from '../engine/port.ts'
import type { FieldError } from '../errors.ts'

/** A start form as an area's rules see it; it has passed its schema. */
export interface RuleInput {
  data: JsonObject
  /** The register items that its fields name, by JSON pointer of the field. */
  items: ReadonlyMap<string, { status: string; data: JsonObject }>
  now: Date
}

/** What follows from a submission by itself, so that no step of the diagram has to work it out. */
export interface Derived {
  /** Shown to people beside what was sent. */
  facts: JsonObject
  /** Route the case; their names are those of `derives` in the manifest. */
  variables: Variables
}

/** What a flow does with a submission beyond what its form's schema can say: `api/<area>/<flow>.rules.ts`. */
export interface Rules {
  /** Gives what is wrong by field; an empty list lets the submission pass. */
  check?(input: RuleInput): FieldError[]
  /** Called with what has passed `check`. */
  derive?(input: RuleInput): Derived
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
