import { wordsOf } from '../../model/library/words.ts'
import type { Definition } from '../../model/deployed/definitions.ts'
import type { Language } from '../../model/library/library.ts'
import { UnreadableModel } from '../../model/bpmn/xml.ts'
import { cursorOf, readCursor } from '../../kernel/paging.ts'
import { listTroubleGroups, listTroubles } from './repository.ts'
import { type OperationsDependencies, titleOf } from './context.ts'

/** What an operator can do: retry, mark as handled, or neither. */
type Remedy = 'retry' | 'close' | null

const remedies: Record<string, Remedy> = {
  failedJob: 'retry',
  failedExternalTask: 'retry',
  drifted: 'retry',
  'mail-not-sent': 'retry',
  'command-not-taken': 'retry',
  'parked-event': 'retry',
  'job-given-up': 'retry',
  'orphaned-effect': 'close',
  'mail-to-nobody': 'close',
  'promise-not-kept': 'close',
}

/** What an operator can do about a kind of trouble. */
export function remedyOf(kind: string): Remedy {
  return remedies[kind] ?? null
}

/** A version with its diagram; undefined if its file cannot be read, which must not hide other troubles. */
async function readable({ definitions }: OperationsDependencies, definition: string): Promise<Definition | undefined> {
  try {
    return await definitions.find(definition)
  } catch (error) {
    if (error instanceof UnreadableModel) return undefined
    throw error
  }
}

/** The name of an element in the diagram of its case. */
async function nameOf(
  context: OperationsDependencies,
  flow: string,
  element: string,
  definition: string,
  language: Language | undefined,
) {
  const { library } = context
  const names = (await readable(context, definition))?.diagram.names
  return wordsOf(library, language).element(flow, element, names?.get(element))
}

/** What needs an operator, by cause and in words. */
export async function troubleGroups(context: OperationsDependencies, language?: Language) {
  const { db } = context
  const found = await listTroubleGroups(db)
  return Promise.all(
    found.map(async ({ oldest, flow, element, definition, ...group }) => ({
      ...group,
      flow: titleOf(context, flow, language),
      element: flow && element && definition ? await nameOf(context, flow, element, definition, language) : element,
      oldest: oldest.toISOString(),
      remedy: remedyOf(group.kind),
    })),
  )
}

/** Troubles of one cause, oldest first. */
export async function listTroubleItems(
  { db }: OperationsDependencies,
  cause: string,
  { cursor, limit }: { cursor?: string; limit: number },
) {
  const [at, id] = cursor === undefined ? [] : readCursor(cursor, ['moment', 'text'])
  const after = at === undefined || id === undefined ? undefined : { at, id }
  const rows = await listTroubles(db, cause, after, limit + 1)
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    items: page.map(({ id: one, kind, message, element, at: since, caseId, reference }) => ({
      ...{ id: one, kind, message, element, at: since.toISOString(), remedy: remedyOf(kind) },
      case: caseId === null || reference === null ? null : { id: caseId, reference },
    })),
    next: rows.length > limit && last ? cursorOf([last.sort, last.id]) : null,
  }
}
