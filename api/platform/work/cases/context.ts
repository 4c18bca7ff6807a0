import type { Kysely } from 'kysely'
import type { Sender } from '../commands/sender.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Engine } from '../../kernel/engine/port.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import type { Rules } from '../../model/deployed/rules.ts'
import type { Library, Manifest } from '../../model/library/library.ts'
import type { Person } from '../../people/persons/person.ts'
import { type CaseRow, findCaseRow } from '../rows/cases.ts'
import { rightToSee } from './visibility.ts'

/** What the use cases of cases work with. */
export interface CasesContext {
  db: Kysely<DB>
  library: Library
  definitions: Definitions
  sender: Sender
  engine: Engine
  /** What flows check at submission beyond their forms, by `<area>/<flow>`. */
  rules: ReadonlyMap<string, Rules>
  clock: () => Date
}

/** The manifest that holds for a case now; the one it began with where its flow is gone. */
export async function presentManifest(
  { library, definitions }: Pick<CasesContext, 'library' | 'definitions'>,
  row: Pick<CaseRow, 'flow' | 'process_definition_id'>,
): Promise<Manifest> {
  return library.flows.get(row.flow)?.manifest ?? (await definitions.get(row.process_definition_id)).manifest
}

/** The row of a case that this person may see; for everybody else it does not exist. */
export async function findCase(context: CasesContext, person: Person, id: string): Promise<CaseRow> {
  const row = await findCaseRow(context.db, id)
  if (!row || !(await rightToSee(context.db, person, row, await presentManifest(context, row))))
    throw new BusinessError('platform.not-found')
  return row
}

/** As `findCase`, for what only its requester may do. */
export async function findOwnCase(context: CasesContext, person: Person, id: string): Promise<CaseRow> {
  const row = await findCase(context, person, id)
  if (row.requester_id !== person.id) throw new BusinessError('platform.not-allowed')
  return row
}
