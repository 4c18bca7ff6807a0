import { Type } from 'typebox'
import { changePermissionGroup, effectOfRoles, listPermissionGroups } from './groups.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { App } from '../../http/app.ts'
import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Library } from '../../model/library/library.ts'
import { personOf } from '../../http/auth.ts'
import { isKnown, versionWanted } from '../../http/etag.ts'
import { Id, Moment, Nullable, Who, refusals, Reason } from '../../http/schemas.ts'
import { Count, RoleName } from './schemas.ts'
import { component } from '../../kernel/components.ts'

const Group = component(
  'Group',
  Type.Object({
    name: Type.String(),
    roles: Type.Array(Type.String(), { description: 'ADMIN and SA hold every group and are not listed' }),
    version: Type.Integer(),
    holders: Count,
    screens: Type.Array(Type.Object({ route: Type.String(), title: Type.String(), built: Type.Boolean() })),
    changedAt: Moment,
    changedBy: Nullable(Who),
  }),
)
const Name = Type.Object({ name: Type.String({ maxLength: 60 }) })
const Roles = Type.Array(RoleName, { maxItems: 200 })
const rule = { roles: ['ADMIN', 'SA'] }

/** Permission groups, which open pages. */
export function groupRoutes(app: App, deps: { db: Kysely<DB>; library: Library }): void {
  app.get(
    '/api/groups',
    {
      config: { rule },
      schema: {
        operationId: 'listGroups',
        tags: ['people'],
        summary: 'List permission groups, the roles that hold each, and the pages that each opens',
        response: { 200: Type.Object({ items: Type.Array(Group) }), ...refusals(401, 403) },
      },
    },
    async () => ({ items: await listPermissionGroups(deps) }),
  )

  app.put(
    '/api/groups/:name',
    {
      config: { rule },
      schema: {
        operationId: 'changeGroup',
        tags: ['people'],
        summary: 'Replace the roles that hold a group; send the version read as If-Match',
        params: Name,
        body: Type.Object({ roles: Roles, reason: Reason }, { additionalProperties: false }),
        response: { 200: Group, ...refusals(401, 403, 404, 412, 422, 428) },
      },
    },
    async (request, reply) => {
      const version = versionWanted(request)
      if (version === undefined) throw new BusinessError('platform.version-wanted')
      const changed = await changePermissionGroup(deps, personOf(request), request.params.name, version, request.body)
      isKnown(request, reply, changed.version)
      return changed
    },
  )

  app.post(
    '/api/groups/:name/effect',
    {
      config: { rule },
      schema: {
        operationId: 'showGroupEffect',
        tags: ['people'],
        summary: 'Preview who would gain and lose a group with these roles',
        params: Name,
        body: Type.Object({ roles: Roles }, { additionalProperties: false }),
        response: {
          200: Type.Object({
            gaining: Count,
            losing: Count,
            people: Type.Array(Type.Object({ id: Id, name: Type.String(), gains: Type.Boolean() }), {
              description: 'The first twenty',
            }),
          }),
          ...refusals(401, 403, 404, 422),
        },
      },
    },
    async (request) => effectOfRoles(deps, request.params.name, request.body.roles),
  )
}
