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
const NOBODY = '00000000-0000-0000-0000-000000000000'

/**
 * Whether somebody has to do with a case otherwise than as its requester, as who sent it, or as anybody: those talk about
 * it among themselves.
 */
export async function isInside(dependencies: InsiderDependencies, person: Person, caseId: string): Promise<boolean> {
  const row = await findCaseRow(dependencies.db, caseId)
  return row !== undefined && isInsideOf(dependencies, person, row)
}

/** As `isInside`, of a case that has been read. */
export async function isInsideOf(
  { db, library, definitions }: InsiderDependencies,
  person: Person,
  row: CaseRow,
): Promise<boolean> {
  const found = library.flows.get(row.flow)?.manifest ?? (await definitions.get(row.process_definition_id)).manifest
  const manifest = { ...found, seenBy: found.seenBy.filter((entry) => entry !== '*') }
  const own = row.requester_id === person.id || row.sent_by === person.id
  // What they are offered or have done by name, they were and did as its requester: only a role of theirs counts.
  const principals = person.principals.filter((one) => !one.startsWith('user:'))
  const asked = own ? { ...person, id: NOBODY, principals } : person
  return (await rightToHandle(db, asked, row, manifest)) !== undefined
}
