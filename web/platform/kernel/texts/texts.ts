import i18next from 'i18next'
import { useSyncExternalStore } from 'react'
import { partsOf, partsOfKeys } from './parts.ts'
import { bases, chosenLanguage, firstLanguage, type Language, remember, type Source } from './sources.ts'

export { type Language, languages } from './sources.ts'

/** A text by its key, with values for its placeholders. A key that English lacks shows itself, and fails the tests. */
export type Translate = (key: string, values?: Record<string, unknown>) => string

const sources = new Map<Language, Partial<Record<string, Source>>>()

/** The parts requested so far, and those loaded or loading, as `<language>/<part>`. */
const wanted = new Set<string>()
const loaded = new Set<string>()
const loading = new Map<string, Promise<void>>()
/** Whether pages behind the sign-in are shown: then each area loads its staff texts too. */
let staff = false

const listeners = new Set<() => void>()
let current: { language: Language; t: Translate } = { language: 'en', t: (key) => key }

/** Whether the person has chosen a language on this device. */
export const hasChosenLanguage = (): boolean => chosenLanguage() !== undefined

/** Loads a part; undefined if it is loaded already or does not exist. */
function load(language: Language, part: string): Promise<void> | undefined {
  const name = `${language}/${part}`
  const source = sources.get(language)?.[part]
  if (loaded.has(name) || !source) return undefined
  const under =
    loading.get(name) ??
    source()
      .then(({ default: words }) => {
        i18next.addResourceBundle(language, 'translation', words, false, true)
        loaded.add(name)
      })
      .finally(() => loading.delete(name))
  loading.set(name, under)
  return under
}

/** Loads the base part of a language. */
async function begin(language: Language): Promise<void> {
  if (sources.has(language)) return
  const { default: words, parts } = await bases[language]()
  i18next.addResourceBundle(language, 'translation', words, false, true)
  sources.set(language, parts)
}

const waits = new Map<string, Promise<void>>()

/**
 * Loads these parts, now and after each change of language; undefined if all are loaded. The promise is stable until
 * then.
 */
function loadParts(names: readonly string[]): Promise<void> | undefined {
  for (const name of names) wanted.add(name)
  const { language } = current
  const missing = names.flatMap((name) => load(language, name) ?? [])
  if (missing.length === 0) return undefined
  const key = `${language} ${names.join(' ')}`
  const wait =
    waits.get(key) ??
    Promise.all(missing)
      // If the language has changed meanwhile, shows that one.
      .then(() => show(current.language))
      .finally(() => waits.delete(key))
  waits.set(key, wait)
  return wait
}

/** Requests the part of a missing key; returns whether it is loading. */
function comes(key: string): boolean {
  const wait = loadParts(partsOf(key, staff))
  // While offline, which a notice shows, the next render asks again.
  wait?.catch(() => undefined)
  return wait !== undefined
}

function show(language: Language): void {
  // A new function each time, so that code that caches `t` sees the change.
  const fixed = i18next.getFixedT(language)
  const t: Translate = (key, values) => {
    const text = fixed(key, values ?? {}) as string
    return text === key && comes(key) ? '' : text
  }
  current = { language, t }
  document.documentElement.lang = language
  for (const listener of listeners) listener()
}

/** Loads the base texts in the person's language; call once, before render. */
export async function startTexts(): Promise<void> {
  await i18next.init({
    lng: 'en',
    fallbackLng: false,
    resources: {},
    keySeparator: false,
    nsSeparator: false,
    returnEmptyString: false,
    interpolation: { escapeValue: false },
  })
  const language = firstLanguage()
  await begin(language)
  show(language)
}

/** Loads the texts of all pages behind the sign-in; from then on every area loads its staff texts too. */
export async function wantStaffTexts(): Promise<void> {
  staff = true
  await loadParts(['staff.platform'])
}

/** Loads the names of the menu entries. */
export async function loadMenuTexts(): Promise<void> {
  await loadParts(['menu'])
}

/** Loads the texts of the areas of these keys and of a page; undefined if all are loaded. */
export const loadWords = (keys: readonly string[], page: string): Promise<void> | undefined =>
  loadParts(partsOfKeys(keys, page, staff))

/** Changes the language of the page without a reload, and stores it on this device. */
export async function setLanguage(language: Language): Promise<void> {
  await begin(language)
  await Promise.all([...wanted].flatMap((part) => load(language, part) ?? []))
  remember(language)
  show(language)
}

/** The present language outside components: requests send it to the API. */
export const presentLanguage = (): Language => current.language

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The texts of the present language; the component renders again when the language changes. */
export function useTexts(): { t: Translate; language: Language } {
  return useSyncExternalStore(subscribe, () => current)
}

/** Whether a text exists, for optional ones such as a field's help. A text that is still loading does not exist yet. */
export const hasText = (key: string): boolean => {
  if (i18next.exists(key, { lng: current.language })) return true
  comes(key)
  return false
}
