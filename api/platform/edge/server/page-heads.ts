import { readFileSync } from 'node:fs'
import { BusinessError } from '../../kernel/errors.ts'
import { type Language, type Screen, languages } from '../../model/library/library.ts'
import { registersService } from '../../work/registers/service.ts'
import { type SiteDependencies, addressIn, escaped, openScreens } from './site-map.ts'

const HOME = '/public/home'
const NOT_LISTED = '<meta name="robots" content="noindex" />'

/**
 * Makes what pages say before any script has run, to search engines, previews of links and readers without scripts:
 * title, description, and the same page in the other languages.
 */
export function pageHeads(deps: SiteDependencies, file: string) {
  const { library, publicUrl } = deps
  const page = readFileSync(file, 'utf8')
  const find = finder(openScreens(library))

  /** The page for a path. One that needs a sign-in, or does not exist, says no more than the product's name. */
  async function pageOf(path: string, language: Language): Promise<string> {
    const text = (key: string, values?: Record<string, string>) => library.text(key, values, language)
    const house = text('platform.page-head.university')
    const about = path === '/' ? HOME : path
    const { screen, id } = find(about) ?? {}
    if (!screen) return withHead({ title: 'Prakriya', description: text('platform.home.intro'), more: [NOT_LISTED] })
    const home = screen.page === 'home'
    const entry = id && screen.entry ? await titleOf(deps, screen.entry, id) : undefined
    const title = text('platform.page-title', { title: entry ?? (home ? house : text(screen.title)) })
    const description = text(screen.home?.detail ?? 'platform.home.intro')
    // A page of one entry, a secret or a code is for who has its address.
    const listed = !screen.unlisted && (!screen.route.includes('{') || entry !== undefined)
    const more = [
      ...(listed ? alternates(publicUrl, about, language) : [NOT_LISTED]),
      property('og:type', 'website'),
      property('og:site_name', house),
      property('og:title', title),
      property('og:description', description),
      property('og:image', `${publicUrl}/icon-512.png`),
      ...(home ? [university(house, publicUrl)] : []),
    ]
    return withHead({ title, description, more })

    function withHead(head: { title: string; description: string; more: string[] }): string {
      const [called, told] = [escaped(head.title), escaped(head.description)]
      const words = [`<h1>${called}</h1>`, `<p>${told}</p>`, `<p>${escaped(text('platform.page-head.no-script'))}</p>`]
      const lines = [`<meta name="description" content="${told}" />`, ...head.more].join('\n    ')
      return page
        .replace(/<html lang="\w+">/, `<html lang="${language}">`)
        .replace(/<title>[^<]*<\/title>/, () => `<title>${called}</title>`)
        .replace(/<meta\s+name="description"[^>]*>/, () => lines)
        .replace('<div id="root"></div>', (root) => `${root}\n    <noscript>${words.join('')}</noscript>`)
    }
  }

  return { pageOf }
}

/** Finds the screen of a path, and the id in it if the screen shows an entry. */
function finder(screens: Screen[]) {
  const places = screens
    .map((screen) => {
      const hole = screen.entry ? '([0-9a-f-]{36})' : '[^/]+'
      return { screen, matches: new RegExp(`^${screen.route.replace(/\{\w+\}/, hole)}/?$`) }
    })
    // What is written out comes before what stands for anything.
    .toSorted((a, b) => Number(a.screen.route.includes('{')) - Number(b.screen.route.includes('{')))
  return (path: string): { screen: Screen; id?: string } | undefined => {
    for (const { screen, matches } of places) {
      const [found, id] = matches.exec(path) ?? []
      if (found !== undefined) return { screen, ...(id !== undefined && { id }) }
    }
    return undefined
  }
}

/** The title of an entry; undefined if it is not public. */
async function titleOf({ db, library }: SiteDependencies, register: string, id: string): Promise<string | undefined> {
  try {
    return (await registersService({ db, library }).publicItem(register, id)).title
  } catch (error) {
    if (error instanceof BusinessError) return undefined
    throw error
  }
}

const property = (name: string, content: string) => `<meta property="${name}" content="${escaped(content)}" />`

function alternates(publicUrl: string, path: string, language: Language): string[] {
  const link = (rel: string, to: Language, more = '') =>
    `<link rel="${rel}"${more} href="${escaped(addressIn(publicUrl, path, to))}" />`
  return [
    link('canonical', language),
    ...languages.map((one) => link('alternate', one, ` hreflang="${one}"`)),
    link('alternate', 'en', ' hreflang="x-default"'),
    property('og:url', addressIn(publicUrl, path, language)),
  ]
}

/** The university as search engines read it: https://schema.org/CollegeOrUniversity. */
function university(name: string, publicUrl: string): string {
  const data = {
    '@context': 'https://schema.org',
    '@type': 'CollegeOrUniversity',
    name,
    url: publicUrl,
    logo: `${publicUrl}/icon-512.png`,
    address: { '@type': 'PostalAddress', addressLocality: 'Colombo', addressCountry: 'LK' },
  }
  return `<script type="application/ld+json">${JSON.stringify(data).replaceAll('<', String.raw`\u003c`)}</script>`
}

/** The language of a page: the one that its address asks for, or the first that the browser prefers. */
export function languageOf(asked: unknown, preferred = ''): Language {
  const known = (tag: unknown) => languages.find((one) => one === tag)
  const tags = preferred.split(',').map((part) => part.trim().slice(0, 2).toLowerCase())
  return known(asked) ?? tags.map(known).find((one) => one !== undefined) ?? 'en'
}
