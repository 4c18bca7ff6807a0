import { join } from 'node:path'
import { type Language, loadLibrary } from '../../../api/platform/model/library/library.ts'

const library = loadLibrary(join(import.meta.dirname, '../../..'))

/** What a text key says in a language, for pages that are tried in more than English. */
export const wordsIn =
  (language: Language) =>
  (key: string, values: Record<string, unknown> = {}): string =>
    library.text(key, values, language)
