import { known } from '../../kernel/known.ts'
import { audit } from '../../kernel/audit/audit.ts'
import { announce } from '../../kernel/db/changed.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { type Person, SEES_ALL, admits } from '../../people/persons/person.ts'
import { counted } from '../../kernel/paging.ts'
import type { AccessDependencies } from '../../work/access/changes.ts'
import { invalid } from '../../people/access/refusals.ts'
import { changeGroup, listGroups, listHoldersOf } from '../../people/access/group-rows.ts'

type GroupContext = Pick<AccessDependencies, 'db' | 'library'>

/** Maximum people listed by name; the others are counted. */
const MAX_NAMED_PEOPLE = 20

/* Permission groups and the roles that hold each. ADMIN and SA always hold all of them. */

/** Normalises the roles of a group: each once, under its canonical name, without the roles that hold every group. */
function rolesOf({ library }: GroupContext, given: readonly string[]): string[] {
  const named = given.map((role) => library.roleAliases.get(role) ?? role)
  const wrong = named.flatMap((role, index) =>
    library.roles.has(role) ? [] : [{ field: `/roles/${index}`, code: 'platform.role-unknown' }],
  )
  if (wrong.length > 0) throw invalid(wrong)
  return [...new Set(named)].filter((role) => !SEES_ALL.includes(role))
}

async function findPermissionGroup(context: GroupContext, name: string) {
  const group = (await listPermissionGroups(context)).find((one) => one.name === name)
  if (!group) throw new BusinessError('platform.not-found')
  return group
}

export async function listPermissionGroups({ db, library }: GroupContext) {
  const groups = await listGroups(db)
  return groups.map((group) => ({
    name: group.name,
    roles: group.roles,
    version: group.version,
    holders: counted(group.holders),
    screens: library.screens
      .filter(({ guard }) => guard === group.name)
      .map(({ route, title, built }) => ({ route, title: library.text(title), built })),
    changedAt: group.changed_at.toISOString(),
    changedBy:
      group.changed_by === null ? null : { id: group.changed_by, name: known(group.changer, 'who changed it') },
  }))
}

/** Replaces the roles that hold a group; `version` is the one that was read. */
export async function changePermissionGroup(
  context: GroupContext,
  person: Person,
  name: string,
  version: number,
  { roles, reason }: { roles: string[]; reason: string },
) {
  const { db } = context
  const before = await findPermissionGroup(context, name)
  const now = rolesOf(context, roles)
  await db.transaction().execute(async (trx) => {
    if (!(await changeGroup(trx, name, version, now, person.id))) throw new BusinessError('platform.changed-meanwhile')
    await audit(trx).record({
      actor: person.id,
      actedAs: admits(person, []) ?? null,
      action: 'permission-group.changed',
      object: `permission-group:${name}`,
      payload: {
        added: now.filter((role) => !before.roles.includes(role)),
        removed: before.roles.filter((role) => !now.includes(role)),
        reason,
      },
    })
  })
  await announce(db, { principals: [], cases: [], tasks: [], people: ['*'] })
  return findPermissionGroup(context, name)
}

/** The people who would gain or lose the group with these roles. */
export async function effectOfRoles(context: GroupContext, name: string, roles: string[]) {
  const { db } = context
  const before = (await findPermissionGroup(context, name)).roles
  const now = rolesOf(context, roles)

  const [gaining, losing] = await Promise.all([
    listHoldersOf(db, now, [...before, ...SEES_ALL], MAX_NAMED_PEOPLE),
    listHoldersOf(db, before, [...now, ...SEES_ALL], MAX_NAMED_PEOPLE),
  ])
  return {
    gaining: counted(gaining.count),
    losing: counted(losing.count),
    people: [
      ...gaining.people.map((one) => ({ ...one, gains: true })),
      ...losing.people.map((one) => ({ ...one, gains: false })),
    ].slice(0, MAX_NAMED_PEOPLE),
  }
}
