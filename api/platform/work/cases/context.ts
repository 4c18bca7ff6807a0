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

export interface CasesContext {
  db: Kysely<DB>
  library: Library
  definitions: Definitions
  sender: Sender
  engine: Engine
  /** The checks of flows at submission beyond their forms, by `<area>/<flow>`. */
  rules: ReadonlyMap<string, Rules>
  /** For links in mails. */
  publicUrl: string
  clock: () => Date
}

/** The manifest that applies to a case now, or the one it began with if its flow is gone. */
export async function presentManifest(
  { library, definitions }: Pick<CasesContext, 'library' | 'definitions'>,
  row: Pick<CaseRow, 'flow' | 'process_definition_id'>,
): Promise<Manifest> {
  return library.flows.get(row.flow)?.manifest ?? (await definitions.get(row.process_definition_id)).manifest
}

/** The row of a case that this person may see; 404 for everybody else. */
export async function findCase(context: CasesContext, person: Person, id: string): Promise<CaseRow> {
  const row = await findCaseRow(context.db, id)
  if (!row || !(await rightToSee(context.db, person, row, await presentManifest(context, row))))
    throw new BusinessError('platform.not-found')
  return row
}
