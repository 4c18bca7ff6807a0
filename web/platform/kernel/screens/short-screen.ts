import { type Placeholders, screenTitle } from '../../../../forms/platform/placeholders.ts'
import type { Screen } from './match.ts'

/** A screen without what most screens have alike, as it travels to browsers: every page begins by loading all of them. */
export type ShortScreen = Pick<Screen, 'route' | 'page'> & Partial<Screen>

/** What of a screen comes once somebody is signed in. */
export type StaffScreen = Pick<Screen, 'route'> & Partial<Screen>

/** What goes without saying of a screen. */
const usual = (area: string, route: string) => ({
  title: screenTitle(area, route),
  guard: null,
  built: true,
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
  return { route: screen.route, page: screen.page, ...Object.fromEntries(said) }
}

/** What a screen keeps for those who are signed in; undefined where it keeps nothing. */
export function forStaff(screen: Screen): StaffScreen | undefined {
  const kept = Object.entries(screen).filter(([name]) => waits(screen, name))
  return kept.length > 0 ? { route: screen.route, ...Object.fromEntries(kept) } : undefined
}

export const lengthened = (area: string, screen: ShortScreen): Screen => ({ ...usual(area, screen.route), ...screen })

/** Placeholders as they travel to browsers: without what only their page shows. */
export const bare = (placeholders: Placeholders) =>
  Object.fromEntries(
    Object.entries(placeholders).map(([area, list]) => [
      area,
      list.map(({ title: _title, rule: _rule, ...rest }) => rest),
    ]),
  )
