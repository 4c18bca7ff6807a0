import type { Transaction } from 'kysely'
import { known } from '../../kernel/known.ts'
import { type AccessDependencies, accessChanges } from '../../work/access/changes.ts'
import { translateViolations } from '../../people/access/refusals.ts'
import { settleAt } from '../../people/access/dated.ts'
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
  answerSubstitution,
  endSubstitution,
  findSubstitution,
  getSubstitution,
  isStaffAccount,
  listColleagues,
  listSubstitutions,
} from '../../people/substitutes/repository.ts'

interface Who {
  id: string
  name: string
}

/** A substitution, as the two people and auditors see it. */
export interface Substitution {
  id: string
  absent: Who
  substitute: Who
  from: string
  until: string
  /** Null: every flow. */
  flows: { key: string; title: string }[] | null
  /** In cents. Cases above it, or without an amount, stay with the absent person. Null: no limit. */
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

/** The group that may see all of them, beside ADMIN and SA. */
const AUDITORS = 'group:AuditView'

/** A substitution with the names of both people. */
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
    endedBy: row.ended_by === null ? null : { id: row.ended_by, name: known(row.ender_name, 'who ended it') },
    inForce: row.in_force,
  }
}

/** The person's own substitution, or anybody's for an administrator. */
async function findOwn(trx: Transaction<DB>, person: Person, id: string): Promise<SubstitutionRow> {
  const row = await findSubstitution(trx, id)
  const concerned = row && [row.absent_id, row.substitute_id].includes(person.id)
  if (!row || !(concerned || isAdministrator(person))) throw new BusinessError('platform.not-found')
  return row
}

export async function note(trx: Transaction<DB>, person: Person, row: SubstitutionRow, act: string): Promise<void> {
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

/** Notifies the other of the two, by mail and in the portal. */
export async function notifyOther(
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

/** For changes that affect nobody's rights. */
export async function write(
  dependencies: AccessDependencies,
  act: (trx: Transaction<DB>) => Promise<SubstitutionRow>,
  language: Language | undefined,
): Promise<Substitution> {
  const { db } = dependencies
  const row = await translateViolations(() => db.transaction().execute(act), byConstraint)
  await announce(db, { principals: [], cases: [], tasks: [], people: [row.absent_id, row.substitute_id] })
  return view(dependencies, row, language)
}

/** For changes of rights: also settles the tasks of both people. */
async function change(
  dependencies: AccessDependencies,
  act: (trx: Transaction<DB>) => Promise<SubstitutionRow>,
  language: Language | undefined,
): Promise<Substitution> {
  const changes = accessChanges(dependencies)
  const row = await translateViolations(
    () =>
      changes.make(async (trx) => {
        const result = await act(trx)
        return { result, shift: { accounts: [result.absent_id, result.substitute_id], principals: [] } }
      }),
    byConstraint,
  )
  return view(dependencies, row, language)
}

/** The person's own substitutions, or all for administrators and auditors; newest request first. */
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

/** The substitute agrees. They act for the absent person from its start, or at once if it has begun. */
export async function acceptSubstitution(
  dependencies: AccessDependencies,
  person: Person,
  id: string,
  language?: Language,
): Promise<Substitution> {
  return change(dependencies, (trx) => answer(dependencies, trx, person, id, 'accepted'), language)
}

export async function declineSubstitution(
  dependencies: AccessDependencies,
  person: Person,
  id: string,
  language?: Language,
): Promise<Substitution> {
  return write(dependencies, (trx) => answer(dependencies, trx, person, id, 'declined'), language)
}

/** The substitute's answer; a request has one. */
async function answer(
  dependencies: AccessDependencies,
  trx: Transaction<DB>,
  person: Person,
  id: string,
  state: 'accepted' | 'declined',
): Promise<SubstitutionRow> {
  const row = await findOwn(trx, person, id)
  if (row.substitute_id !== person.id) throw new BusinessError('platform.not-allowed')
  if (!(await answerSubstitution(trx, id, state))) throw new BusinessError('platform.substitution-answered')
  if (state === 'accepted') await settleAt(trx, [row.starts_at, row.ends_at])
  await note(trx, person, row, state)
  await notifyOther(dependencies, trx, person, row, state)
  return getSubstitution(trx, id)
}

/** Ends it now, whether it has begun or not; either of the two may, and an administrator. */
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
      await notifyOther(dependencies, trx, person, row, 'ended')
      return getSubstitution(trx, id)
    },
    language,
  )
}

/** Colleagues that a staff member may ask, by part of their name. */
export async function findColleagues({ db }: AccessDependencies, person: Person, search: string): Promise<Colleague[]> {
  if (!(await isStaffAccount(db, person.id))) throw new BusinessError('platform.not-allowed')
  return listColleagues(db, search.trim(), person.id)
}

/** Messages for what the database itself rejects: a concurrent request. */
const byConstraint = {
  substitution_is_no_chain: () => new BusinessError('platform.absent-substitutes'),
  substitution_once: () => new BusinessError('platform.substitution-overlaps'),
}
