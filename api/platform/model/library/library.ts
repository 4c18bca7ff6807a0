import { existsSync, globSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { messageIn } from '../../kernel/objects.ts'
import type { DocumentDefinition } from '../definitions/document.ts'
import type { Topic } from '../definitions/topic.ts'
import { Value } from 'typebox/value'
import { type Placeholders, placeholderScreens, placeholderTitles } from '../../../../forms/platform/placeholders.ts'
import { Scenario } from '../definitions/scenario.ts'
import type { FieldSchema, RegisterDefinition } from '../definitions/register.ts'
import type { ReportDefinition } from '../definitions/report.ts'
import { type Artifact, artifact, jsonArtifact } from '../definitions/artifact.ts'
import { type OwnRecordDefinition, schemaOfRecord } from '../definitions/own-record.ts'
import { type Manifest, serverVariables } from '../definitions/manifest.ts'

export type { Manifest } from '../definitions/manifest.ts'

/** Languages of the product; English is complete, the others may lack texts. */
export const languages = ['en', 'si', 'ta'] as const
export type Language = (typeof languages)[number]

/** A form in the repository. */
export interface Form {
  key: string
  hash: string
  schema: FieldSchema
}

/** A flow in the repository: its manifest, its diagram, and the decision tables that the diagram names. */
export interface Flow {
  /** `<area>/<flow>`. */
  key: string
  area: string
  manifest: Manifest
  bpmn: Artifact
  dmn: Artifact[]
}

/** A process that a timer starts, without a case: a diagram that no manifest names, named like its process. */
export interface Schedule {
  /** `<area>/<process>`. */
  key: string
  process: string
  bpmn: Artifact
}

/** A route of the web app, and its page. */
export interface Screen {
  route: string
  page: string
  title: string
  parameters?: Record<string, unknown>
  guard: string | null
  roles?: string[]
  /** Roles that open it without the permission group. */
  alsoFor?: string[]
  /** Not even people who see everything open it. */
  sealed?: true
  menu?: { group: string; order: number; rule?: string }
  home?: { title: string; detail: string }
  /** Its part of the start page, of the people with one of these roles. */
  front?: true | { for: string[]; title: string }
  /** The register whose public entry it shows, by the id in its address. */
  entry?: string
  /** Search engines are asked to leave it alone. */
  unlisted?: true
  built: boolean
}

/** `done`: successful; `returned`: waits for the requester; `ended`: unsuccessful. */
export type Meaning = 'done' | 'returned' | 'ended'

interface StatusList {
  states: string[]
  meanings?: Record<string, Meaning>
  onlyAt?: Record<string, string[]>
}

interface Roles {
  roles: string[]
  unitRoles: string[]
  aliases: Record<string, string>
}

/**
 * Everything that the areas declare in `forms/` and `processes/`, read once at start. Keys are `<area>/<name>`; error
 * codes and text keys begin with their area.
 */
export interface Library {
  flows: ReadonlyMap<string, Flow>
  schedules: ReadonlyMap<string, Schedule>
  /** Process → the scenarios of its model. */
  scenarios: ReadonlyMap<string, readonly Scenario[]>
  forms: ReadonlyMap<string, Form>
  registers: ReadonlyMap<string, RegisterDefinition>
  /** Records that people fill in over many sittings. */
  ownRecords: ReadonlyMap<string, OwnRecordDefinition>
  /** Layouts of issued documents, by kind. */
  documents: ReadonlyMap<string, DocumentDefinition>
  /** Definitions of reports; their rows come from `api/<area>/<name>.report.ts`. */
  reports: ReadonlyMap<string, ReportDefinition>
  /** `<area>/<list>` → its states in order. */
  statusLists: ReadonlyMap<string, string[]>
  /** `<area>/<list>` → the meaning of its states, if that is more than that the case is running. */
  statusMeanings: ReadonlyMap<string, Readonly<Record<string, Meaning>>>
  /** `<area>/<list>` → the desks at which people see a state; without an entry they always see it. */
  statusDesks: ReadonlyMap<string, Readonly<Record<string, readonly string[]>>>
  errors: ReadonlyMap<string, { status: number }>
  screens: readonly Screen[]
  /** All roles, by canonical name. */
  roles: ReadonlySet<string>
  /** Roles that need a unit: tokens of an identity server name no unit, so it cannot grant them. */
  unitRoles: ReadonlySet<string>
  /** Names of roles in other systems → the role. */
  roleAliases: ReadonlyMap<string, string>
  /** The topics that diagrams may use, as the workers declare them. */
  topics: ReadonlyMap<string, Topic>
  texts: Record<Language, Readonly<Record<string, string>>>
  /** The text of a key with its placeholders filled; falls back to English, then to the key. */
  text(key: string, values?: Record<string, unknown>, language?: Language): string
}

/** A file of an area that cannot be used: one line that names it and, if known, says what to do. */
export class UnusableFile extends Error {}

/** The register of the entries that a field of a start form names, by pointer; undefined if it names none. */
export function registerNamed({ forms }: Pick<Library, 'forms'>, start: string, field: string): string | undefined {
  return forms.get(start)?.schema.properties?.[field.slice(1)]?.['x-register']
}

/** The register whose entries a flow is opened for in batches; undefined if there is none. */
export function registerOfBatch(
  library: Pick<Library, 'forms'>,
  { batch, start }: Pick<Manifest, 'batch' | 'start'>,
): string | undefined {
  return batch && registerNamed(library, start, batch.item)
}

/** Reads the library from the root folder of the product. Throws `UnusableFile` if a file cannot be used. */
export function loadLibrary(root: string): Library {
  const areas = folders(join(root, 'forms'))
  const each = <D, T>(suffix: string, read: (key: string, document: D, area: string) => T): Map<string, T> =>
    new Map(
      areas.flatMap((area) =>
        files(join(root, 'forms', area), suffix).map((file) => {
          const key = `${area}/${file.slice(0, -suffix.length)}`
          return [key, read(key, readJson<D>(join(root, 'forms', area, file)), area)] as const
        }),
      ),
    )
  const one = <T>(name: string): [area: string, document: T][] =>
    areas
      .map((area) => [area, join(root, 'forms', area, name)] as const)
      .filter(([, path]) => existsSync(path))
      .map(([area, path]) => [area, readJson<T>(path)])

  const placeholders = readJson<Placeholders>(join(root, 'forms/platform/placeholders.json'))
  const textsOf = (language: Language): Record<string, string> =>
    Object.assign(
      placeholderTitles(placeholders, language),
      ...[`texts.${language}.json`, `texts.staff.${language}.json`]
        .flatMap((name) => one<Record<string, string>>(name))
        .map(([, document]) => document),
    )
  const texts = { en: textsOf('en'), si: textsOf('si'), ta: textsOf('ta') }

  const statusLists = one<Record<string, StatusList>>('statuses.json').flatMap(([area, lists]) =>
    Object.entries(lists).map(([name, list]) => [`${area}/${name}`, list] as const),
  )
  const plainForms = each('.form.json', readForm)
  const ownRecords = each('.record.json', (_key, definition: OwnRecordDefinition) => definition)
  return {
    flows: each('.flow.json', (key, manifest: Manifest, area) => readFlow(root, key, area, manifest)),
    schedules: readSchedules(root, areas),
    scenarios: readScenarios(root, areas),
    forms: withOwnRecords(plainForms, ownRecords),
    ownRecords,
    registers: each('.register.json', (_key, definition: RegisterDefinition) => definition),
    documents: each('.document.json', (_key, definition: DocumentDefinition) => definition),
    reports: each('.report.json', (_key, definition: ReportDefinition) => definition),
    statusLists: new Map(statusLists.map(([key, { states }]) => [key, states])),
    statusMeanings: new Map(statusLists.map(([key, { meanings = {} }]) => [key, meanings])),
    statusDesks: new Map(statusLists.map(([key, { onlyAt = {} }]) => [key, onlyAt])),
    errors: new Map(
      one<Record<string, { status: number }>>('errors.json').flatMap(([, codes]) => Object.entries(codes)),
    ),
    screens: [...one<Screen[]>('screens.json').flatMap(([, screens]) => screens), ...placeholderScreens(placeholders)],
    roles: new Set(one<Roles>('roles.json').flatMap(([, { roles }]) => roles)),
    unitRoles: new Set(one<Roles>('roles.json').flatMap(([, { unitRoles }]) => unitRoles)),
    roleAliases: new Map(one<Roles>('roles.json').flatMap(([, { aliases }]) => Object.entries(aliases))),
    topics: new Map(
      Object.entries(readJson<Record<string, Topic>>(join(root, 'processes/platform/topics.generated.json'))),
    ),
    texts,
    text(key, values = {}, language = 'en') {
      const pattern = texts[language][key] ?? texts.en[key] ?? key
      return pattern.replace(/\{\{\s*(\w+)\s*\}\}/g, (_all, name: string) => String(values[name] ?? ''))
    },
  }
}

function readForm(key: string, schema: FieldSchema): Form {
  const taken = Object.keys(schema.properties ?? {}).filter((name) => serverVariables.test(name))
  if (taken.length > 0)
    throw new UnusableFile(`form ${key} declares names that only the server sets: ${taken.join(', ')}`)
  return { key, schema, hash: jsonArtifact('form', key, schema).hash }
}

/** The forms, in which each field `x-record` has the steps of that record. */
function withOwnRecords(plain: ReadonlyMap<string, Form>, records: Library['ownRecords']): ReadonlyMap<string, Form> {
  for (const [key, { steps }] of records) {
    const missing = steps.find(({ form }) => !plain.has(form))
    if (missing) throw new UnusableFile(`record ${key} names the form ${missing.form}, which does not exist`)
  }
  return new Map([...plain].map(([key, form]) => [key, withSteps(form)]))

  function withSteps(form: Form): Form {
    const properties = Object.entries(form.schema.properties ?? {})
    if (!properties.some(([, field]) => field['x-record'])) return form
    const whole = properties.map(([name, field]) => {
      const key = field['x-record']
      if (key === undefined) return [name, field]
      const record = records.get(key)
      if (!record) throw new UnusableFile(`form ${form.key} names the record ${key}, which does not exist`)
      return [name, { ...field, ...schemaOfRecord(record, (step) => plain.get(step)?.schema ?? {}) }]
    })
    return readForm(form.key, { ...form.schema, properties: Object.fromEntries(whole) })
  }
}

function readFlow(root: string, key: string, area: string, manifest: Manifest): Flow {
  const folder = join(root, 'processes', area)
  const name = `${manifest.process}.bpmn`
  const place = `processes/${area}/${name}`
  if (!existsSync(join(root, place))) {
    const [elsewhere] = globSync(`processes/*/${name}`, { cwd: root })
    const where = elsewhere ? `its diagram is ${elsewhere}: move it to ${place}` : `${place} is missing`
    throw new UnusableFile(`forms/${key}.flow.json names the process ${manifest.process}, and ${where}`)
  }
  const bpmn = artifact('bpmn', `${area}/${name}`, readText(join(folder, name)))
  const decisions = [...bpmn.content.matchAll(/decisionRef="([^"]+)"/g)].flatMap(([, decision]) => decision ?? [])
  const dmn = files(folder, '.dmn')
    .map((file) => artifact('dmn', `${area}/${file}`, readText(join(folder, file))))
    .filter(({ content }) => decisions.some((decision) => content.includes(`id="${decision}"`)))
  return { key, area, manifest, bpmn, dmn }
}

function readScenarios(root: string, areas: readonly string[]): ReadonlyMap<string, readonly Scenario[]> {
  const suffix = '.scenarios.json'
  return new Map(
    areas.flatMap((area) =>
      files(join(root, 'processes', area), suffix).map((file) => {
        const found = readJson<unknown>(join(root, 'processes', area, file))
        if (!Array.isArray(found) || !found.every((one) => Value.Check(Scenario, one)))
          throw new UnusableFile(`processes/${area}/${file} is no list of scenarios`)
        return [file.slice(0, -suffix.length), found as Scenario[]] as const
      }),
    ),
  )
}

/** The diagrams that begin with a timer. */
function readSchedules(root: string, areas: readonly string[]): ReadonlyMap<string, Schedule> {
  const found = areas.flatMap((area) =>
    files(join(root, 'processes', area), '.bpmn').flatMap((file): [string, Schedule][] => {
      const process = file.slice(0, -'.bpmn'.length)
      const key = `${area}/${process}`
      const content = readText(join(root, 'processes', area, file))
      return content.includes('<bpmn:timeCycle')
        ? [[key, { key, process, bpmn: artifact('bpmn', `${area}/${file}`, content) }]]
        : []
    }),
  )
  return new Map(found)
}

function folders(path: string): string[] {
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
}

function files(path: string, suffix: string): string[] {
  if (!existsSync(path)) return []
  return readdirSync(path)
    .filter((name) => name.endsWith(suffix))
    .sort()
}

function readText(path: string): string {
  if (existsSync(path)) return readFileSync(path, 'utf8')
  throw new UnusableFile(`${path} is missing${path.includes('.generated.') ? ': run npm run generate' : ''}`)
}

/** A JSON file as the type of its shape, against which `npm run check` compares it. */
function readJson<T>(path: string): T {
  const text = readText(path)
  try {
    return JSON.parse(text)
  } catch (error) {
    const reason = messageIn(error).replace(/\s*\n\s*/g, ' ')
    throw new UnusableFile(`${path} cannot be read: ${reason}`, { cause: error })
  }
}
