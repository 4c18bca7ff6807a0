import type { Transaction } from 'kysely'
import { v7 as uuid } from 'uuid'
import type { AccessDependencies } from '../../work/access/changes.ts'
import { invalid } from '../../people/access/refusals.ts'
import { isAdministrator } from '../../people/access/rights.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Language } from '../../model/library/library.ts'
import type { Person } from '../../people/persons/person.ts'
import {
  addSubstitution,
  getSubstitution,
  isStaffAccount,
  listSubstitutionsBeside,
} from '../../people/substitutes/repository.ts'
import { type Substitution, note, notifyOther, write } from './service.ts'

/** A request for substitution. */
export interface SubstitutionRequest {
  substitute: string
  from: string
  until: string
  flows?: string[] | undefined
  amountLimit?: number | undefined
  reason?: string | undefined
  /** The absent person, if an administrator asks for somebody else. */
  absent?: string | undefined
}

/** The requested period; a start in the past means now. */
function spanOf({ from, until }: Pick<SubstitutionRequest, 'from' | 'until'>): { from: Date; until: Date } {
  const now = new Date()
  const end = new Date(until)
  const start = new Date(Math.max(new Date(from).getTime(), now.getTime()))
  if (end <= now) throw invalid([{ field: '/until', code: 'platform.end-past' }])
  if (end <= new Date(from)) throw invalid([{ field: '/until', code: 'platform.ends-before-start' }])
  return { from: start, until: end }
}

/** Throws if the person cannot be a substitute, or if substitutions in that time would form a chain or a circle. */
async function check(
  trx: Transaction<DB>,
  person: Person,
  { absent, substitute, ...span }: { absent: string; substitute: string; from: Date; until: Date },
): Promise<void> {
  const refused = (field: string, code: string) => invalid([{ field, code }])
  if (absent === substitute) throw refused('/substitute', 'platform.substitute-oneself')
  if (absent !== person.id && substitute === person.id) throw refused('/substitute', 'platform.substitute-appointed')
  if (!(await isStaffAccount(trx, absent))) throw refused('/absent', 'platform.substitute-not-staff')
  if (!(await isStaffAccount(trx, substitute))) throw refused('/substitute', 'platform.substitute-not-staff')
  for (const beside of await listSubstitutionsBeside(trx, [absent, substitute], span)) {
    const same = beside.absent_id === absent && beside.substitute_id === substitute
    if (same) throw new BusinessError('platform.substitution-overlaps')
    const back = beside.absent_id === substitute && beside.substitute_id === absent
    if (back) throw new BusinessError('platform.substitution-circle')
    if (beside.absent_id === substitute) throw new BusinessError('platform.substitute-absent')
    if (beside.substitute_id === absent) throw new BusinessError('platform.absent-substitutes')
  }
}

/** Asks a person to be a substitute. */
export async function askSubstitute(
  dependencies: AccessDependencies,
  person: Person,
  request: SubstitutionRequest,
  language?: Language,
): Promise<Substitution> {
  const { db, library } = dependencies
  const absent = request.absent ?? person.id
  if (absent === person.id ? !(await isStaffAccount(db, absent)) : !isAdministrator(person))
    throw new BusinessError('platform.not-allowed')
  const span = spanOf(request)
  const unknown = (request.flows ?? []).findIndex((flow) => !library.flows.has(flow))
  if (unknown >= 0) throw invalid([{ field: `/flows/${unknown}`, code: 'platform.flow-unknown' }])
  return write(
    dependencies,
    async (trx) => {
      await check(trx, person, { absent, substitute: request.substitute, ...span })
      const id = uuid()
      await addSubstitution(trx, {
        id,
        absent,
        substitute: request.substitute,
        ...span,
        flows: request.flows ?? null,
        amountLimit: request.amountLimit ?? null,
        reason: request.reason ?? null,
        askedBy: person.id,
      })
      const row = await getSubstitution(trx, id)
      await note(trx, person, row, 'asked')
      await notifyOther(dependencies, trx, person, row, 'asked')
      return row
    },
    language,
  )
}
