import { known } from '../../kernel/known.ts'
import { inUse } from '../../model/definitions/register.ts'
import type { Language } from '../../model/library/library.ts'
import { findOwnEntry } from '../../people/identity/accounts.ts'
import type { Person } from '../../people/persons/person.ts'
import { type OwnAccountRow, type RecipientRow, listAccountsOf, listRecipientsOf } from '../../work/rows/recipients.ts'
import type { RunDependencies } from './context.ts'

/** What a student was awarded; `active` says whether runs pay it. */
export type OwnAward = RecipientRow & { active: boolean }

/** Maximum applications per flow. */
const MAX_APPLICATIONS = 50

/** The reader's awards in all schemes that runs pay, whatever became of them. */
export async function ownAwards({ db, library }: RunDependencies, person: Person): Promise<OwnAward[]> {
  const entry = await findOwnEntry(db, person.id)
  if (!entry) return []
  const runs = [...library.flows.values()].flatMap(({ manifest }) => manifest.run ?? [])
  const found = await Promise.all(
    runs.map(async (run) => {
      const definition = known(library.registers.get(run.recipients.register), 'the register of the recipients')
      const rows = await listRecipientsOf(db, run, definition, entry.id)
      return rows.map((row) => ({ ...row, active: row.status === inUse(definition) }))
    }),
  )
  return found.flat()
}

/** The reader's bank accounts to which runs pay; `active` says whether they do. */
export async function ownAccounts(
  { db, library }: RunDependencies,
  person: Person,
): Promise<(OwnAccountRow & { active: boolean })[]> {
  const entry = await findOwnEntry(db, person.id)
  if (!entry) return []
  const accounts = new Map(
    [...library.flows.values()].flatMap(({ manifest: { run } }) =>
      run?.account ? [[run.account.register, run.account] as const] : [],
    ),
  )
  const found = await Promise.all(
    [...accounts.values()].map(async (one) => {
      const definition = known(library.registers.get(one.register), 'the register of the accounts')
      const rows = await listAccountsOf(db, one, entry.id)
      return rows.map((row) => ({ ...row, active: row.status === inUse(definition) }))
    }),
  )
  return found.flat()
}

/** The reader's applications for what runs pay, by flow, newest first. */
export async function ownApplications({ library, cases }: RunDependencies, person: Person, language?: Language) {
  const flows = new Set([...library.flows.values()].flatMap(({ manifest }) => manifest.run?.applications ?? []))
  const pages = await Promise.all(
    [...flows].map((flow) => cases.list(person, { mine: true, flow, limit: MAX_APPLICATIONS }, language)),
  )
  return pages.flatMap(({ items }) => items)
}
