import { Type } from 'typebox'
import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Library } from '../../model/library/library.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import { Id, Moment, Nullable } from '../../http/schemas.ts'
import { NamedScope } from './schemas.ts'
import { component } from '../../kernel/components.ts'

export const Row = component(
  'PersonRow',
  Type.Object({
    id: Id,
    username: Nullable(Type.String({ description: 'Null for people outside your units' })),
    name: Type.String(),
    email: Nullable(Type.String()),
    post: Nullable(Type.String()),
    active: Type.Boolean(),
    registered: Type.Boolean({ description: 'The name comes from a register entry' }),
    kind: Type.Enum(['staff', 'student', 'temporary', 'other']),
    lastSeenAt: Nullable(Moment),
    grants: Type.Array(Type.Object({ role: Type.String(), scope: Nullable(NamedScope) })),
  }),
)

export const rule = { groups: ['roleSetup'] }
export const ById = Type.Object({ id: Id })

export interface PeopleRouteDependencies {
  db: Kysely<DB>
  library: Library
  definitions: Definitions
  publicUrl: string
}
