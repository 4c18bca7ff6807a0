import type { MenuRule } from './menu-rules.ts'

/** One entry of a `forms/<area>/screens.json`. */
export interface Screen {
  route: string
  page: string
  title: string
  parameters?: Record<string, unknown>
  /** `public` needs no sign-in; `none` and null ask for nothing beyond it; another name is a permission group. */
  guard: string | null
  /** `Role`, or `Role@kind` for whoever holds it at a unit of this kind. */
  roles?: string[]
  menu?: { group: string; order: number; rule?: MenuRule }
  /** How the first public page names it, and what its search finds. */
  home?: HomeEntry
  built: boolean
}

/**
 * A place on the first public page. In `item` and `calendar` stands `{id}`, in `all` `{words}`; fields are those of the
 * register. With a `calendar`, what takes place next at the items is named too.
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
 * Finds the screen of a path. Strict, because the routes differ by exactly this: letters' case counts, a trailing
 * slash counts, and a word that stands in a route wins over `{id}` in the same place.
 */
export function matcher(screens: readonly Screen[]): (path: string) => Match | undefined {
  const fixed = new Map<string, Screen>()
  const open = new Map<number, { screen: Screen; segments: string[] }[]>()
  for (const screen of screens) {
    const segments = screen.route.split('/')
    if (segments.some(isHole)) open.set(segments.length, [...(open.get(segments.length) ?? []), { screen, segments }])
    else fixed.set(screen.route, screen)
  }
  // Read from the left, a word before a hole: so the first that fits is the closest.
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
    // A stray percent sign is not an encoding; the page then finds nothing under these letters, and says so.
    if (error instanceof URIError) return segment
    throw error
  }
}
