import { caseRecordRepository } from '../../work/rows/case-record.ts'
import { historyOf, told as toldInHistory } from '../../work/cases/history.ts'
import type { Language } from '../../model/library/library.ts'
import type { Person } from '../../people/persons/person.ts'
import { type MomentsContext, doers, findAnyCase } from './moments-context.ts'
import { listEntries } from './search-repository.ts'
import { type Doer, authorityOf, describeEntries, titlesOf, wordsContext } from './words.ts'

/** One event of a case, as auditors step through them. */
export interface Moment {
  at: string
  kind: string
  text: string
  by: Doer | null
  /** The authority it was done by, in words. */
  authority: string | null
  for: string | null
  reason: string | null
  /** Element of the diagram. */
  element: string | null
}

/** Actions whose entries the history replaces with other records. */
const toldOtherwise = new Set(['case.submitted', 'task.completed', 'case.acted', 'worker.completed'])

/** All events of a case, oldest first. */
export async function listMoments(
  context: MomentsContext,
  person: Person,
  id: string,
  language?: Language,
): Promise<Moment[]> {
  const { db, library, definitions } = context
  const row = await findAnyCase(context, id)
  const telling = wordsContext({ db, library, definitions }, language)
  const [history, entries] = await Promise.all([
    historyOf(db, row, definitions, telling.words, { id: person.id, seesAll: true }),
    caseRecordRepository(db).listAudit(id),
  ])
  const others = entries.filter(({ action }) => !toldInHistory[action] && !toldOtherwise.has(action))
  const rest = await describeEntries(
    telling,
    await listEntries(
      db,
      others.map((one) => String(one.id)),
    ),
  )
  const doerOf = await doers(
    context,
    history.flatMap(({ by, at }) => (by ? [{ id: by.id, at: new Date(at) }] : [])),
  )
  const titles = await titlesOf(
    telling,
    history.map(({ by }) => by?.actedAs ?? null),
  )
  return [
    ...history.map(({ at, kind, text, reason, element, by }) => ({
      at,
      kind,
      text,
      by: by ? doerOf(by.id, new Date(at)) : null,
      authority: by ? authorityOf(telling, by.actedAs, titles) : null,
      for: by?.for ?? null,
      reason: reason ?? null,
      element: element ?? null,
    })),
    ...rest.map((one) => ({
      at: one.at,
      kind: one.action === 'sensitive.read' ? 'read' : 'noted',
      text: one.text,
      by: one.by,
      authority: one.authority,
      for: one.for,
      reason: one.reason,
      element: one.desk?.key ?? null,
    })),
  ].toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
}
