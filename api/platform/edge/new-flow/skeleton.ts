import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROCESS_OWNER } from '../../people/access/process-owners.ts'
import { type Library, languages } from '../../model/library/library.ts'
import { DESK, type Names, diagramOf } from './diagram.ts'
import { textsOf } from './words.ts'

/** Why a skeleton cannot be laid down, in one line. */
export class Refused extends Error {}

/** What a new flow consists of; paths from the root folder. */
export interface Skeleton {
  /** Files that are not there yet: an object is written as JSON. */
  made: Record<string, string | object>
  /** JSON files that are there, with what is added to them. */
  changed: Record<string, object>
}

const people = 'forms/platform/people.demo.json'
const word = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/

/** The skeleton of a flow in an area that has none yet. Throws `Refused` where anything would be overwritten. */
export function skeletonOf(root: string, library: Library, area: string, name: string): Skeleton {
  for (const given of [area, name])
    if (!word.test(given)) throw new Refused(`${given} is no name: use small letters, digits and hyphens`)
  const [drawn] = globSync(`processes/${area}/*.bpmn`, { cwd: root })
  if (area === 'platform' || drawn)
    throw new Refused(
      `the area ${area} stands already${drawn ? `, with ${drawn}` : ''}: name another, or add the flow by hand`,
    )
  const taken = [...library.flows.values(), ...library.schedules.values()].find(({ bpmn }) =>
    bpmn.key.endsWith(`/${name}.bpmn`),
  )
  if (taken) throw new Refused(`the name ${name} is taken: it is the process of processes/${taken.bpmn.key}`)

  const names: Names = { area, name, title: titleOf(name) }
  const made: Skeleton['made'] = {
    [`processes/${area}/${name}.bpmn`]: diagramOf(names),
    [`processes/${area}/${name}.scenarios.json`]: scenarios,
    [`processes/${area}/README.md`]: readmeOf(names),
    [`forms/${area}/${name}.flow.json`]: manifestOf(names, referenceOf(name, library)),
    [`forms/${area}/${name}-request.form.json`]: requestOf(names),
    [`forms/${area}/${name}-decision.form.json`]: decisionOf(names),
    [`forms/${area}/statuses.json`]: {
      [name]: { states: ['Requested', 'Approved', 'Rejected'], meanings: { Approved: 'done', Rejected: 'ended' } },
    },
  }
  const changed: Skeleton['changed'] = { [people]: owned(json(root, people) as DemoPerson[], name) }
  for (const language of languages) {
    const file = `forms/${area}/texts.staff.${language}.json`
    const texts = textsOf(names, language)
    if (!existsSync(join(root, file))) made[file] = texts
    else {
      const present = json(root, file)
      const known = Object.keys(texts).find((key) => key in present)
      if (known) throw new Refused(`${file} has the text ${known} already: nothing was written`)
      changed[file] = { ...present, ...texts }
    }
  }
  for (const file of Object.keys(made))
    if (existsSync(join(root, file))) throw new Refused(`${file} exists already: nothing was written`)
  return { made, changed }
}

interface DemoPerson {
  username: string
  grants: object[]
}

/** The demo account that owns every flow owns this one too. */
function owned(present: DemoPerson[], process: string): DemoPerson[] {
  const grant = { role: PROCESS_OWNER, scope: { kind: 'flow', id: process } }
  return present.map((person) =>
    person.username === 'owner.flows' ? { ...person, grants: [...person.grants, grant] } : person,
  )
}

function json(root: string, file: string): object {
  return JSON.parse(readFileSync(join(root, file), 'utf8')) as object
}

function titleOf(name: string): string {
  const words = name.replaceAll('-', ' ')
  return words[0]!.toUpperCase() + words.slice(1)
}

/** The initials of the flow, or more of its words where another flow has these. */
function referenceOf(name: string, { flows }: Library): string {
  const used = [...flows.values()].map(({ manifest }) => manifest.reference.split('-')[0])
  const lengths = [1, 2, 3, 4].map((length) => name.split('-').map((part) => part.slice(0, length)))
  const prefixes = lengths.map((parts) => parts.join('').toUpperCase())
  return `${prefixes.find((prefix) => !used.includes(prefix)) ?? prefixes.at(-1)}-{yyyy}-{sequence:6}`
}

function manifestOf({ area, name }: Names, reference: string): object {
  return {
    title: `${area}.${name}`,
    process: name,
    start: `${area}/${name}-request`,
    startedBy: ['*'],
    seenBy: ['HOD@department'],
    firstStatus: { status: 'Requested' },
    statusLists: { status: `${area}/${name}` },
    reference,
    scope: { department: '/department' },
    subject: { purpose: '/purpose' },
    subjectText: `${area}.${name}-subject`,
    question: { [DESK]: `${area}.question.approve` },
    columns: ['/purpose'],
  }
}

const draft = 'https://json-schema.org/draft/2020-12/schema'
const asked = { 'x-messages': { required: 'platform.field-required' } }

function requestOf({ area, name }: Names): object {
  return {
    $schema: draft,
    title: `${area}.${name}`,
    type: 'object',
    additionalProperties: false,
    required: ['department', 'purpose'],
    'x-order': ['department', 'purpose'],
    properties: {
      department: {
        type: 'string',
        format: 'uuid',
        title: 'platform.register.department.item',
        'x-register': 'platform/department',
        'x-filter': true,
        ...asked,
      },
      purpose: { type: 'string', title: `${area}.field.purpose`, minLength: 1, maxLength: 200, ...asked },
    },
  }
}

function decisionOf({ area, name }: Names): object {
  return {
    $schema: draft,
    title: `${area}.${name}-decision`,
    type: 'object',
    additionalProperties: false,
    required: ['outcome'],
    'x-order': ['reason'],
    properties: {
      outcome: {
        type: 'string',
        title: `${area}.field.outcome`,
        oneOf: ['approve', 'reject'].map((outcome) => ({ const: outcome, title: `${area}.outcome.${outcome}` })),
        ...asked,
      },
      reason: {
        type: 'string',
        title: `${area}.field.reason`,
        minLength: 1,
        maxLength: 2000,
        'x-shown': 'when-required',
        'x-widget': 'textarea',
        ...asked,
      },
    },
    allOf: [
      {
        if: { properties: { outcome: { const: 'reject' } }, required: ['outcome'] },
        // oxlint-disable-next-line unicorn/no-thenable -- the word of JSON Schema
        then: { required: ['reason'] },
      },
    ],
  }
}

const scenarios = [
  { outcome: 'approve', name: 'The head approves', status: 'Approved', end: 'endEvent_approved' },
  { outcome: 'reject', name: 'The head rejects', status: 'Rejected', end: 'endEvent_rejected' },
].map(({ outcome, name, status, end }) => ({
  name,
  steps: [{ desk: DESK, outcome }],
  expect: { statuses: { status: ['Requested', status] }, end },
}))

function readmeOf({ name, title }: Names): string {
  return `# ${title}

**${title}** (\`${name}.bpmn\`): one sentence on what it is for.

1. **Who starts it**: whoever is signed in, at \`/start\`, for a department.
2. **Who acts**: the head of that department.
3. **What a desk may do**: approve, or reject with a reason. Nobody decides their own.
4. **What can go wrong**: rejection. A desk that waits is reminded; those above it are told when it is late.
5. **Where it ends**: \`Approved\` or \`Rejected\`; the requester is told by mail.
`
}
