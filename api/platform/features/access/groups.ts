import { audit } from '../../kernel/audit/audit.ts'
import { announce } from '../../kernel/db/changed.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { type Person, SEES_ALL, admits } from '../../people/persons/person.ts'
import { counted } from '../../kernel/paging.ts'
import type { AccessDependencies } from '../../work/access/changes.ts'
import { invalid } from '../../people/access/refusals.ts'
import { accessRepository } from '../../people/access/repository.ts'

/** People whose gain or loss is named; the others are counted. */
const NAMED = 20

/** Permission groups and the roles that hold each. ADMIN and SA hold all of them, whatever is said here. */
export function groupsService({ db, library }: Pick<AccessDependencies, 'db' | 'library'>) {
  /** Roles as a group can keep them: each once, under its one name; those who hold all groups are not written down. */
  function rolesOf(given: readonly string[]): string[] {
    const named = given.map((role) => library.roleAliases.get(role) ?? role)
    const wrong = named.flatMap((role, index) =>
      library.roles.has(role) ? [] : [{ field: `/roles/${index}`, code: 'platform.role-unknown' }],
    )
    if (wrong.length > 0) throw invalid(wrong)
    return [...new Set(named)].filter((role) => !SEES_ALL.includes(role))
  }

  async function find(name: string) {
    const group = (await list()).find((one) => one.name === name)
    if (!group) throw new BusinessError('platform.not-found')
    return group
  }

  async function list() {
    const groups = await accessRepository(db).listGroups()
    return groups.map((group) => ({
      name: group.name,
      roles: group.roles,
      version: group.version,
      holders: counted(group.holders),
      screens: library.screens
        .filter(({ guard }) => guard === group.name)
        .map(({ route, title, built }) => ({ route, title: library.text(title), built })),
      changedAt: group.changed_at.toISOString(),
      changedBy: group.changed_by === null ? null : { id: group.changed_by, name: group.changer! },
    }))
  }

  return {
    list,

    /** Puts other roles in place of those that hold a group; `version` is the one that was seen. */
    async change(
      person: Person,
      name: string,
      version: number,
      { roles, reason }: { roles: string[]; reason: string },
    ) {
      const before = await find(name)
      const now = rolesOf(roles)
      await db.transaction().execute(async (trx) => {
        if (!(await accessRepository(trx).changeGroup(name, version, now, person.id)))
          throw new BusinessError('platform.changed-meanwhile')
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
      return find(name)
    },

    /** Who would hold the group with these roles and does not now, and the other way round. */
    async effect(name: string, roles: string[]) {
      const before = (await find(name)).roles
      const now = rolesOf(roles)
      const repository = accessRepository(db)
      const [gaining, losing] = await Promise.all([
        repository.listHoldersOf(now, [...before, ...SEES_ALL], NAMED),
        repository.listHoldersOf(before, [...now, ...SEES_ALL], NAMED),
      ])
      return {
        gaining: counted(gaining.count),
        losing: counted(losing.count),
        people: [
          ...gaining.people.map((one) => ({ ...one, gains: true })),
          ...losing.people.map((one) => ({ ...one, gains: false })),
        ].slice(0, NAMED),
      }
    },
  }
}
