import type { TaskList } from 'graphile-worker'
import { type Kysely, sql } from 'kysely'
import { BusinessError } from '../../kernel/errors.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { known } from '../../kernel/known.ts'
import type { Manifest } from '../../model/definitions/manifest.ts'
import { inUse } from '../../model/definitions/register.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import { type Library, registerNamed } from '../../model/library/library.ts'
import { type Person, admitsToStart } from '../../people/persons/person.ts'
import { type BegunForm, deleteUnclaimed, listBegun, noteBegun } from '../rows/begun-forms.ts'
import { findItem } from '../rows/items.ts'
import { closedNow, closingOf, openFieldOf } from './requester.ts'
import { refuse } from './sent.ts'

/** The job that deletes what visitors had begun with an entry and can no longer send. */
const FORGET_BEGUN = 'forget-begun'

declare global {
  namespace GraphileWorker {
    interface Tasks {
      [FORGET_BEGUN]: BegunForm
    }
  }
}

interface BegunDependencies {
  db: Kysely<DB>
  library: Library
  definitions: Definitions
  clock?: () => Date
}

const now = () => new Date()

/** A form that somebody has begun, and until when it can be sent. */
export interface Begun {
  /** A visitor sends it with the form. */
  id: string
  closesAt: string
  /** Null if the flow lets nobody finish. */
  finishUntil: string | null
  /** The server's time, because clocks of browsers differ. */
  now: string
}

/**
 * Notes that somebody begins the start form of a flow about an entry, or a visitor if nobody is named. After the
 * closing this answers only who had begun before.
 */
export async function beginForm(
  { db, library, definitions, clock = now }: BegunDependencies,
  { flow, item }: { flow: string; item: string },
  person: Person | null,
): Promise<Begun> {
  const { manifest } = await definitions.latest(flow)
  if (person ? admitsToStart(person, manifest) === undefined : !manifest.account)
    throw new BusinessError('platform.not-allowed')
  const opening = await openingOf({ db, library }, manifest, item)
  if (!opening) throw new BusinessError('platform.not-found')
  const { field, register, entry, data, named } = opening
  if (entry.status !== inUse(known(library.registers.get(register), `the register ${register}`)))
    throw new BusinessError('platform.not-found')
  const at = clock()
  const closed = closedNow(manifest, data, named, at)
  const { at: closes, finishUntil } = known(closingOf(manifest, data, named), 'when the flow closes')
  const finishing = closed?.code === 'platform.closed' && finishUntil !== null && at < finishUntil
  const begun = finishing && person && (await listBegun(db, flow, person.id)).has(item)
  refuse(closed && !begun ? [{ field, ...closed }] : [])
  const id = await db.transaction().execute(async (trx) => {
    if (!person) await forgetAt(trx, { flow, item }, finishUntil ?? closes)
    return noteBegun(trx, { flow, item }, person?.id ?? null)
  })
  return { id, closesAt: closes.toISOString(), finishUntil: finishUntil?.toISOString() ?? null, now: at.toISOString() }
}

/** The entry that decides when a flow is open, and what its days are resolved from. */
async function openingOf({ db, library }: Pick<BegunDependencies, 'db' | 'library'>, manifest: Manifest, item: string) {
  const field = openFieldOf(manifest)
  const register = field && registerNamed(library, manifest.start, field)
  if (field === undefined || register === undefined) return undefined
  const entry = await findItem(db, register, item)
  return entry && { field, register, entry, data: { [field.slice(1)]: item }, named: new Map([[field, entry]]) }
}

/** Deletes once nobody can send it any more what visitors have begun with an entry; one job for all of them. */
async function forgetAt(trx: Kysely<DB>, form: BegunForm, at: Date): Promise<void> {
  await sql`select graphile_worker.add_job(${FORGET_BEGUN}, ${JSON.stringify(form)}::json,
    run_at => ${at.toISOString()}::timestamptz, job_key => ${`begun:${form.flow}:${form.item}`})`.execute(trx)
}

/** The queue task that deletes what visitors had begun; waits again if the closing was put off. */
export function begunTasks({ db, library, definitions, clock = now }: BegunDependencies): TaskList {
  return {
    async [FORGET_BEGUN](form) {
      const manifest = (await definitions.findLatest(form.flow))?.manifest
      const opening = manifest && (await openingOf({ db, library }, manifest, form.item))
      const closing = opening && closingOf(manifest, opening.data, opening.named)
      const until = closing && (closing.finishUntil ?? closing.at)
      if (until && clock() < until) await forgetAt(db, form, until)
      else await deleteUnclaimed(db, form)
    },
  }
}
