import type { CaseThen } from './case-then.ts'
import type { Moment } from './moments.ts'

/** Texts by their keys, and the format of times. */
interface Writing {
  say(key: string, values?: Record<string, unknown>): string
  at(moment: string): string
}

type Column = [name: string, wide?: boolean]

/** The dossier of a case, in reading order. */
export function dossierOf(then: CaseThen, steps: readonly Moment[], writing: Writing): object {
  const { say, at } = writing
  return {
    kind: then.flow.text,
    title: then.title,
    reference: then.reference,
    made: say('dossier.made', { at: at(then.at) }),
    facts: factsOf(then, writing),
    sections: [
      {
        ...part('data', writing),
        kind: 'pairs',
        rows: then.data.map(({ label, value }) => ({ label, value })),
      },
      stepsOf(steps, writing),
      changesOf(then, writing),
      decisionsOf(then, writing),
      ...recordsOf(then, writing),
    ],
  }
}

function who(by: { name: string; post: string | null } | null): string {
  if (by === null) return ''
  return by.post === null ? by.name : `${by.name}, ${by.post}`
}

function part(title: string, { say }: Writing) {
  return { title: say(`dossier.${title}`), none: say('dossier.none') }
}

function table(writing: Writing, title: string, columns: Column[], rows: string[][]) {
  return {
    ...part(title, writing),
    kind: 'table',
    columns: columns.map(([name]) => writing.say(`column.${name}`)),
    widths: columns.map(([, wide]) => (wide ? 'wide' : 'narrow')),
    rows,
  }
}

function factsOf(then: CaseThen, { say, at }: Writing) {
  const { version, deployedAt, hash } = then.versions.model
  const ended = [then.endedAt === null ? say('dossier.running') : at(then.endedAt), then.end ?? []].flat()
  return [
    { label: say('column.requester'), value: who(then.requester) },
    { label: say('column.began'), value: at(then.createdAt) },
    { label: say('column.ended'), value: ended.join(' · ') },
    { label: say('column.status'), value: then.statuses.map(({ status }) => status.text).join(', ') },
    {
      label: say('column.model'),
      value: say('dossier.version', { version, at: at(deployedAt), hash: hash.slice(0, 16) }),
    },
  ]
}

function stepsOf(steps: readonly Moment[], writing: Writing) {
  const columns: Column[] = [['at'], ['what', true], ['who'], ['authority']]
  const rows = steps.map((one) => [
    writing.at(one.at),
    one.reason === null ? one.text : `${one.text}. ${one.reason}`,
    who(one.by),
    one.authority ?? '',
  ])
  return table(writing, 'steps', columns, rows)
}

function changesOf({ submissions }: CaseThen, writing: Writing) {
  const rows = submissions.flatMap((one) =>
    (one.changes ?? []).map(({ label, before, after }) => [writing.at(one.at), label, before ?? '', after ?? '']),
  )
  return table(writing, 'changes', [['at'], ['field', true], ['before'], ['after']], rows)
}

function decisionsOf({ decisions }: CaseThen, writing: Writing) {
  const inWords = (values: { name: string; value: string }[]) =>
    values.map(({ name, value }) => `${name}: ${value}`).join(', ')
  const rows = (decisions ?? []).flatMap((one) =>
    one.rows.map(({ rule, inputs, outputs }) => [
      writing.at(one.at),
      rule === null ? one.name : `${one.name}: ${rule}`,
      inWords(inputs),
      inWords(outputs),
    ]),
  )
  return {
    ...table(writing, 'decisions', [['at'], ['table'], ['asked', true], ['answered', true]], rows),
    ...(decisions === null && { none: writing.say('decisions-away') }),
  }
}

/** Mails, documents, readers, differences from what was sealed, and forms. */
function recordsOf(then: CaseThen, writing: Writing) {
  const { at } = writing
  return [
    table(
      writing,
      'mails',
      [['at'], ['recipient'], ['subject', true]],
      then.mails.map((one) => [at(one.at), one.recipient.replaceAll(/[@.]/g, '$&\u200b'), one.subject]),
    ),
    table(
      writing,
      'documents',
      [['at'], ['number'], ['kind', true]],
      then.documents.map((one) => [at(one.issuedAt), one.number, one.kind]),
    ),
    table(
      writing,
      'readers',
      [['at'], ['who'], ['authority'], ['fields', true]],
      then.readers.map((one) => [at(one.at), who(one.by), one.authority ?? '', one.fields.join(', ')]),
    ),
    table(
      writing,
      'unlike',
      [['what', true]],
      then.unlike.map((one) => [one.text]),
    ),
    table(
      writing,
      'forms',
      [['form', true], ['hash']],
      then.versions.forms.map((one) => [one.title, one.hash.slice(0, 16)]),
    ),
  ]
}
