import i18next from 'i18next'
import { useSyncExternalStore } from 'react'

/** The three languages of the house. */
export type Language = 'en' | 'si' | 'ta'
export const languages: readonly Language[] = ['en', 'si', 'ta']

/** A text by its key, with values for its placeholders. A key that English lacks shows itself, and fails the tests. */
export type Translate = (key: string, values?: Record<string, unknown>) => string

type Words = () => Promise<{ default: Record<string, string> }>

const open: Record<Language, Words> = {
  en: () => import('./en.ts'),
  si: () => import('./si.ts'),
  ta: () => import('./ta.ts'),
}
const staff: Record<Language, Words> = {
  en: () => import('./staff-en.ts'),
  si: () => import('./staff-si.ts'),
  ta: () => import('./staff-ta.ts'),
}
/** What the page needs so far, and what of it is there. */
const wanted = new Set([open])
const loaded = new Set<Words>()

const remembered = 'prakriya.language'
const listeners = new Set<() => void>()
let current: { language: Language; t: Translate } = { language: 'en', t: (key) => key }

const isLanguage = (value: unknown): value is Language => languages.includes(value as Language)

async function load(...of: Language[]): Promise<void> {
  const missing = [...wanted].flatMap((words) => of.map((language) => ({ language, words: words[language] })))
  await Promise.all(
    missing.map(async ({ language, words }) => {
      if (loaded.has(words)) return
      i18next.addResourceBundle(language, 'translation', (await words()).default)
      loaded.add(words)
    }),
  )
}

function show(language: Language): void {
  // Each language is a new function, so that whatever remembers `t` sees that the words have changed.
  const fixed = i18next.getFixedT(language)
  current = { language, t: (key, values) => fixed(key, values ?? {}) as string }
  document.documentElement.lang = language
  for (const listener of listeners) listener()
}

/** Loads the words of the person's language (English beside it, for what is not translated); call once, before render. */
export async function startTexts(): Promise<void> {
  await i18next.init({
    lng: 'en',
    fallbackLng: 'en',
    resources: {},
    keySeparator: false,
    nsSeparator: false,
    returnEmptyString: false,
    interpolation: { escapeValue: false },
  })
  const stored = localStorage.getItem(remembered)
  const preferred = isLanguage(stored) ? stored : navigator.languages.map((tag) => tag.slice(0, 2)).find(isLanguage)
  const language = preferred ?? 'en'
  await load('en', language)
  show(language)
}

/** Loads the words of the pages behind the sign-in too; from then on every language brings both. */
export async function wantStaffTexts(): Promise<void> {
  wanted.add(staff)
  await load('en', current.language)
  show(current.language)
}

/** Changes the language of the whole page, without a reload, and remembers it on this device. */
export async function setLanguage(language: Language): Promise<void> {
  await load(language)
  localStorage.setItem(remembered, language)
  show(language)
}

/** The language now, for what is not a component: the API answers in it. */
export const presentLanguage = (): Language => current.language

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The words of the present language; the component renders anew when the language changes. */
export function useTexts(): { t: Translate; language: Language } {
  return useSyncExternalStore(subscribe, () => current)
}

/** Whether English has this key: for texts that are optional, such as a field's help. */
export const hasText = (key: string): boolean => i18next.exists(key, { lng: 'en' })
