import type { Screen } from './match.ts'

/** A screen without what most screens have alike, as it travels to browsers: every page begins by loading all of them. */
export type ShortScreen = Pick<Screen, 'route'> & Partial<Screen>

/** The title that a screen has as long as its area does not give it another one. */
const titleOf = (area: string, route: string): string =>
  `${area}.screen.${route
    .slice(1)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/-$/, '')}`

/** What goes without saying of a screen: it is not built. */
const usual = (area: string, route: string) => ({
  page: 'not-built',
  title: titleOf(area, route),
  guard: null,
  built: false,
})

/** What of a screen behind the sign-in can wait until somebody is signed in. */
const later = ['parameters', 'menu']
const waits = ({ guard, page }: Screen, name: string) =>
  later.includes(name) && guard !== 'public' && page !== 'redirect'

export function shortened(area: string, screen: Screen): ShortScreen {
  const implied: Record<string, unknown> = usual(area, screen.route)
  const said = Object.entries(screen).filter(
    ([name, value]) => (!(name in implied) || implied[name] !== value) && !waits(screen, name),
  )
  return Object.fromEntries(said) as unknown as ShortScreen
}

/** What a screen keeps for those who are signed in; undefined where it keeps nothing. */
export function forStaff(screen: Screen): ShortScreen | undefined {
  const kept = Object.entries(screen).filter(([name]) => waits(screen, name))
  return kept.length > 0 ? { route: screen.route, ...Object.fromEntries(kept) } : undefined
}

export const lengthened = (area: string, screen: ShortScreen): Screen => ({ ...usual(area, screen.route), ...screen })
