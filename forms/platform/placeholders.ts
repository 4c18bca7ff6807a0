/** A route of the portal whose page is not built yet: one line of `placeholders.json`. */
export interface Placeholder {
  route: string
  guard: string | null
  roles?: string[]
  /** The rule that its menu entry follows once it is built. */
  rule?: string
  /** What the page is called, by language; English always. */
  title: { en: string; si?: string; ta?: string }
}

/** `placeholders.json`: area → its placeholders. */
export type Placeholders = Readonly<Record<string, readonly Placeholder[]>>

/** The text key that a screen of an area has as its title, unless the area gives it another one. */
export const screenTitle = (area: string, route: string): string =>
  `${area}.screen.${route
    .slice(1)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/-$/, '')}`

/** The titles of all placeholders in a language, by their text keys. */
export const placeholderTitles = (placeholders: Placeholders, language: 'en' | 'si' | 'ta'): Record<string, string> =>
  Object.fromEntries(
    Object.entries(placeholders).flatMap(([area, list]) =>
      list.flatMap(({ route, title }) => {
        const text = title[language]
        return text === undefined ? [] : [[screenTitle(area, route), text]]
      }),
    ),
  )

/** The placeholders as screens. */
export const placeholderScreens = (
  placeholders: Readonly<Record<string, readonly Pick<Placeholder, 'route' | 'guard' | 'roles'>[]>>,
) =>
  Object.entries(placeholders).flatMap(([area, list]) =>
    list.map(({ route, guard, roles }) => ({
      route,
      page: 'not-built',
      title: screenTitle(area, route),
      guard,
      ...(roles && { roles }),
      built: false,
    })),
  )
