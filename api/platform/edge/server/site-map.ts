import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { eachItem } from '../../kernel/paging.ts'
import { type Language, type Library, type Screen, languages } from '../../model/library/library.ts'
import { registersService } from '../../work/registers/service.ts'

export interface SiteDependencies {
  db: Kysely<DB>
  library: Library
  publicUrl: string
}

/** The query parameter that asks a page for a language, as the pages' own `firstLanguage` reads it. */
export const ASKED_LANGUAGE = 'hl'
/** Most entries of one register in the site map. */
const MOST_ENTRIES = 1000

export const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** The address of a page in a language. */
export const addressIn = (publicUrl: string, path: string, language: Language) =>
  publicUrl + path + (language === 'en' ? '' : `?${ASKED_LANGUAGE}=${language}`)

/** The screens that everybody may open. */
export const openScreens = ({ screens }: Library): Screen[] =>
  screens.filter(({ guard, built, page }) => guard === 'public' && built && page !== 'redirect')

/** Every page that anybody may find, with its other languages: https://www.sitemaps.org. */
export async function siteMap({ db, library, publicUrl }: SiteDependencies): Promise<string> {
  const registers = registersService({ db, library })
  const open = openScreens(library)
  const plain = open
    .filter(
      ({ route, home, page, unlisted }) => !/[{]|^\/session\//.test(route) && (home || page === 'home') && !unlisted,
    )
    .map(({ route }) => route)
  const entries: string[] = []
  for (const { route, entry } of open) if (entry) entries.push(...(await entriesOf(route, entry)))
  const urls = [...plain, ...entries].map((path) => {
    const at = (language: Language) => escaped(addressIn(publicUrl, path, language))
    const others = languages.map((one) => `<xhtml:link rel="alternate" hreflang="${one}" href="${at(one)}"/>`)
    return `<url><loc>${at('en')}</loc>${others.join('')}</url>`
  })
  const schemas = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml"'
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset ${schemas}>\n${urls.join('\n')}\n</urlset>\n`

  async function entriesOf(route: string, register: string): Promise<string[]> {
    const found: string[] = []
    for await (const { id } of eachItem((from) => registers.publicItems(register, { limit: 100, ...from })))
      if (found.push(route.replace('{id}', id)) === MOST_ENTRIES) break
    return found
  }
}

/** What search engines are asked to leave alone: https://www.rfc-editor.org/rfc/rfc9309. */
export function robots({ library, publicUrl }: SiteDependencies): string {
  const closed = openScreens(library).filter(({ route, unlisted }) => unlisted && !route.includes('{'))
  const lines = ['/api/', ...closed.map(({ route }) => route)].map((path) => `Disallow: ${path}`)
  return ['User-agent: *', ...lines, `Sitemap: ${publicUrl}/sitemap.xml`, ''].join('\n')
}
