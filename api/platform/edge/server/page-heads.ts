import type { Kysely } from 'kysely'
import { readFileSync } from 'node:fs'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { eachItem } from '../../kernel/paging.ts'
import { type Language, type Library, type Screen, languages } from '../../model/library/library.ts'
import { registersService } from '../../work/registers/service.ts'

export interface HeadDependencies {
  db: Kysely<DB>
  library: Library
  publicUrl: string
}

/** The query parameter that asks a page for a language, as the pages' own `firstLanguage` reads it. */
const ASKED = 'hl'
/** Most entries of one register in the site map. */
const MOST_ENTRIES = 1000
const HOME = '/public/home'

/** A screen that everybody may open. */
interface Place {
  screen: Screen
  matches: RegExp
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/**
 * What pages say before any script has run, to search engines, previews of links and readers without scripts: title,
 * description, the same page in the other languages, and a site map.
 */
export function pageHeads({ db, library, publicUrl }: HeadDependencies, file: string) {
  const page = readFileSync(file, 'utf8')
  const registers = registersService({ db, library })
  const open = library.screens.filter(({ guard, built, page: of }) => guard === 'public' && built && of !== 'redirect')
  const places = open
    .map((screen): Place => {
      const hole = screen.entry ? '([0-9a-f-]{36})' : '[^/]+'
      return { screen, matches: new RegExp(`^${screen.route.replace(/\{\w+\}/, hole)}/?$`) }
    })
    // What is written out comes before what stands for anything.
    .toSorted((a, b) => Number(a.screen.route.includes('{')) - Number(b.screen.route.includes('{')))

  const addressOf = (path: string, language: Language) =>
    publicUrl + path + (language === 'en' ? '' : `?${ASKED}=${language}`)

  /** The title of the entry that a page shows; undefined if it is not public. */
  async function entryTitle(register: string, id: string): Promise<string | undefined> {
    try {
      return (await registers.publicItem(register, id)).title
    } catch (error) {
      if (error instanceof BusinessError) return undefined
      throw error
    }
  }

  /** The page for a path in a language. A page that needs a sign-in, or does not exist, says no more than the product's name. */
  async function pageOf(path: string, language: Language): Promise<string> {
    const place = places.find(({ matches }) => matches.test(path === '/' ? HOME : path))
    const text = (key: string) => library.text(key, {}, language)
    if (!place) return withHead('Prakriya', text('platform.home.intro'), ['<meta name="robots" content="noindex" />'])
    const { screen, matches } = place
    const id = matches.exec(path)?.[1]
    const entry = id && screen.entry ? await entryTitle(screen.entry, id) : undefined
    // A page of one entry, a secret or a code is for who has its address.
    const listed = !screen.unlisted && (!screen.route.includes('{') || entry !== undefined)
    const of = screen.page === 'home' ? text('platform.page-head.university') : text(screen.title)
    const title = library.text('platform.page-title', { title: entry ?? of }, language)
    const description = text(screen.home?.detail ?? 'platform.home.intro')
    const canonical = path === '/' ? HOME : path
    return withHead(title, description, [
      ...(listed ? [] : ['<meta name="robots" content="noindex" />']),
      ...(listed ? alternates(canonical, language) : []),
      property('og:type', 'website'),
      property('og:site_name', text('platform.page-head.university')),
      property('og:title', title),
      property('og:description', description),
      property('og:image', `${publicUrl}/icon-512.png`),
      ...(screen.page === 'home' ? [university(text('platform.page-head.university'))] : []),
    ])

    function withHead(called: string, about: string, more: string[]): string {
      const words = `<h1>${escaped(called)}</h1><p>${escaped(about)}</p><p>${escaped(text('platform.page-head.no-script'))}</p>`
      return page
        .replace(/<html lang="\w+">/, `<html lang="${language}">`)
        .replace(/<title>[^<]*<\/title>/, () => `<title>${escaped(called)}</title>`)
        .replace(/<meta\s+name="description"[^>]*>/, () =>
          [`<meta name="description" content="${escaped(about)}" />`, ...more].join('\n    '),
        )
        .replace('<div id="root"></div>', () => `<div id="root"></div>\n    <noscript>${words}</noscript>`)
    }
  }

  function alternates(path: string, language: Language): string[] {
    const link = (rel: string, to: string, more = '') => `<link rel="${rel}"${more} href="${escaped(to)}" />`
    return [
      link('canonical', addressOf(path, language)),
      ...languages.map((one) => link('alternate', addressOf(path, one), ` hreflang="${one}"`)),
      link('alternate', addressOf(path, 'en'), ' hreflang="x-default"'),
      property('og:url', addressOf(path, language)),
    ]
  }

  const property = (name: string, content: string) => `<meta property="${name}" content="${escaped(content)}" />`

  /** The university as search engines read it: https://schema.org/CollegeOrUniversity. */
  function university(name: string): string {
    const data = {
      '@context': 'https://schema.org',
      '@type': 'CollegeOrUniversity',
      name,
      url: publicUrl,
      logo: `${publicUrl}/icon-512.png`,
      address: { '@type': 'PostalAddress', addressLocality: 'Colombo', addressCountry: 'LK' },
    }
    return `<script type="application/ld+json">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`
  }

  /** Every page that anybody may find, with its other languages: https://www.sitemaps.org. */
  async function siteMap(): Promise<string> {
    const plain = open
      .filter(({ route, home, page: of, unlisted }) => !route.includes('{') && (home || of === 'home') && !unlisted)
      .map(({ route }) => route)
    const entries = await Promise.all(open.flatMap(({ route, entry }) => (entry ? [entriesOf(route, entry)] : [])))
    const urls = [...plain.filter((path) => !path.startsWith('/session/')), ...entries.flat()].map((path) => {
      const others = languages.map(
        (one) => `<xhtml:link rel="alternate" hreflang="${one}" href="${escaped(addressOf(path, one))}"/>`,
      )
      return `<url><loc>${escaped(addressOf(path, 'en'))}</loc>${others.join('')}</url>`
    })
    const schemas = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml"'
    return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset ${schemas}>\n${urls.join('\n')}\n</urlset>\n`
  }

  async function entriesOf(route: string, register: string): Promise<string[]> {
    const found: string[] = []
    for await (const { id } of eachItem((from) => registers.publicItems(register, { limit: 100, ...from })))
      if (found.push(route.replace('{id}', id)) === MOST_ENTRIES) break
    return found
  }

  function robots(): string {
    const closed = open.filter(({ route, unlisted }) => unlisted && !route.includes('{')).map(({ route }) => route)
    const lines = ['/api/', ...closed].map((path) => `Disallow: ${path}`)
    return ['User-agent: *', ...lines, `Sitemap: ${publicUrl}/sitemap.xml`, ''].join('\n')
  }

  return { pageOf, siteMap, robots }
}

/** The language of a page: the one that its address asks for, or the first that the browser prefers. */
export function languageOf(asked: unknown, preferred = ''): Language {
  const known = (tag: unknown) => languages.find((one) => one === tag)
  const tags = preferred.split(',').map((part) => part.trim().slice(0, 2).toLowerCase())
  return known(asked) ?? tags.map(known).find((one) => one !== undefined) ?? 'en'
}
