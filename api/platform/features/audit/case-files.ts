import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { csvOf } from '../../../../forms/platform/csv.ts'
import { COLOMBO_AHEAD } from '../../kernel/colombo.ts'
import { layOut } from '../../records/documents/render.ts'
import type { Language, Library } from '../../model/library/library.ts'
import type { Person } from '../../people/persons/person.ts'
import { readable } from '../../model/library/readable.ts'
import type { CaseThen, Moment, caseMoments } from './moments.ts'

/** A case as a file. */
export interface CaseFile {
  name: string
  type: string
  content: string | Buffer
}

type Format = 'pdf' | 'csv' | 'json'

const layout = join(import.meta.dirname, 'dossier.typ')

/** Cases as files that auditors take along: a dossier for paper, the steps for spreadsheets, all of it for machines. */
export function caseFiles({
  library,
  moments,
}: {
  library: Pick<Library, 'text'>
  moments: ReturnType<typeof caseMoments>
}) {
  return {
    async make(person: Person, id: string, format: Format, language?: Language): Promise<CaseFile> {
      const [then, steps] = await Promise.all([
        moments.get(person, id, undefined, language),
        moments.moments(person, id, language),
      ])
      const name = `${then.reference}.${format}`
      const say = (key: string, values = {}) => library.text(`platform.audit-${key}`, values, language)
      if (format === 'json')
        return { name, type: 'application/json', content: JSON.stringify({ ...then, moments: steps }, undefined, 2) }
      if (format === 'csv') return { name, type: 'text/csv; charset=utf-8', content: stepsAsCsv(steps, say) }
      const page = dossierOf(then, steps, { say, at: (moment) => inWords(moment, language) })
      return {
        name,
        type: 'application/pdf',
        content: layOut(readFileSync(layout, 'utf8'), page, new Date(then.at)),
      }
    },
  }
}

type Say = (key: string, values?: Record<string, unknown>) => string

function inWords(moment: string, language?: Language): string {
  return String(readable({ moment }, language)['moment'])
}

/** To the second, as spreadsheets read it. */
function inColombo(moment: string): string {
  return new Date(Date.parse(moment) + COLOMBO_AHEAD).toISOString().slice(0, 19).replace('T', ' ')
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

/** Everything of a case, in the order in which one reads a file. */
function dossierOf(
  then: CaseThen,
  steps: readonly Moment[],
  { say, at }: { say: Say; at(moment: string): string },
): object {
  const who = (by: { name: string; post: string | null } | null) =>
    by === null ? '' : by.post === null ? by.name : `${by.name}, ${by.post}`
  const part = (title: string) => ({ title: say(`dossier.${title}`), none: say('dossier.none') })
  const table = (title: string, columns: [name: string, wide?: boolean][], rows: string[][]) => ({
    ...part(title),
    kind: 'table',
    columns: columns.map(([name]) => say(`column.${name}`)),
    widths: columns.map(([, wide]) => (wide ? 'wide' : 'narrow')),
    rows,
  })
  const pairs = (rows: { label: string; value: string }[]) => rows.map(({ label, value }) => ({ label, value }))
  return {
    kind: then.flow.text,
    title: then.title,
    reference: then.reference,
    made: say('dossier.made', { at: at(then.at) }),
    facts: [
      { label: say('column.requester'), value: who(then.requester) },
      { label: say('column.began'), value: at(then.createdAt) },
      {
        label: say('column.ended'),
        value: [then.endedAt === null ? say('dossier.running') : at(then.endedAt), then.end ?? []].flat().join(' · '),
      },
      { label: say('column.status'), value: then.statuses.map(({ status }) => status.text).join(', ') },
      {
        label: say('column.model'),
        value: say('dossier.version', {
          version: then.versions.model.version,
          at: at(then.versions.model.deployedAt),
          hash: then.versions.model.hash.slice(0, 16),
        }),
      },
    ],
    sections: [
      { ...part('data'), kind: 'pairs', rows: pairs(then.data) },
      table(
        'steps',
        [['at'], ['what', true], ['who'], ['authority']],
        steps.map((one) => [
          at(one.at),
          one.reason === null ? one.text : `${one.text}. ${one.reason}`,
          who(one.by),
          one.authority ?? '',
        ]),
      ),
      table(
        'changes',
        [['at'], ['field', true], ['before'], ['after']],
        then.submissions.flatMap((one) =>
          (one.changes ?? []).map((change) => [at(one.at), change.label, change.before ?? '', change.after ?? '']),
        ),
      ),
      {
        ...table(
          'decisions',
          [['at'], ['table'], ['asked', true], ['answered', true]],
          (then.decisions ?? []).flatMap((one) =>
            one.rows.map((row) => [
              at(one.at),
              row.rule === null ? one.name : `${one.name}: ${row.rule}`,
              row.inputs.map(({ name, value }) => `${name}: ${value}`).join(', '),
              row.outputs.map(({ name, value }) => `${name}: ${value}`).join(', '),
            ]),
          ),
        ),
        ...(then.decisions === null && { none: say('decisions-away') }),
      },
      table(
        'mails',
        [['at'], ['recipient'], ['subject', true]],
        then.mails.map((one) => [at(one.at), one.recipient.replaceAll(/[@.]/g, '$&\u200b'), one.subject]),
      ),
      table(
        'documents',
        [['at'], ['number'], ['kind', true]],
        then.documents.map((one) => [at(one.issuedAt), one.number, one.kind]),
      ),
      table(
        'readers',
        [['at'], ['who'], ['authority'], ['fields', true]],
        then.readers.map((one) => [at(one.at), who(one.by), one.authority ?? '', one.fields.join(', ')]),
      ),
      table(
        'unlike',
        [['what', true]],
        then.unlike.map((one) => [one.text]),
      ),
      table(
        'forms',
        [['form', true], ['hash']],
        then.versions.forms.map((one) => [one.title, one.hash.slice(0, 16)]),
      ),
    ],
  }
}
