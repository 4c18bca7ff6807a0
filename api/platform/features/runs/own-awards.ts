import { known } from '../../kernel/known.ts'
import { type RegisterDefinition, inUse } from '../../model/definitions/register.ts'
import type { Language } from '../../model/library/library.ts'
import { findOwnEntry } from '../../people/identity/accounts.ts'
import type { Person } from '../../people/persons/person.ts'
import { type OwnAccountRow, type RecipientRow, listAccountsOf, listRecipientsOf } from '../../work/rows/recipients.ts'
import type { RunDependencies } from './context.ts'

/** What a student was awarded; `active` says whether runs pay it. */
export type OwnAward = RecipientRow & { active: boolean }
/** A bank account of a student; `active` says whether runs pay to it. */
type OwnAccount = OwnAccountRow & { active: boolean }

/** Maximum applications per flow. */
const MAX_APPLICATIONS = 50

/** The reader's awards in all schemes that runs pay, whatever became of them, and the bank accounts to which runs pay. */
export async function ownAwards(
  { db, library }: RunDependencies,
  person: Person,
): Promise<{ awards: OwnAward[]; accounts: OwnAccount[] }> {
  const entry = await findOwnEntry(db, person.id)
  if (!entry) return { awards: [], accounts: [] }
  const runs = [...library.flows.values()].flatMap(({ manifest }) => manifest.run ?? [])
  const accounts = new Map(runs.flatMap(({ account }) => (account ? [[account.register, account] as const] : [])))
  const definitionOf = (register: string) => known(library.registers.get(register), `the register ${register}`)
  const [awards, own] = await Promise.all([
    Promise.all(
      runs.map(async (run) => {
        const definition = definitionOf(run.recipients.register)
        return withActive(definition, await listRecipientsOf(db, run, definition, entry.id))
      }),
    ),
    Promise.all(
      [...accounts.values()].map(async (one) =>
        withActive(definitionOf(one.register), await listAccountsOf(db, one, entry.id)),
      ),
    ),
  ])
  return { awards: awards.flat(), accounts: own.flat() }
}

function withActive<T extends { status: string }>(
  definition: RegisterDefinition,
  rows: readonly T[],
): (T & { active: boolean })[] {
  return rows.map((row) => ({ ...row, active: row.status === inUse(definition) }))
}

/** The reader's applications for what runs pay, by flow, newest first. */
export async function ownApplications({ library, cases }: RunDependencies, person: Person, language?: Language) {
  const flows = new Set([...library.flows.values()].flatMap(({ manifest }) => manifest.run?.applications ?? []))
  const pages = await Promise.all(
    [...flows].map((flow) => cases.list(person, { mine: true, flow, limit: MAX_APPLICATIONS }, language)),
  )
  return pages.flatMap(({ items }) => items)
}
