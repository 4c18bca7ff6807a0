import type { Transaction } from 'kysely'
import { v7 as uuid } from 'uuid'
import { type AccessDependencies, accessChanges } from '../../work/access/changes.ts'
import { inOurWords, invalid } from '../../people/access/refusals.ts'
import { settleAt } from '../../people/access/repository.ts'
import { isAdministrator } from '../../people/access/rights.ts'
import { audit } from '../../kernel/audit/audit.ts'
import { wordsOf } from '../../model/library/words.ts'
import { announce } from '../../kernel/db/changed.ts'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Language } from '../../model/library/library.ts'
import { type Person, admits } from '../../people/persons/person.ts'
import { mail } from '../../records/mail/mail.ts'
import { type Page, counted, cursorOf, readCursor } from '../../kernel/paging.ts'
import {
  type Colleague,
  type SubstitutionRow,
  type SubstitutionState,
  addSubstitution,
  answerSubstitution,
  endSubstitution,
  findSubstitution,
  getSubstitution,
  isStaffAccount,
  listColleagues,
  listSubstitutions,
  listSubstitutionsBeside,
} from '../../people/substitutes/repository.ts'

interface Who {
  id: string
  name: string
}

/** Who stands in for whom, as both of them and auditors see it. */
export interface Substitution {
  id: string
  absent: Who
  substitute: Who
  from: string
  until: string
  /** Null: every flow. */
  flows: { key: string; title: string }[] | null
  /** In cents; what is dearer, or has no amount, stays with the absent person. Null: no limit. */
  amountLimit: number | null
  reason: string | null
  state: SubstitutionState
  askedBy: Who
  askedAt: string
  answeredAt: string | null
  endedAt: string | null
  endedBy: Who | null
  /** Whether the substitute acts for the absent person now. */
  inForce: boolean
}

/** What somebody asks of a substitute. */
export interface SubstitutionRequest {
  substitute: string
  from: string
  until: string
  flows?: string[] | undefined
  amountLimit?: number | undefined
  reason?: string | undefined
  /** Whose absence it is, where an administrator asks for somebody else. */
  absent?: string | undefined
}

/** Whoever may see all of them beside ADMIN and SA. */
const AUDITORS = 'group:AuditView'

/** The two whom it concerns, in words. */
async function view({ library }: AccessDependencies, row: SubstitutionRow, language?: Language): Promise<Substitution> {
  const words = wordsOf(library, language)
  const title = (key: string) => {
    const manifest = library.flows.get(key)?.manifest
    return manifest ? words.flowTitle(manifest) : key
  }
  return {
    id: row.id,
    absent: { id: row.absent_id, name: row.absent_name },
    substitute: { id: row.substitute_id, name: row.substitute_name },
    from: row.starts_at.toISOString(),
    until: row.ends_at.toISOString(),
    flows: row.flows?.map((key) => ({ key, title: title(key) })) ?? null,
    amountLimit: row.amount_limit === null ? null : Number(row.amount_limit),
    reason: row.reason,
    state: row.state,
    askedBy: { id: row.asked_by, name: row.asker_name },
    askedAt: row.asked_at.toISOString(),
    answeredAt: row.answered_at?.toISOString() ?? null,
    endedAt: row.ended_at?.toISOString() ?? null,
    endedBy: row.ended_by === null ? null : { id: row.ended_by, name: row.ender_name! },
    inForce: row.in_force,
  }
}

/** Somebody's own, or for an administrator anybody's. */
async function findOwn(trx: Transaction<DB>, person: Person, id: string): Promise<SubstitutionRow> {
  const row = await findSubstitution(trx, id)
  const concerned = row && [row.absent_id, row.substitute_id].includes(person.id)
  if (!row || !(concerned || isAdministrator(person))) throw new BusinessError('platform.not-found')
  return row
}

/** The time asked for; one that has begun begins now. */
function spanOf({ from, until }: Pick<SubstitutionRequest, 'from' | 'until'>): { from: Date; until: Date } {
  const now = new Date()
  const end = new Date(until)
  const start = new Date(Math.max(new Date(from).getTime(), now.getTime()))
  if (end <= now) throw invalid([{ field: '/until', code: 'platform.end-past' }])
  if (end <= new Date(from)) throw invalid([{ field: '/until', code: 'platform.ends-before-start' }])
  return { from: start, until: end }
}

/** Refuses whom nobody may name, and what would be passed on or given back in the same time. */
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

async function note(trx: Transaction<DB>, person: Person, row: SubstitutionRow, act: string): Promise<void> {
  const concerned = [row.absent_id, row.substitute_id].includes(person.id)
  const payload: JsonObject = {
    absent: row.absent_id,
    substitute: row.substitute_id,
    from: row.starts_at.toISOString(),
    until: row.ends_at.toISOString(),
    flows: row.flows,
    amountLimit: row.amount_limit,
    reason: row.reason,
  }
  await audit(trx).record({
    actor: person.id,
    actedAs: concerned ? null : (admits(person, []) ?? null),
    action: `substitution.${act}`,
    object: `substitution:${row.id}`,
    payload,
  })
}

/** Tells the others of the two, by mail and in the portal. */
async function tell(
  dependencies: AccessDependencies,
  trx: Transaction<DB>,
  person: Person,
  row: SubstitutionRow,
  act: string,
): Promise<void> {
  const others = [row.absent_id, row.substitute_id].filter((id) => id !== person.id)
  await mail(trx, dependencies).send({
    to: others,
    template: `platform.mail.substitution-${act}`,
    values: {
      absent: row.absent_name,
      substitute: row.substitute_name,
      by: person.name,
      from: row.starts_at.toISOString(),
      until: row.ends_at.toISOString(),
      reason: row.reason ?? '–',
      link: `${dependencies.publicUrl}/substitutes`,
    },
  })
}

/** What changes nobody's rights. */
async function write(
  dependencies: AccessDependencies,
  act: (trx: Transaction<DB>) => Promise<SubstitutionRow>,
  language: Language | undefined,
): Promise<Substitution> {
  const { db } = dependencies
  const row = await inOurWords(() => db.transaction().execute(act), byConstraint)
  await announce(db, { principals: [], cases: [], tasks: [], people: [row.absent_id, row.substitute_id] })
  return view(dependencies, row, language)
}

/** What does: the tasks of both are brought in line with it. */
async function change(
  dependencies: AccessDependencies,
  act: (trx: Transaction<DB>) => Promise<SubstitutionRow>,
  language: Language | undefined,
): Promise<Substitution> {
  const changes = accessChanges(dependencies)
  const row = await inOurWords(
    () =>
      changes.make(async (trx) => {
        const result = await act(trx)
        return { result, shift: { accounts: [result.absent_id, result.substitute_id], principals: [] } }
      }),
    byConstraint,
  )
  return view(dependencies, row, language)
}

/** What concerns somebody, or for administrators and auditors all; the last asked first. */
export async function listSubstitutes(
  dependencies: AccessDependencies,
  person: Person,
  { all = false, cursor, limit = 20 }: { all?: boolean; cursor?: string; limit?: number },
  language?: Language,
): Promise<Page<Substitution>> {
  const { db } = dependencies
  if (all && admits(person, [AUDITORS]) === undefined) throw new BusinessError('platform.not-allowed')
  const [asked, id] = cursor === undefined ? [] : readCursor(cursor, ['moment', 'id'])
  const after = asked && id ? { after: { asked, id } } : {}
  const found = await listSubstitutions(db, all ? undefined : person.id, { ...after, limit: limit + 1 })
  const page = found.rows.slice(0, limit)
  const last = page.at(-1)
  return {
    items: await Promise.all(page.map((row) => view(dependencies, row, language))),
    next: found.rows.length > limit && last ? cursorOf([last.asked, last.id]) : null,
    count: counted(found.count),
  }
}

/** Asks somebody to stand in. */
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
      await tell(dependencies, trx, person, row, 'asked')
      return row
    },
    language,
  )
}

/** The substitute agrees: from its beginning on they act for the absent person, at once if it has begun. */
export async function acceptSubstitution(
  dependencies: AccessDependencies,
  person: Person,
  id: string,
  language?: Language,
): Promise<Substitution> {
  return change(
    dependencies,
    async (trx) => {
      const row = await findOwn(trx, person, id)
      if (row.substitute_id !== person.id) throw new BusinessError('platform.not-allowed')
      if (!(await answerSubstitution(trx, id, 'accepted'))) throw new BusinessError('platform.substitution-answered')
      await settleAt(trx, [row.starts_at, row.ends_at])
      await note(trx, person, row, 'accepted')
      await tell(dependencies, trx, person, row, 'accepted')
      return getSubstitution(trx, id)
    },
    language,
  )
}

export async function declineSubstitution(
  dependencies: AccessDependencies,
  person: Person,
  id: string,
  language?: Language,
): Promise<Substitution> {
  return write(
    dependencies,
    async (trx) => {
      const row = await findOwn(trx, person, id)
      if (row.substitute_id !== person.id) throw new BusinessError('platform.not-allowed')
      if (!(await answerSubstitution(trx, id, 'declined'))) throw new BusinessError('platform.substitution-answered')
      await note(trx, person, row, 'declined')
      await tell(dependencies, trx, person, row, 'declined')
      return getSubstitution(trx, id)
    },
    language,
  )
}

/** Ends it now, whether it has begun or not: either of both may, and an administrator. */
export async function endSubstitute(
  dependencies: AccessDependencies,
  person: Person,
  id: string,
  language?: Language,
): Promise<Substitution> {
  return change(
    dependencies,
    async (trx) => {
      const row = await findOwn(trx, person, id)
      if (!(await endSubstitution(trx, id, person.id))) throw new BusinessError('platform.substitution-over')
      await note(trx, person, row, 'ended')
      await tell(dependencies, trx, person, row, 'ended')
      return getSubstitution(trx, id)
    },
    language,
  )
}

/** Colleagues whom somebody who works here may ask, by a part of their name. */
export async function findColleagues({ db }: AccessDependencies, person: Person, search: string): Promise<Colleague[]> {
  if (!(await isStaffAccount(db, person.id))) throw new BusinessError('platform.not-allowed')
  return listColleagues(db, search.trim(), person.id)
}

/** What the database forbids by itself: what came in at the same moment. */
const byConstraint = {
  substitution_is_no_chain: () => new BusinessError('platform.absent-substitutes'),
  substitution_once: () => new BusinessError('platform.substitution-overlaps'),
}
