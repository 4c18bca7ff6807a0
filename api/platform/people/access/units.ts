import type { Kysely } from 'kysely'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { known } from '../../kernel/known.ts'

/** The kinds of unit that a role can be held at; each is a register of the same name. */
export const UNIT_KINDS = ['faculty', 'department', 'division', 'unit', 'committee', 'post'] as const

/** Where a role is held. */
export interface Scope {
  kind: string
  id: string
}

/** A scope from two columns; both are null for the whole university. */
export function scopeFrom(kind: string | null, id: string | null): Scope | null {
  return kind === null ? null : { kind, id: known(id, 'the unit of a scope') }
}

/** A unit of the university, or a post in one. */
export interface Unit extends Scope {
  name: string
  code: string
  active: boolean
  /** The unit directly above; null at the top. */
  above: Scope | null
  /** For a post: its role, and whether it heads its unit. */
  role: string | null
  head: boolean
}

/** Roles that lead a unit even if no post is marked as its head. */
const LEADS: Readonly<Record<string, string>> = {
  faculty: 'Dean',
  department: 'HOD',
  division: 'Division Head',
  unit: 'Unit Head',
}
/** Roles that substitute where no unit is responsible, lowest first. */
const TOP = ['Registrar', 'Vice Chancellor', 'ADMIN']
/** The fields of an entry that name the unit above, nearest first. */
const ABOVE = ['unit', 'department', 'division', 'faculty', 'committee']

export type Units = ReturnType<typeof unitsOf>

/** The hierarchy of units: faculty ⊃ departments ⊃ units, division ⊃ units. */
export function unitsOf(all: readonly Unit[]) {
  const byId = new Map(all.map((unit) => [unit.id, unit]))
  const heads = new Map<string, string[]>()
  for (const { kind, head, role, above, active } of all)
    if (kind === 'post' && head && active && role !== null && above !== null)
      heads.set(above.id, [...(heads.get(above.id) ?? []), `${role}@${above.kind}:${above.id}`])

  function find({ kind, id }: Scope): Unit | undefined {
    const unit = byId.get(id)
    return unit?.kind === kind ? unit : undefined
  }

  /** A unit and those above it, innermost first. */
  function chain(scope: Scope): Scope[] {
    const found: Scope[] = []
    const seen = new Set<string>()
    for (let at: Scope | null = scope; at && !seen.has(at.id); at = find(at)?.above ?? null) {
      seen.add(at.id)
      found.push(at)
    }
    return found
  }

  /** The principals that lead a unit: its head posts, and the role that always leads it. */
  function leadersOf({ kind, id }: Scope): string[] {
    return [...(heads.get(id) ?? []), ...(LEADS[kind] === undefined ? [] : [`${LEADS[kind]}@${kind}:${id}`])]
  }

  return {
    find,
    chain,

    /** The units that these principals lead, each with the principal. */
    ledBy(principals: readonly string[]): { unit: Scope; by: string }[] {
      const held = new Set(principals)
      return all.flatMap(({ kind, id, active }) => {
        const by = active && kind !== 'post' ? leadersOf({ kind, id }).find((one) => held.has(one)) : undefined
        return by === undefined ? [] : [{ unit: { kind, id }, by }]
      })
    },

    /** Whether one scope is the same as another or below it; null is the whole university. */
    within(inner: Scope | null, outer: Scope | null): boolean {
      if (outer === null) return true
      return inner !== null && chain(inner).some(({ kind, id }) => kind === outer.kind && id === outer.id)
    },

    /** The ids of a unit and of all units below it. */
    below(scope: Scope): string[] {
      const found = all.filter((unit) => chain(unit).some(({ id }) => id === scope.id)).map(({ id }) => id)
      return [...new Set([scope.id, ...found])]
    },

    list: () => all,

    /**
     * The substitutes of a vacant principal, nearest first: the head of its unit, or the next one up if it is the head
     * itself. A scope that is not a unit has none.
     */
    standIns(principal: string): string[] {
      const scope = scopeIn(principal)
      if (scope && !find(scope)) return []
      const up = (scope ? chain(scope) : []).flatMap(leadersOf)
      const ladder = [...new Set([...up, ...TOP])]
      return ladder.slice(ladder.indexOf(principal) + 1)
    },

    /** A principal as people read it: *HOD, Department of Painting*. */
    named(principal: string): string {
      const [role] = principal.split('@')
      const scope = scopeIn(principal)
      return scope ? `${role}, ${find(scope)?.name ?? scope.id}` : principal
    },
  }
}

/** Reads all units and posts: there are a few hundred at most, and most questions need several. */
export async function readUnits(db: Kysely<DB>): Promise<Units> {
  const rows = await db
    .selectFrom('register_item')
    .select(['id', 'register', 'title', 'status', 'data'])
    .where(
      'register',
      'in',
      UNIT_KINDS.map((kind) => `platform/${kind}`),
    )
    .orderBy('title')
    .execute()
  return unitsOf(rows.map(unitOf))
}

/** A unit or post from its register entry. */
export function unitOf({
  id,
  register,
  title = '',
  status,
  data,
}: {
  id: string
  register: string
  title?: string
  status: string
  data: JsonObject
}): Unit {
  const above = ABOVE.flatMap((kind) => {
    const unit = data[kind]
    return typeof unit === 'string' ? [{ kind, id: unit }] : []
  })
  return {
    id,
    kind: register.slice('platform/'.length),
    name: title,
    code: typeof data['code'] === 'string' ? data['code'] : '',
    active: status === 'Active',
    above: above[0] ?? null,
    role: typeof data['role'] === 'string' ? data['role'] : null,
    head: data['head'] === true,
  }
}

/** The principal of a role at a scope. */
export function principalOf(role: string, scope: Scope | null): string {
  return scope ? `${role}@${scope.kind}:${scope.id}` : role
}

function scopeIn(principal: string): Scope | null {
  const [, kind, id] = /^[^@]+@([a-z]+):(.+)$/.exec(principal) ?? []
  return kind === undefined || id === undefined ? null : { kind, id }
}

/** The principals that gain or lose a holder when this grant begins or ends. */
export function principalsOf(role: string, scope: Scope | null): string[] {
  return [...new Set([principalOf(role, scope), role])]
}
