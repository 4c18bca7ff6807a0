import type { Kysely, Transaction } from 'kysely'
import { mayOpen } from '../../../../forms/platform/may-open.ts'
import { announce } from '../../kernel/db/changed.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import type { Library, Screen } from '../../model/library/library.ts'
import { findPerson, getPerson } from '../../people/identity/accounts.ts'
import type { LinkDependencies } from '../../people/identity/password-links.ts'
import type { Person } from '../../people/persons/person.ts'
import { type Page, counted } from '../../kernel/paging.ts'
import { translateViolations, invalid } from '../../people/access/refusals.ts'
import { countTasksOf, listTasksStoodIn, inboxOf } from '../../people/access/offered-tasks.ts'
import { type Settled, type Shift, beginAccessChange, settleAccess } from './settle.ts'
import { known } from '../../kernel/known.ts'

export interface AccessDependencies extends LinkDependencies {
  db: Kysely<DB>
  library: Library
  definitions: Definitions
}

/** What a person could open, and would find in their inbox, after a change. */
export interface Effect {
  pages: { gained: OpenedPage[]; lost: OpenedPage[] }
  groups: { gained: string[]; lost: string[] }
  tasks: { gained: Page<never>['count']; lost: Page<never>['count']; released: Page<never>['count'] }
  warnings: Warning[]
}

/** A consequence to show before the change is made. */
export interface Warning {
  code: string
  text: string
}

interface OpenedPage {
  route: string
  title: string
}

/** Makes changes to who may do what, and previews their effect without committing. */
export function accessChanges({ db, library, definitions }: AccessDependencies) {
  const offers = { definitions, roles: library.roles }

  return {
    /** Makes a change and all that follows from it in one transaction, then notifies the browsers concerned. */
    async make<T>(act: (trx: Transaction<DB>) => Promise<{ result: T; shift: Shift }>): Promise<T> {
      const { result, settled } = await translateViolations(() =>
        db.transaction().execute(async (trx) => {
          await beginAccessChange(trx)
          const done = await act(trx)
          return { result: done.result, settled: await settleAccess(trx, done.shift, offers) }
        }),
      )
      await announce(db, settled)
      return result
    },

    /** Makes the change, measures its effect and rolls back. The preview is therefore what the change really does. */
    async preview<T>(
      act: (trx: Transaction<DB>, settle: (shift: Shift) => Promise<Settled>) => Promise<T>,
    ): Promise<T> {
      const undo = new Error('only looked at')
      let seen: { result: T } | undefined
      await translateViolations(() =>
        db.transaction().execute(async (trx) => {
          await beginAccessChange(trx)
          seen = { result: await act(trx, (shift) => settleAccess(trx, shift, offers)) }
          throw undo
        }),
      ).catch((error: unknown) => {
        if (error !== undo) throw error
      })
      return known(seen, 'the result of the preview').result
    },
  }
}

/** A person before a change, with the tasks they have only as a substitute: the change itself may remove those. */
export interface Before {
  person: Person
  stoodIn: string[]
}

export async function before(trx: Transaction<DB>, person: Person): Promise<Before> {
  return { person, stoodIn: await listTasksStoodIn(trx, inboxOf(person)) }
}

/** What is different for a person. Call it in the transaction that made the change. */
export async function effectOf(
  trx: Transaction<DB>,
  library: Library,
  { person, stoodIn }: Before,
  released: number,
): Promise<Omit<Effect, 'warnings'>> {
  const after = await getPerson(trx, person.id)
  const [had, has] = [inboxOf(person), inboxOf(after)]
  const guarded = library.screens.filter((screen) => screen.built && (!mayOpen(NO_RIGHTS, screen) || screen.roles))
  const opens = (one: Person) => guarded.filter((screen) => mayOpen(one, screen))
  const shown = ({ route, title }: Screen): OpenedPage => ({ route, title: library.text(title) })
  const pages = { before: opens(person), after: opens(after) }
  const groups = { before: person.groups, after: after.groups }
  return {
    pages: {
      gained: pages.after.filter((one) => !pages.before.includes(one)).map(shown),
      lost: pages.before.filter((one) => !pages.after.includes(one)).map(shown),
    },
    groups: {
      gained: groups.after.filter((one) => !groups.before.includes(one)),
      lost: groups.before.filter((one) => !groups.after.includes(one)),
    },
    tasks: {
      gained: counted(await countTasksOf(trx, { of: has }, { notOf: had, those: stoodIn })),
      lost: counted(await countTasksOf(trx, { of: had, these: stoodIn }, { notOf: has })),
      released: counted(released),
    },
  }
}

const NO_RIGHTS = { seesAll: false, groups: [], grants: [] }

/** An account that is given something; throws if it is closed. */
export async function activeAccount(trx: Kysely<DB>, id: string, field = ''): Promise<Person> {
  const person = await findPerson(trx, id)
  if (person) return person
  const row = await trx.selectFrom('account').select('id').where('id', '=', id).executeTakeFirst()
  if (row) throw new BusinessError('platform.account-closed')
  throw field ? invalid([{ field, code: 'platform.person-unknown' }]) : new BusinessError('platform.not-found')
}

/** When something is valid. A null start means at once; a null end means never. */
export interface Span {
  startsAt: Date | null
  endsAt: Date | null
}

/** Reads dates as sent. A start in the past means at once. */
export function spanOf({
  startsAt,
  endsAt,
}: {
  startsAt?: string | undefined
  endsAt?: string | null | undefined
}): Span {
  const [start, end] = [startsAt, endsAt].map((text) => (text ? new Date(text) : null))
  const now = Date.now()
  if (end && end.getTime() <= now) throw invalid([{ field: '/endsAt', code: 'platform.end-past' }])
  if (start && end && end <= start) throw invalid([{ field: '/endsAt', code: 'platform.ends-before-start' }])
  return { startsAt: start && start.getTime() > now ? start : null, endsAt: end ?? null }
}

/** When something is to end; null means at once. */
export function endOf(endsAt: string | undefined): Date | null {
  const end = endsAt === undefined ? null : new Date(endsAt)
  return end && end.getTime() > Date.now() ? end : null
}
