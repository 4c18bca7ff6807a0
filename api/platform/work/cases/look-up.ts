import type { VariableInstance } from '../../kernel/engine/port.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Language, Library } from '../../model/library/library.ts'
import { wordsOf } from '../../model/library/words.ts'
import { type IssuedDocument, documentsOf } from '../../records/documents/documents.ts'
import { type Person, admits } from '../../people/persons/person.ts'
import { type CasesContext, findCase, presentManifest } from './context.ts'
import { type HistoryEntry, historyOf } from './history.ts'
import { rightToSee } from './visibility.ts'
import { listActivities } from '../rows/case-record.ts'
import { listSomeCases } from '../rows/case-lists.ts'

/** Some documents are not for everybody who sees their case. */
export function mayHaveDocument(library: Library, person: Person, kind: string): boolean {
  const seenBy = library.documents.get(kind)?.seenBy
  return seenBy === undefined || admits(person, seenBy) !== undefined
}

/** A document that was issued in a case that this person may see. */
export async function caseDocument(
  context: CasesContext,
  person: Person,
  id: string,
  document: string,
): Promise<IssuedDocument> {
  const row = await findCase(context, person, id)
  const [found] = await documentsOf(context.db, row.id, document)
  if (!found || !mayHaveDocument(context.library, person, found.kind)) throw new BusinessError('platform.not-found')
  return found
}

/** The path of a case through its diagram, and its present elements. */
export async function casePath(context: CasesContext, person: Person, id: string) {
  const row = await findCase(context, person, id)
  const activities = await listActivities(context.db, id)
  return {
    definitionId: row.process_definition_id,
    visited: activities.map(({ element, started_at, ended_at, canceled }) => ({
      element,
      startedAt: started_at.toISOString(),
      endedAt: ended_at?.toISOString() ?? null,
      canceled,
    })),
    present: [...new Set(activities.filter(({ ended_at }) => ended_at === null).map(({ element }) => element))],
  }
}

/** The process variables of a case, as the engine has them. */
export async function caseVariables(context: CasesContext, person: Person, id: string): Promise<VariableInstance[]> {
  const row = await findCase(context, person, id)
  if (row.process_instance_id === null) return []
  const found = await context.engine.variables(row.process_instance_id)
  return found.toSorted((a, b) => a.name.localeCompare(b.name))
}

/** Which of these cases a person may see. */
export async function visibleCases(context: CasesContext, person: Person, ids: readonly string[]): Promise<string[]> {
  const { db } = context
  const rows = await listSomeCases(db, ids)
  const seen = await Promise.all(
    rows.map(async (row) => ((await rightToSee(db, person, row, await presentManifest(context, row))) ? [row.id] : [])),
  )
  return seen.flat()
}

/** The events of a case in words, oldest first. */
export async function caseHistory(
  context: CasesContext,
  person: Person,
  id: string,
  language?: Language,
): Promise<HistoryEntry[]> {
  const { db, library, definitions } = context
  const row = await findCase(context, person, id)
  return historyOf(db, row, definitions, wordsOf(library, language), person)
}
