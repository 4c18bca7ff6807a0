import { Type } from 'typebox'
import type { Scope } from '../../people/access/units.ts'
import { FLOW_SCOPE } from '../../people/access/process-owners.ts'
import { Id, Moment, Nullable, Who } from '../../http/schemas.ts'
import { component } from '../../kernel/components.ts'

const kinds = ['faculty', 'department', 'division', 'unit', 'committee', 'post']

export const RoleName = Type.String({ minLength: 1, maxLength: 60 })

/** A unit with its name. */
export const NamedScope = component(
  'NamedScope',
  Type.Object({ kind: Type.String(), id: Type.String(), name: Type.String() }),
)
/** A unit in a request, or a flow by its process. */
export const WantedScope = Type.Union([
  Type.Object({ kind: Type.Enum(kinds), id: Id }, { additionalProperties: false }),
  Type.Object(
    { kind: Type.Literal(FLOW_SCOPE), id: Type.String({ pattern: '^[A-Za-z0-9-]+$', maxLength: 100 }) },
    { additionalProperties: false },
  ),
])
/** A unit in a URL: `department:<id>`. */
export const ScopeText = Type.String({ pattern: `^(${kinds.join('|')}):[0-9a-f-]{36}$` })

/** Parses a unit from a URL. */
export function scopeOf(text: string): Scope {
  const colon = text.indexOf(':')
  return { kind: text.slice(0, colon), id: text.slice(colon + 1) }
}

/** When something is valid. */
export const Dates = {
  startsAt: Type.Optional(Moment),
  endsAt: Type.Optional(Nullable(Moment)),
}

/** A count that is exact up to 99. */
export const Count = component('CountUpTo', Type.Object({ value: Type.Integer(), more: Type.Boolean() }))

export const Grant = component(
  'Grant',
  Type.Object({
    id: Id,
    role: Type.String(),
    scope: Nullable(NamedScope),
    startsAt: Moment,
    endsAt: Nullable(Moment),
    origin: Type.Enum(['seed', 'person', 'import', 'post', 'token']),
    grantedBy: Nullable(Who),
    reason: Nullable(Type.String()),
    state: Type.Enum(['current', 'future', 'ended']),
    endReason: Nullable(Type.String()),
    mayEnd: Type.Boolean(),
    endRefusal: Nullable(Type.String({ description: 'Error code of the rule that currently prevents it' })),
  }),
)

const Pages = Type.Array(Type.Object({ route: Type.String(), title: Type.String() }))
const Texts = Type.Array(Type.String())
/** Consequences to show before a change is made. */
export const Warnings = component('Warnings', Type.Array(Type.Object({ code: Type.String(), text: Type.String() })))

/** What a person could open, and would find in their inbox, after a change. */
export const Effect = component(
  'GrantEffect',
  Type.Object({
    pages: Type.Object({ gained: Pages, lost: Pages }),
    groups: Type.Object({ gained: Texts, lost: Texts }),
    tasks: Type.Object({
      gained: Count,
      lost: Count,
      released: Type.Object(Count.properties, { description: 'Number of assigned tasks that would become free again' }),
    }),
    warnings: Warnings,
  }),
)

export const Holder = component(
  'PostHolder',
  Type.Object({
    holderId: Id,
    account: Who,
    startsAt: Moment,
    endsAt: Nullable(Moment),
    acting: Type.Boolean(),
    reason: Type.String(),
  }),
)
