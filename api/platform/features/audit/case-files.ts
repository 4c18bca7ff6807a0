import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { csvOf } from '../../../../forms/platform/csv.ts'
import { COLOMBO_AHEAD_MS } from '../../kernel/colombo.ts'
import { layOut } from '../../records/documents/render.ts'
import type { Language } from '../../model/library/library.ts'
import type { Person } from '../../people/persons/person.ts'
import { readable } from '../../model/library/readable.ts'
import { readCaseThen } from './case-at-moment.ts'
import { dossierOf } from './dossier.ts'
import type { MomentsContext } from './moments-context.ts'
import { type Moment, listMoments } from './moments.ts'

export interface CaseFile {
  name: string
  type: string
  content: string | Buffer
}

type Format = 'pdf' | 'csv' | 'json'

const layout = join(import.meta.dirname, 'dossier.typ')

/** A case as a file for auditors: a dossier to print, the steps for spreadsheets, or everything as JSON. */
export async function makeCaseFile(
  context: MomentsContext,
  person: Person,
  id: string,
  format: Format,
  language?: Language,
): Promise<CaseFile> {
  const [then, steps] = await Promise.all([
    readCaseThen(context, person, id, undefined, language),
    listMoments(context, person, id, language),
  ])
  const name = `${then.reference}.${format}`
  const say = (key: string, values = {}) => context.library.text(`platform.audit-${key}`, values, language)
  if (format === 'json')
    return { name, type: 'application/json', content: JSON.stringify({ ...then, moments: steps }, undefined, 2) }
  if (format === 'csv') return { name, type: 'text/csv; charset=utf-8', content: stepsAsCsv(steps, say) }
  const page = dossierOf(then, steps, { say, at: (moment) => inWords(moment, language) })
  return { name, type: 'application/pdf', content: layOut(readFileSync(layout, 'utf8'), page, new Date(then.at)) }
}

/** Texts of the file by their keys. */
export type Say = (key: string, values?: Record<string, unknown>) => string

function inWords(moment: string, language?: Language): string {
  return String(readable({ moment }, language)['moment'])
}

/** To the second, in a format that spreadsheets read. */
function inColombo(moment: string): string {
  return new Date(Date.parse(moment) + COLOMBO_AHEAD_MS).toISOString().slice(0, 19).replace('T', ' ')
}

function stepsAsCsv(steps: readonly Moment[], say: Say): string {
  const columns = ['at', 'what', 'who', 'post', 'authority', 'for', 'reason'] as const
  const rows = steps.map((one) => [
    inColombo(one.at),
    one.text,
    one.by?.name ?? '',
    one.by?.post ?? '',
    one.authority ?? '',
    one.for ?? '',
    one.reason ?? '',
  ])
  return csvOf([columns.map((column) => say(`column.${column}`)), ...rows])
}
