import { type Placeholders, screenTitle } from '../../../../forms/platform/placeholders.ts'
import type { Screen } from './match.ts'

/** A screen without default values, as sent to browsers: every page starts by loading all of them. */
export type ShortScreen = Pick<Screen, 'route' | 'page'> & Partial<Screen>

/** The part of a screen that loads after signing in; 0 if there is none. */
export type StaffScreen = Partial<Screen> | 0

/** The default values of a screen. */
const usual = (area: string, route: string) => ({
  title: screenTitle(area, route),
  guard: null,
  built: true,
})

/** The members of a staff screen that load after signing in. */
const later = ['title', 'parameters', 'menu', 'front', 'roles', 'alsoFor']
const waits = ({ guard, page }: Screen, name: string) =>
  later.includes(name) && guard !== 'public' && page !== 'redirect'

/** Read for the head of a page, which the server writes. */
const serverOnly = ['entry', 'unlisted']

export function shortened(area: string, screen: Screen): ShortScreen {
  const implied: Record<string, unknown> = usual(area, screen.route)
  const said = Object.entries(screen).filter(
    ([name, value]) =>
      (!(name in implied) || implied[name] !== value) && !waits(screen, name) && !serverOnly.includes(name),
  )
  return { route: screen.route, page: screen.page, ...Object.fromEntries(said) }
}

export function forStaff(area: string, screen: Screen): StaffScreen {
  const implied: Record<string, unknown> = usual(area, screen.route)
  const kept = Object.entries(screen).filter(([name, value]) => waits(screen, name) && implied[name] !== value)
  return kept.length > 0 ? Object.fromEntries(kept) : 0
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
