import type { Kysely } from 'kysely'
import { BusinessError } from '../../kernel/errors.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { known } from '../../kernel/known.ts'
import { inUse } from '../../model/definitions/register.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import { type Library, registerNamed } from '../../model/library/library.ts'
import { type Person, admits } from '../../people/persons/person.ts'
import { listBegun, noteBegun } from '../rows/begun-forms.ts'
import { findItem } from '../rows/items.ts'
import { closedNow, closingOf, openFieldOf } from './requester.ts'
import { refuse } from './sent.ts'

interface BegunDependencies {
  db: Kysely<DB>
  library: Library
  definitions: Definitions
  clock?: () => Date
}

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
  { db, library, definitions, clock = () => new Date() }: BegunDependencies,
  { flow, item }: { flow: string; item: string },
  person: Person | null,
): Promise<Begun> {
  const { manifest } = await definitions.latest(flow)
  if (person ? admits(person, manifest.startedBy) === undefined : !manifest.account)
    throw new BusinessError('platform.not-allowed')
  const field = openFieldOf(manifest)
  const register = field && registerNamed(library, manifest.start, field)
  if (field === undefined || register === undefined) throw new BusinessError('platform.not-found')
  const entry = await findItem(db, register, item)
  if (entry?.status !== inUse(known(library.registers.get(register), `the register ${register}`)))
    throw new BusinessError('platform.not-found')
  const named = new Map([[field, entry]])
  const data = { [field.slice(1)]: item }
  const now = clock()
  const closed = closedNow(manifest, data, named, now)
  const { at, finishUntil } = known(closingOf(manifest, data, named), 'when the flow closes')
  const finishing = closed?.code === 'platform.closed' && finishUntil !== null && now < finishUntil
  const begun = finishing && person && (await listBegun(db, flow, person.id)).has(item)
  refuse(closed && !begun ? [{ field, ...closed }] : [])
  const id = await noteBegun(db, { flow, item }, person?.id ?? null)
  return { id, closesAt: at.toISOString(), finishUntil: finishUntil?.toISOString() ?? null, now: now.toISOString() }
}
