import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readJson } from '../../kernel/json-file.ts'
import { PROCESS_OWNER } from '../../people/access/process-owners.ts'
import { type Language, type Library, languages } from '../../model/library/library.ts'
import { type ChainDesks, type Ends, desksOf } from './chain.ts'
import { UNITS, chainParts } from './chain-skeleton.ts'
import { DESK, type Names, diagramOf } from './diagram.ts'
import { decisionOf, requestOf } from './forms.ts'
import { textsOf } from './words.ts'

/** Why a skeleton cannot be written, in one line. */
export class Refused extends Error {}

/** The files of a new flow; paths are relative to the root folder. */
export interface Skeleton {
  /** New files; an object is written as JSON. */
  made: Record<string, string | object>
  /** Existing JSON files with the additions. */
  changed: Record<string, object>
}

const people = 'forms/platform/people.demo.json'
const word = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/
/** Characters that the key of a status text permits. */
const statusName = /^[A-Za-z0-9]+([ -][A-Za-z0-9]+)*$/

/** Several desks in a row, instead of the single one. */
export interface ChainOptions {
  /** `HOD@department, Dean@faculty=Recommended by the head`: who decides, and the status of the case there. */
  desks: string
  /** The status before the first desk has decided, and the final ones. */
  first: string
  ends: Ends
}

/**
 * The skeleton of a flow with one desk or a chain of desks. Throws `Refused` if anything would be overwritten; existing
 * texts of the area are kept.
 */
export function skeletonOf(
  root: string,
  library: Library,
  { area, name }: { area: string; name: string },
  options?: ChainOptions,
): Skeleton {
  refuseTaken(library, area, name)
  const names: Names = { area, name, title: titleOf(name) }
  const reference = referenceOf(name, library)
  const parts = options
    ? chainParts(names, reference, knownDesks(options, library), options.ends)
    : plainParts(names, reference)
  const made: Skeleton['made'] = {
    [`processes/${area}/${name}.bpmn`]: parts.diagram,
    [`processes/${area}/${name}.scenarios.json`]: parts.scenarios,
    [`forms/${area}/${name}.flow.json`]: parts.manifest,
    [`forms/${area}/${name}-request.form.json`]: parts.request,
    [`forms/${area}/${name}-decision.form.json`]: parts.decision,
  }
  for (const file of Object.keys(made))
    if (existsSync(join(root, file))) throw new Refused(`${file} exists already: nothing was written`)
  const changed: Skeleton['changed'] = { [people]: owned(readJson<DemoPerson[]>(join(root, people)), name) }
  const added: Record<string, object> = {
    [`forms/${area}/statuses.json`]: { [name]: parts.statuses },
    ...Object.fromEntries(
      languages.map((one) => [`forms/${area}/texts.staff.${one}.json`, unsaid(parts.texts(one), library.texts[one])]),
    ),
  }
  for (const [file, content] of Object.entries(added)) {
    if (existsSync(join(root, file))) changed[file] = { ...content, ...readJson<object>(join(root, file)) }
    else made[file] = content
  }
  const readme = `processes/${area}/README.md`
  if (!existsSync(join(root, readme))) made[readme] = parts.readme
  return { made, changed }
}

/** The texts that the area does not have yet. */
function unsaid(texts: Record<string, string>, known: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).filter(([key]) => !Object.hasOwn(known, key)))
}

function refuseTaken(library: Library, area: string, name: string): void {
  for (const given of [area, name])
    if (!word.test(given)) throw new Refused(`${given} is no name: use small letters, digits and hyphens`)
  if (area === 'platform') throw new Refused('platform is no area: name another')
  const taken = [...library.flows.values(), ...library.schedules.values()].find(({ bpmn }) =>
    bpmn.key.endsWith(`/${name}.bpmn`),
  )
  if (taken) throw new Refused(`the name ${name} is taken: it is the process of processes/${taken.bpmn.key}`)
}

function knownDesks({ desks, first, ends }: ChainOptions, { roles }: Library): ChainDesks {
  const read = desksOf(desks, first)
  for (const name of [...read.map(({ status }) => status), ...Object.values(ends)])
    if (!statusName.test(name)) throw new Refused(`“${name}” is no status: use letters, digits, spaces and hyphens`)
  for (const { role, group } of read) {
    if (!roles.has(role)) throw new Refused(`there is no role “${role}”: forms/platform/roles.json has them all`)
    const [, unit] = group.split('@')
    if (unit !== undefined && !(unit in UNITS))
      throw new Refused(`“${group}”: a unit is one of ${Object.keys(UNITS).join(', ')}`)
  }
  return read
}

/** The parts of a skeleton that depend on its desks. */
export interface Parts {
  diagram: string
  scenarios: object
  manifest: object
  request: object
  decision: object
  statuses: object
  texts(language: Language): Record<string, string>
  readme: string
}

function plainParts(names: Names, reference: string): Parts {
  return {
    diagram: diagramOf(names),
    scenarios,
    manifest: manifestOf(names, reference),
    request: requestOf(names),
    decision: decisionOf(names, ['approve', 'reject']),
    statuses: { states: ['Requested', 'Approved', 'Rejected'], meanings: { Approved: 'done', Rejected: 'ended' } },
    texts: (language) => textsOf(names, language),
    readme: readmeOf(names),
  }
}

interface DemoPerson {
  username: string
  grants: object[]
}

/** The demo account that owns every flow gets this one too. */
function owned(present: DemoPerson[], process: string): DemoPerson[] {
  const grant = { role: PROCESS_OWNER, scope: { kind: 'flow', id: process } }
  return present.map((person) =>
    person.username === 'owner.flows' ? { ...person, grants: [...person.grants, grant] } : person,
  )
}

function titleOf(name: string): string {
  const words = name.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The initials of the flow, or more letters if another flow has the same. */
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

1. **Who starts it**: anybody who is signed in, at \`/start\`, for a department.
2. **Who acts**: the head of that department.
3. **What a desk may do**: approve, or reject with a reason. Nobody decides their own.
4. **What can go wrong**: rejection. A desk that waits is reminded; those above it are told when it is late.
5. **Where it ends**: \`Approved\` or \`Rejected\`; the requester is told by mail.
`
}
