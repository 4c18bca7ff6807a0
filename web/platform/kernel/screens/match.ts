import type { MenuRule } from './menu-rules.ts'

/** One entry of a `forms/<area>/screens.json`. */
export interface Screen {
  route: string
  page: string
  title: string
  parameters?: Record<string, unknown>
  /** `public` needs no sign-in; `none` and null need only a sign-in; any other name is a permission group. */
  guard: string | null
  /** `Role`, or `Role@kind` for the role at a unit of this kind. */
  roles?: string[]
  /** Roles that open it without the permission group. */
  alsoFor?: string[]
  sealed?: true
  menu?: { group: string; order: number; rule?: MenuRule }
  /** The start page of those who may open it links to it, or has a part of it. */
  front?: true | FrontPart
  /** Its entry on the public home, and what the search there finds. */
  home?: HomeEntry
  built: boolean
}

/** A part of the start page: how much waits in the list of the screen, or the reader's own entries in it. */
export interface FrontPart {
  /** Whose start page: `Role`, or `Role@kind`. */
  for: string[]
  title: string
  /** The entries about the reader, with their status, instead of a number. */
  own?: true
  /** The number is shown only if it is not zero. */
  whenSome?: true
  /** Only what has one of these statuses. */
  statuses?: string[]
  /** A number of another answer: its path, and a pointer whose numbers are added up (`/desks/*\/overdue`). */
  reads?: { path: string; at: string }
  /** Where it leads, if not to the screen as it is: the list that the number counts. */
  leadsTo?: string
}

/**
 * An entry of the public home. `item` and `calendar` contain `{id}`, `all` contains `{words}`; fields are those of the
 * register. With a `calendar`, the next events of the items are listed too.
 */
export interface HomeEntry {
  order: number
  title: string
  detail: string
  search?: { register: string; item: string; all: string; calendar?: string; picture?: string; facts?: string[] }
}

export interface Match {
  screen: Screen
  params: Record<string, string>
}

const isHole = (segment: string) => segment.startsWith('{') && segment.endsWith('}')

/**
 * Finds the screen of a path. Strict, because routes differ only by this: paths are case-sensitive, a trailing slash
 * counts, and a literal segment takes precedence over `{id}` in the same place.
 */
export function matcher(screens: readonly Screen[]): (path: string) => Match | undefined {
  const fixed = new Map<string, Screen>()
  const open = new Map<number, { screen: Screen; segments: string[] }[]>()
  for (const screen of screens) {
    const segments = screen.route.split('/')
    if (segments.some(isHole)) open.set(segments.length, [...(open.get(segments.length) ?? []), { screen, segments }])
    else fixed.set(screen.route, screen)
  }
  // From the left, literal segments sort before parameters: the first match is the most specific.
  const rank = ({ segments }: { segments: string[] }) =>
    segments.map((segment) => (isHole(segment) ? '1' : '0')).join('')
  for (const list of open.values()) list.sort((a, b) => rank(a).localeCompare(rank(b)))

  return (path) => {
    const exact = fixed.get(path)
    if (exact) return { screen: exact, params: {} }
    const given = path.split('/')
    for (const { screen, segments } of open.get(given.length) ?? []) {
      const fits = segments.every((segment, at) => (isHole(segment) ? given[at] !== '' : segment === given[at]))
      if (!fits) continue
      const params: Record<string, string> = {}
      segments.forEach((segment, at) => {
        if (isHole(segment)) params[segment.slice(1, -1)] = decode(given[at] ?? '')
      })
      return { screen, params }
    }
    return undefined
  }
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch (error) {
    // A stray percent sign is no encoding; the page then finds nothing under this id, and says so.
    if (error instanceof URIError) return segment
    throw error
  }
}
