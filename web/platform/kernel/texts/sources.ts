export type Language = 'en' | 'si' | 'ta'
export const languages: readonly Language[] = ['en', 'si', 'ta']

export type Source = () => Promise<{ default: Record<string, string> }>

/** The base part of each language, with loaders of its other parts. */
export const bases = {
  en: () => import('virtual:words/en'),
  si: () => import('virtual:words/si'),
  ta: () => import('virtual:words/ta'),
}

const remembered = 'prakriya.language'

const isLanguage = (value: unknown): value is Language => languages.some((one) => one === value)

/** The language that the person has chosen on this device. */
export function chosenLanguage(): Language | undefined {
  const stored = localStorage.getItem(remembered)
  return isLanguage(stored) ? stored : undefined
}

/** Stores the chosen language on this device. */
export const remember = (language: Language): void => localStorage.setItem(remembered, language)

/** The language that an address asks for, as the server's links to the same page in other languages do. */
function askedLanguage(): Language | undefined {
  const asked = new URLSearchParams(window.location.search).get('hl')
  return isLanguage(asked) ? asked : undefined
}

/** The language to begin with: the one asked for, the chosen one, the first that the browser prefers, or English. */
export const firstLanguage = (): Language =>
  askedLanguage() ?? chosenLanguage() ?? navigator.languages.map((tag) => tag.slice(0, 2)).find(isLanguage) ?? 'en'
