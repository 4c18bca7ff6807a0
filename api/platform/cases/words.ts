import type { JsonObject } from '../db/database.generated.ts'
import type { Language, Library, Manifest } from '../flows/library.ts'
import type { FieldSchema } from '../registers/definition.ts'
import { readable } from '../readable.ts'

/** A key with the text that people read for it. */
export interface Named {
  key: string
  text: string
}

/** What people read about the cases of flows, in one language. */
export function wordsOf(library: Library, language: Language = 'en') {
  const text = (key: string, values?: Record<string, unknown>) => library.text(key, values, language)

  return {
    text,

    flowTitle: (manifest: Manifest) => text(manifest.title),

    /** One line by which people recognise a case. */
    caseTitle(manifest: Manifest, subject: unknown): string {
      const key = manifest.subjectText ?? manifest.title
      return text(key, readable(subject as JsonObject, language))
    },

    status(manifest: Manifest, list: string, state: string): Named {
      const [area, name] = (manifest.statusLists[list] ?? '').split('/')
      return { key: state, text: text(`${area}.status.${name}.${state}`) }
    },

    /** The words of a choice of a form, as on its button. */
    choice(schema: FieldSchema, field: string, value: string): string {
      const options = schema.properties?.[field]?.['oneOf'] as { const: unknown; title: string }[] | undefined
      const title = options?.find((option) => option.const === value)?.title
      return title === undefined ? value : text(title)
    },

    /** A principal as people say it: `Head of Painting` is told as `HOD, Painting`. */
    principal(principal: string, titles: ReadonlyMap<string, string>): string {
      const [role, scope] = principal.split('@') as [string, string | undefined]
      if (scope === undefined) return role
      const id = scope.slice(scope.indexOf(':') + 1)
      return `${role}, ${titles.get(id) ?? id}`
    },
  }
}
