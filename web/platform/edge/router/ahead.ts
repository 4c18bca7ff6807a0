import type { Match } from '../../kernel/screens/match.ts'
import { screens } from '../../kernel/screens/screens.ts'
import { partsOfKeys } from '../../kernel/texts/parts.ts'
import { bases, firstLanguage, type Source } from '../../kernel/texts/sources.ts'
import { loaderOf } from './page-loaders.ts'

export const loadPublicShell = () => import('../shell/public-shell.tsx')

/** Pages that have no menu: they lead to an account. */
export const isBare = (path: string): boolean => /^\/(session|applicant\/account)\//.test(path)

/** Keys of texts that a page is known to use, exact or by their beginning. */
export function keysOf({ screen, params }: Match, page: string): string[] {
  const { flow, register, report } = screen.parameters ?? {}
  const keys = [flow, register, report, params['area']].flatMap((one) =>
    typeof one === 'string' ? [`${one.split('/')[0]}.`] : [],
  )
  // The home page also shows titles of other areas.
  const named = page === 'home' ? screens.flatMap(({ home }) => (home ? [home.title] : [])) : []
  return [screen.title, ...keys, ...named]
}

/**
 * Downloads a public page, its shell and its words beside the app itself, which takes longer. Who needs a part
 * loads it again, and shows what failed.
 */
export function fetchAhead(match: Match, path: string): void {
  const { page } = match.screen
  const parts = partsOfKeys(keysOf(match, page), page, false)
  const words = bases[firstLanguage()]().then((base: { parts: Partial<Record<string, Source>> }) =>
    Promise.all(parts.flatMap((part) => base.parts[part]?.() ?? [])),
  )
  const fetched = [words, isBare(path) ? undefined : loadPublicShell(), loaderOf(page)?.()]
  for (const each of fetched) each?.catch(() => undefined)
}
