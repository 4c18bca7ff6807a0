import { statusText } from '../../../../forms/platform/status-text.ts'
import type { JsonObject } from '../../kernel/db/database.generated.ts'
import { POST_HOLDER } from '../definitions/manifest.ts'
import type { Language, Library, Manifest, Meaning } from './library.ts'
import type { FieldSchema } from '../definitions/register.ts'
import { readable } from './readable.ts'

/** A key with its label. */
export interface Named {
  key: string
  text: string
  meaning?: Meaning
  /** Recorded, but not shown to people at this desk. */
  untold?: true
}

/** The text of a button without the sign that it asks for more first. */
export function asDecided(button: string): string {
  return button.replace(/\s*…$/, '')
}

/** The desks at which people see a state; undefined means everywhere. */
export function desksOf(
  { statusDesks }: Pick<Library, 'statusDesks'>,
  { statusLists }: Pick<Manifest, 'statusLists'>,
  list: string,
  state: string,
): readonly string[] | undefined {
  return statusDesks.get(statusLists[list] ?? '')?.[state]
}

/** The name of the status of a register entry; a status without a text stays as written. */
export function itemStatusText({ texts, text }: Pick<Library, 'texts' | 'text'>, status: string, language?: Language) {
  const key = `platform.item-status.${status.toLowerCase().replaceAll(' ', '-')}`
  return texts.en[key] === undefined ? status : text(key, {}, language)
}

/** The case in which somebody is offered a task. */
interface OfCase {
  requester?: string
  manifest?: Pick<Manifest, 'people'> | undefined
}

/** What a single account that is offered a task is called. */
function titlesOf(principal: string, { requester, manifest }: OfCase): string[] {
  const people = principal === `user:${requester}` ? [] : Object.values(manifest?.people ?? {})
  return people.length === 0 ? ['platform.requester'] : people
}

/** Texts about cases, in one language. */
export function wordsOf(library: Library, language: Language = 'en') {
  const text = (key: string, values?: Record<string, unknown>) => library.text(key, values, language)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server writes subjects of cases, as objects
  const fieldsOf = (subject: unknown) => subject as JsonObject

  /**
   * A status in words. If an area has texts for a status by end event, they replace it, because the sources have no
   * separate status for each end.
   */
  function status(manifest: Manifest, list: string, state: string, endedAt?: string | null): Named {
    const key = manifest.statusLists[list] ?? ''
    const said = statusText(key, state)
    const ended = `${said}.${endedAt}`
    if (library.texts.en[ended] !== undefined) return { key: state, text: text(ended), meaning: 'ended' }
    const meaning = library.statusMeanings.get(key)?.[state]
    return { key: state, text: text(said), ...(meaning === undefined ? {} : { meaning }) }
  }

  return {
    text,

    language,

    status,

    /** A state of each list, in words, for a case that waits at these desks. */
    statuses(manifest: Manifest, states: Record<string, string>, at: readonly string[]): Record<string, Named> {
      const named = Object.entries(states).map(([list, state]) => {
        const desks = desksOf(library, manifest, list, state)
        const untold = desks !== undefined && !desks.some((desk) => at.includes(desk))
        return [list, { ...status(manifest, list, state), ...(untold && { untold: true as const }) }] as const
      })
      return Object.fromEntries(named)
    },

    /** A text whose values are written as people write them. */
    told: (key: string, values: Readonly<Record<string, unknown>> = {}) => text(key, readable(values, language)),

    flowTitle: (manifest: Manifest) => text(manifest.title),

    /** One line by which people recognise a case. */
    caseTitle(manifest: Manifest, subject: unknown): string {
      const key = manifest.subjectText ?? manifest.title
      return text(key, readable(fieldsOf(subject), language))
    },

    /** The question of a desk, if its flow has one. */
    question(manifest: Manifest, desk: string, { requester, subject }: { requester: string; subject: unknown }) {
      const key = manifest.question?.[desk]
      return key === undefined ? null : text(key, readable({ requester, ...fieldsOf(subject) }, language))
    },

    /**
     * The label of an element: `<area>.desk.<element>` in the reader's language, or else its name in the case's
     * diagram.
     */
    element(flow: string, element: string, name: string | null | undefined): string {
      const [area] = flow.split('/')
      return library.texts[language][`${area}.desk.${element}`] ?? name ?? element
    },

    /** The label of a choice, as on its button. */
    choice(schema: FieldSchema, field: string, value: string): string {
      const options = schema.properties?.[field]?.oneOf
      const title = options?.find((option) => option.const === value)?.title
      return title === undefined ? value : text(title)
    },

    /** The label of an outcome. */
    outcome(schema: FieldSchema, value: string): string {
      return asDecided(this.choice(schema, 'outcome', value))
    },

    /**
     * A principal as people say it: `HOD@department:<id>` is shown as `HOD, Painting`. Of single accounts, tasks are
     * offered to that of the requester, and to those that steps of the case name (`people`).
     */
    principal(principal: string, titles: ReadonlyMap<string, string>, of: OfCase = {}): string {
      if (principal.startsWith('user:'))
        return titlesOf(principal, of)
          .map((title) => text(title))
          .join(' / ')
      const [role = principal, scope] = principal.split('@')
      if (scope === undefined) return role
      const id = scope.slice(scope.indexOf(':') + 1)
      const title = titles.get(id) ?? id
      // A post is shown by its name; the role of its holder is implied.
      return role === POST_HOLDER ? title : `${role}, ${title}`
    },
  }
}
