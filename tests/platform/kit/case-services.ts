import type { Kysely } from 'kysely'
import { pino } from 'pino'
import type { DB } from '../../../api/platform/kernel/db/database.generated.ts'
import type { Engine } from '../../../api/platform/kernel/engine/port.ts'
import { definitionStore } from '../../../api/platform/model/deployed/definitions.ts'
import type { Rules } from '../../../api/platform/model/deployed/rules.ts'
import type { Library } from '../../../api/platform/model/library/library.ts'
import { casesService } from '../../../api/platform/work/cases/service.ts'
import { commandSender } from '../../../api/platform/work/commands/sender.ts'
import { tasksService } from '../../../api/platform/work/tasks/service.ts'

interface Given {
  db: Kysely<DB>
  library: Library
  engine: Engine
  /** The checks of flows beyond their forms; none by default. */
  rules?: ReadonlyMap<string, Rules>
  publicUrl?: string
  /** The time of cases; that of the machine by default. */
  clock?: () => Date
}

/** Cases, tasks and what they need, wired as in the API. */
export function caseServices({ db, library, engine, rules = new Map(), publicUrl = 'http://localhost', clock }: Given) {
  const definitions = definitionStore(db)
  const sender = commandSender({ db, engine, library, publicUrl, log: pino({ level: 'silent' }) })
  const cases = casesService({ db, library, definitions, sender, engine, rules, publicUrl, ...(clock && { clock }) })
  const tasks = tasksService({ db, library, definitions, sender, cases })
  return { definitions, sender, cases, tasks }
}
