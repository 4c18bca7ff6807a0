import { type Placeholders, screenTitle } from '../../../../forms/platform/placeholders.ts'
import type { Screen } from './match.ts'

/** A screen without default values, as sent to browsers: every page starts by loading all of them. */
export type ShortScreen = Pick<Screen, 'route' | 'page'> & Partial<Screen>

/** The part of a screen that loads after signing in. */
export type StaffScreen = Pick<Screen, 'route'> & Partial<Screen>

/** The default values of a screen. */
const usual = (area: string, route: string) => ({
  title: screenTitle(area, route),
  guard: null,
  built: true,
})

/** The members of a staff screen that load after signing in. */
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

/** The part of a screen that loads after signing in; undefined if there is none. */
export function forStaff(screen: Screen): StaffScreen | undefined {
  const kept = Object.entries(screen).filter(([name]) => waits(screen, name))
  return kept.length > 0 ? { route: screen.route, ...Object.fromEntries(kept) } : undefined
}

export const lengthened = (area: string, screen: ShortScreen): Screen => ({ ...usual(area, screen.route), ...screen })

/** Placeholders as sent to browsers, without what only their page shows. */
export const bare = (placeholders: Placeholders) =>
  Object.fromEntries(
    Object.entries(placeholders).map(([area, list]) => [
      area,
      list.map(({ title: _title, rule: _rule, ...rest }) => rest),
    ]),
  )
