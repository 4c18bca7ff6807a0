import type { Kysely } from 'kysely'
import { type CaseRow, findCaseRow } from '../rows/cases.ts'
import { rightToHandle } from './visibility.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import type { Library } from '../../model/library/library.ts'
import type { Person } from '../../people/persons/person.ts'

export interface InsiderDependencies {
  db: Kysely<DB>
  library: Library
  definitions: Definitions
}

/** No account has this id. */
const NO_ACCOUNT = '00000000-0000-0000-0000-000000000000'

/**
 * Whether a person handles a case, not only as its requester or sender or by a right that everybody has. Insiders
 * discuss it among themselves.
 */
export async function isInside(dependencies: InsiderDependencies, person: Person, caseId: string): Promise<boolean> {
  const row = await findCaseRow(dependencies.db, caseId)
  return row !== undefined && isInsideOf(dependencies, person, row)
}

/** Like `isInside`, for a case that is already loaded. */
export async function isInsideOf(
  { db, library, definitions }: InsiderDependencies,
  person: Person,
  row: CaseRow,
): Promise<boolean> {
  const found = library.flows.get(row.flow)?.manifest ?? (await definitions.get(row.process_definition_id)).manifest
  const manifest = { ...found, seenBy: found.seenBy.filter((entry) => entry !== '*') }
  const own = row.requester_id === person.id || row.sent_by === person.id
  // The requester's tasks are offered to them by name, so only their roles count here.
  const principals = person.principals.filter((one) => !one.startsWith('user:'))
  const asked = own ? { ...person, id: NO_ACCOUNT, principals } : person
  return (await rightToHandle(db, asked, row, manifest)) !== undefined
}
