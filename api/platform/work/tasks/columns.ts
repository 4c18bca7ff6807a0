import { type Named, wordsOf } from '../../model/library/words.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import type { Flow, Language, Library } from '../../model/library/library.ts'
import type { Manifest } from '../../model/definitions/manifest.ts'
import { type Person, admits, roleOf } from '../../people/persons/person.ts'
import { type FieldSchema, pathOf } from '../../model/definitions/register.ts'
import { readers } from './readers.ts'

type Words = ReturnType<typeof wordsOf>

/** A choice of a field: the stored value, and the key of its label. */
export interface Option {
  value: string
  title: string
}

type FilterKind = 'text' | 'choice' | 'item' | 'date' | 'boolean'

/** The choices that a field lists. */
export function optionsOf(field: FieldSchema): Option[] {
  const options = field.oneOf ?? []
  if (!options.every((one) => one.const !== undefined)) return []
  return options.map((one) => ({ value: String(one.const), title: one.title ?? String(one.const) }))
}

/** The control for filtering lists by a field. */
function filterKindOf(field: FieldSchema): FilterKind {
  if (field['x-register'] !== undefined) return 'item'
  if (field.type === 'boolean') return 'boolean'
  if (optionsOf(field).length > 0) return 'choice'
  return field['format'] === 'date' ? 'date' : 'text'
}

/** The columns that a manifest names and the start form has. Lists never show sensitive fields. */
export function columnsOf(
  { columns = [] }: Pick<Manifest, 'columns'>,
  schema: FieldSchema,
): { name: string; pointer: string; field: FieldSchema }[] {
  return columns.flatMap((pointer) => {
    const field = pathOf(pointer).reduce<FieldSchema | undefined>((found, name) => found?.properties?.[name], schema)
    if (field === undefined || field['x-sensitive'] === true) return []
    return [{ name: pointer.slice(1), pointer, field }]
  })
}

/** The filters and columns of inbox lists. */
export interface InboxFields {
  flows: { key: string; title: string }[]
  statuses: Named[]
  desks: { key: string; title: string }[]
  fields: { name: string; title: string; type: FilterKind; options?: Option[]; register?: string }[]
  columns: { name: string; title: string }[]
}

interface FieldsDependencies {
  library: Library
  definitions: Definitions
}

async function flowsOf({ library, definitions }: FieldsDependencies, person: Person): Promise<Flow[]> {
  const roles = new Set(readers(person).map(({ principal }) => roleOf(principal)))
  const found = await Promise.all(
    [...library.flows.values()].map(async (flow) => {
      if (admits(person, flow.manifest.seenBy) !== undefined) return [flow]
      const definition = await definitions.findLatest(flow.key)
      const drawnFor = [...(definition?.diagram.desks.values() ?? [])].flatMap((desk) => desk.roles)
      return drawnFor.some((one) => roles.has(roleOf(one))) ? [flow] : []
    }),
  )
  return found.flat()
}

async function fieldsOfFlow(
  { library, definitions }: FieldsDependencies,
  { key, manifest }: Flow,
  words: Words,
): Promise<Omit<InboxFields, 'flows'>> {
  const definition = await definitions.findLatest(key)
  const hash = definition?.forms[manifest.start]
  const schema = hash === undefined ? {} : (await definitions.form(hash)).schema
  const titleOf = (field: FieldSchema, name: string) => words.text(String(field['title'] ?? name))
  return {
    statuses: (library.statusLists.get(manifest.statusLists['status'] ?? '') ?? []).map((state) =>
      words.status(manifest, 'status', state),
    ),
    desks: [...(definition?.diagram.desks.keys() ?? [])].map((desk) => ({
      key: desk,
      title: words.element(key, desk, definition?.diagram.names.get(desk)),
    })),
    fields: filterable(schema).map(({ name, field }) => {
      const type = filterKindOf(field)
      return {
        name,
        title: titleOf(field, name),
        type,
        ...(type === 'choice' && {
          options: optionsOf(field).map(({ value, title }) => ({ value, title: words.text(title) })),
        }),
        ...(type === 'item' && { register: String(field['x-register']) }),
      }
    }),
    columns: columnsOf(manifest, schema).map(({ name, field }) => ({ name, title: titleOf(field, name) })),
  }
}

/** The filters that a person has: those of flows in which they have a desk, or that they may see. */
export async function inboxFields(
  context: FieldsDependencies,
  person: Person,
  flow?: string,
  language?: Language,
): Promise<InboxFields> {
  const { library } = context
  const words = wordsOf(library, language)
  const flows = await flowsOf(context, person)
  const found = await Promise.all(
    flows.filter(({ key }) => flow === undefined || key === flow).map((one) => fieldsOfFlow(context, one, words)),
  )
  const once = <T>(all: T[], by: (one: T) => string) => [...new Map(all.map((one) => [by(one), one])).values()]
  return {
    flows: flows.map(({ key, manifest }) => ({ key, title: words.flowTitle(manifest) })),
    statuses: once(
      found.flatMap(({ statuses }) => statuses),
      ({ key }) => key,
    ),
    desks: once(
      found.flatMap(({ desks }) => desks),
      ({ key }) => key,
    ),
    fields: once(
      found.flatMap(({ fields }) => fields),
      ({ name }) => name,
    ),
    columns: once(
      found.flatMap(({ columns }) => columns),
      ({ name }) => name,
    ),
  }
}

/** The fields of a form that are marked as filters, without sensitive ones. */
function filterable(schema: FieldSchema, path = ''): { name: string; field: FieldSchema }[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, field]) => {
    if (field['x-sensitive'] === true) return []
    if (field.properties) return filterable(field, `${path}${key}/`)
    return field['x-filter'] === true ? [{ name: `${path}${key}`, field }] : []
  })
}
