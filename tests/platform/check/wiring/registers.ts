import { LETTER_FIELDS } from '../../../../api/platform/model/definitions/document.ts'
import { languages } from '../../../../api/platform/model/library/library.ts'
import { POST_HOLDER } from '../../../../api/platform/model/definitions/manifest.ts'
import { type FieldSchema, encryptedNames } from '../../../../api/platform/model/definitions/register.ts'
import { PROCESS_OWNER } from '../../../../api/platform/people/access/process-owners.ts'
import { type Product, type Rule, fieldAt, fieldBehind, leadsToField } from './product.ts'

const registerFile = (key: string) => `forms/${key}.register.json`

/** Every schema of fields with its file. */
function schemasOf({ library }: Product): (readonly [file: string, schema: FieldSchema])[] {
  return [
    ...[...library.forms].map(([key, { schema }]) => [`forms/${key}.form.json`, schema] as const),
    ...[...library.registers].map(([key, { item }]) => [registerFile(key), item] as const),
  ]
}

/** A schema and all schemas inside it. */
function within(schema: FieldSchema): FieldSchema[] {
  const inner = [...Object.values(schema.properties ?? {}), ...(schema.items ? [schema.items] : [])]
  return [schema, ...inner.flatMap(within)]
}

const namedRegistersExist: Rule = (product) =>
  schemasOf(product).flatMap(([file, schema]) =>
    within(schema)
      .flatMap((one) => one['x-register'] ?? [])
      .filter((register) => !product.library.registers.has(register))
      .map((register) => `${file}: there is no register ${register}: write ${registerFile(register)}`),
  )

const namedFlowsExist: Rule = (product) =>
  schemasOf(product).flatMap(([file, schema]) =>
    within(schema)
      .flatMap((one) => one['x-case'] ?? [])
      .filter((flow) => !product.library.flows.has(flow))
      .map((flow) => `${file}: there is no flow ${flow}: name one in x-case`),
  )

const fieldsOfNamedItemsExist: Rule = (product) =>
  schemasOf(product).flatMap(([file, schema]) =>
    within(schema).flatMap((one) => {
      const named = product.library.registers.get(one['x-register'] ?? '')
      const fields = {
        'x-freezes': (one['x-freezes'] ?? []).map((name) => name.replace(/\?$/, '')),
        'x-needs': Object.keys(one['x-needs'] ?? {}),
      }
      return Object.entries(fields).flatMap(([keyword, names]) =>
        names
          .filter((name) => !named?.item.properties?.[name])
          .map((name) => `${file}: ${keyword} names ${name}, which is no field of ${one['x-register']}: take it out`),
      )
    }),
  )

/** Forms do not enforce it, so only fields of registers choose among a selection. */
const selectionsExist: Rule = (product) =>
  schemasOf(product).flatMap(([file, schema]) =>
    within(schema).flatMap((one) => {
      const { 'x-selection': name, 'x-register': register = '' } = one
      if (name === undefined) return []
      if (file.endsWith('.form.json')) return [`${file}: x-selection is for fields of registers: take it out`]
      if (product.library.registers.get(register)?.selections?.[name]) return []
      return [`${file}: ${register} has no selection ${name}: add it to /selections of ${registerFile(register)}`]
    }),
  )

const agreeingFieldsExist: Rule = (product) =>
  [...product.library.registers].flatMap(([key, { item }]) =>
    within(item).flatMap((one) => {
      const named = product.library.registers.get(one['x-register'] ?? '')
      return Object.entries(one['x-agrees'] ?? {})
        .filter(([mine, rule]) => {
          const theirs = Object.values<string>(rule)
          return !item.properties?.[mine] || theirs.some((name) => !named?.item.properties?.[name])
        })
        .map(([mine]) => `${registerFile(key)}: x-agrees of ${mine} names no field of ${one['x-register']}: mend it`)
    }),
  )

/** What is drawn is a PNG, sent as it is. */
const drawnPicturesFit: Rule = (product) =>
  schemasOf(product).flatMap(([file, schema]) =>
    within(schema).flatMap(({ properties = {} }) =>
      Object.entries(properties)
        .filter(([, one]) => one['x-drawn'] && (one['x-crop'] || !one['x-accept']?.includes('image/png')))
        .map(([name]) => `${file}: ${name} is drawn: take image/png in x-accept, and take x-crop out`),
    ),
  )

/** The list in which something stands, the fields of its rows, and the days and fields by which items stay apart. */
const listsAndDaysExist: Rule = ({ library }) =>
  [...library.registers].flatMap(([key, { item }]) => {
    const { properties = {} } = item
    const lists = within(item).flatMap((one) => one['x-listed'] ?? [])
    return [
      ...lists
        .flatMap(({ at, with: fields = {} }) => [at, ...Object.values(fields)])
        .filter((lookup) => typeof lookup === 'string' && !fieldBehind(library, item, lookup))
        .map((lookup) => `${registerFile(key)}: x-listed names ${lookup}, which leads to no field: mend it`),
      ...lists.flatMap(({ at, names, with: fields = {} }) => {
        const rows = fieldBehind(library, item, at)?.items
        return [names, ...Object.keys(fields)]
          .filter((name) => rows && !rows.properties?.[name])
          .map((name) => `${registerFile(key)}: x-listed names ${name}, which rows of ${at} do not have: mend it`)
      }),
      ...Object.values(properties)
        .flatMap(({ 'x-apart': apart }) => (apart ? [apart.from, ...apart.by] : []))
        .filter((name) => !properties[name])
        .map((name) => `${registerFile(key)}: x-apart names ${name}, which is no field: mend it`),
    ]
  })

/** The list among whose rows a field chooses, the fields of these, and the one that says why it is not the least. */
const chosenRowsExist: Rule = (product) =>
  schemasOf(product).flatMap(([file, schema]) =>
    within(schema).flatMap(({ properties = {} }) =>
      Object.entries(properties).flatMap(([name, { 'x-row': row, 'x-least': least }]) => {
        const has = (list: string, field: string) => properties[list]?.items?.properties?.[field] !== undefined
        const isWrong = {
          'x-row': row && !has(row.list, row.names),
          'x-least': least && !(has(least.list, least.names) && has(least.list, least.by) && properties[least.unless]),
        }
        return Object.entries(isWrong)
          .filter(([, wrong]) => wrong)
          .map(([keyword]) => `${file}: ${keyword} of ${name} names a list or a field that is not there: mend it`)
      }),
    ),
  )

const namedFieldsExist: Rule = (product) => [
  ...schemasOf(product).flatMap(([file, schema]) =>
    within(schema).flatMap(({ properties, ...one }) =>
      [
        ...((one['x-order'] ?? []) as string[]).map((name) => ['x-order', name] as const),
        ...(properties ? ((one['required'] ?? []) as string[]).map((name) => ['required', name] as const) : []),
      ]
        .filter(([, name]) => !properties?.[name])
        .map(
          ([list, name]) => `${file}: ${list} names ${name}, which is no field: add it to properties, or take it out`,
        ),
    ),
  ),
  ...[...product.library.registers].flatMap(([key, register]) =>
    Object.entries(pointersOf(register))
      .flatMap(([member, pointers]) => pointers.map((pointer) => [member, pointer] as const))
      .filter(([, pointer]) => !fieldAt(register.item, pointer))
      .map(
        ([member, pointer]) =>
          `${registerFile(key)} /${member}: ${pointer} is no field of item: add it, or take it out`,
      ),
  ),
]

const sensitiveFieldsStayHidden: Rule = ({ library }) =>
  [...library.registers].flatMap(([key, register]) =>
    Object.entries(pointersOf(register))
      .flatMap(([member, pointers]) => pointers.map((pointer) => [member, pointer] as const))
      .filter(([, pointer]) => fieldAt(register.item, pointer)?.['x-sensitive'])
      .map(([member, pointer]) => `${registerFile(key)} /${member}: ${pointer} is x-sensitive: take it out`),
  )

const encryptedFieldsStaySealed: Rule = (product) => [
  ...schemasOf(product).flatMap(([file, schema]) => {
    const atTop = file.endsWith('.register.json') ? Object.values(schema.properties ?? {}) : []
    return within(schema)
      .filter((one) => one['x-encrypted'] && !atTop.includes(one))
      .map(({ title }) => `${file}: ${title ?? 'a field'} is x-encrypted: only fields at the top of a register can be`)
  }),
  ...[...product.library.registers].flatMap(([key, register]) => {
    const { item, sealed, own, public: shown, seenBy, changedBy } = register
    const names = encryptedNames(item)
    if (!sealed)
      return names.map((name) => `${registerFile(key)}: ${name} is x-encrypted: say in sealed who reads the register`)
    const others = [...seenBy, ...changedBy].filter((role) => !sealed.to.includes(role))
    return [
      ...others.map((role) => `${registerFile(key)}: ${role} is not in sealed/to: take it out of seenBy and changedBy`),
      ...(own || shown ? [`${registerFile(key)}: own and public do not go with sealed: take them out`] : []),
      ...Object.values(pointersOf(register))
        .flat()
        .filter((pointer) => names.includes(pointer.slice(1)))
        .map((pointer) => `${registerFile(key)}: ${pointer} is x-encrypted: it is in no list and no search`),
    ]
  }),
]

/** The fields that title, search, list and publish items. */
function pointersOf(register: Product['library']['registers'] extends ReadonlyMap<string, infer R> ? R : never) {
  const { titleField, codeField, template, search = [], filters = [], columns = [], public: shown } = register
  return {
    titleField: [titleField ?? []].flat(),
    codeField: [codeField ?? []].flat(),
    template: [template ?? []].flat(),
    search,
    filters,
    columns,
    seenFor: Object.keys(register.seenFor ?? {}),
    shownBetween: Object.values(register.shownBetween ?? {}),
    owed: [...(register.owed?.by ?? []), ...(register.owed?.with ?? []), ...[register.owed?.due ?? []].flat()],
    'public/fields': shown?.fields ?? [],
  } as Record<string, string[]>
}

const limitedReadersRead: Rule = ({ library }) =>
  [...library.registers].flatMap(([key, { seenFor = {}, seenBy }]) =>
    Object.entries(seenFor).flatMap(([field, roles]) =>
      roles
        .filter((role) => !seenBy.includes(role))
        .map((role) => `${registerFile(key)} /seenFor${field}: ${role} is not in seenBy: add it there, or take it out`),
    ),
  )

const owedByPeople: Rule = ({ library }) =>
  [...library.registers].flatMap(([key, { item, owed, statuses }]) => [
    ...(owed?.by ?? [])
      .filter((field) => !library.registers.get(fieldAt(item, field)?.['x-register'] ?? '')?.clearedBy)
      .map((field) => `${registerFile(key)} /owed: ${field} names nobody who is cleared: name a field that does`),
    ...(owed?.in ?? [])
      .filter((status) => !statuses.includes(status))
      .map((status) => `${registerFile(key)} /owed: there is no status ${status}: name one of statuses`),
    ...(owed?.lapses && owed.due === undefined
      ? [`${registerFile(key)} /owed: it lapses on no day: name the field in due`]
      : []),
  ])

const relatedListsFilter: Rule = ({ library }) =>
  [...library.registers].flatMap(([key, { related = [] }]) =>
    related
      .filter(({ register, field }) => {
        const other = library.registers.get(register)
        return !(other?.filters?.includes(field) && fieldAt(other.item, field)?.['x-register'] === key)
      })
      .map(
        ({ register, field }) =>
          `${registerFile(key)} /related: ${field} of ${register} is no filter that names items of ${key}: add it to the filters of ${registerFile(register)}`,
      ),
  )

const unitsAreFound: Rule = ({ library }) =>
  [...library.registers].flatMap(([key, { item, belongsTo = '' }]) => {
    const owner = belongsTo.split('#').reduce<FieldSchema | undefined>((schema, hop) => {
      const field = schema && fieldAt(schema, hop.replace(/^\/data/, ''))
      return library.registers.get(field?.['x-register'] ?? '')?.item
    }, item)
    return belongsTo === '' || owner
      ? []
      : [`${registerFile(key)} /belongsTo: ${belongsTo} names no item: lead by fields that have x-register`]
  })

const ownersAreNamed: Rule = ({ library }) =>
  [...library.registers].flatMap(([key, { item, own }]) => {
    if (own === undefined) return []
    // An entry that names nobody is nobody's own; what people enter about themselves names them.
    const named = (name: string) =>
      item.properties?.[name]?.['x-register'] && (!own.changed || item.required?.includes(name))
    return [own.by, ...(own.or ?? [])]
      .filter((by) => !named(by.slice(1)))
      .map(
        (by) =>
          `${registerFile(key)} /own: ${by} names nobody: lead to a field with x-register, which is required with changed`,
      )
  })

/** Whether a field orders entries by time, which text does only if it is of one shape. */
const isDated = (field: FieldSchema | undefined) =>
  ['date', 'date-time'].includes(String(field?.['format'])) || field?.['x-widget'] === 'month'

const booksAndReportsFit: Rule = ({ library }) =>
  [...library.registers].flatMap(([key, register]) => {
    const {
      item,
      statuses,
      byHand = statuses,
      begins = [],
      inBulk = {},
      held = [],
      books,
      final = [],
      titleWith = [],
      titleIn = {},
      newestBy,
      reports = [],
    } = register
    const { from, until, replacedBy = [] } = register.expires ?? {}
    const { onceCertified = [], certifiedWith = {}, role, selections = {} } = register
    const pointers = [
      ...replacedBy,
      ...onceCertified,
      ...Object.keys(certifiedWith),
      ...(from === undefined ? [] : [from]),
      ...(role ? [role.at] : []),
      ...Object.values(selections).map(({ at }) => at),
    ]
    const accounts = Object.keys(books?.accounts ?? {})
    const named = books ? [books.from, books.to, ...books.clear].filter((name) => !accounts.includes(name)) : []
    return [
      ...final
        .filter((status) => statuses.indexOf(status) < 1)
        .map((status) => `/final: ${status} is not one of the later statuses: add it to /statuses, behind the first`),
      ...Object.keys(inBulk)
        .filter((status) => !byHand.includes(status))
        .map(
          (status) =>
            `/inBulk: people do not set ${status}: take it out, or add it to /${register.byHand ? 'byHand' : 'statuses'}`,
        ),
      ...begins
        .filter((status) => !statuses.includes(status))
        .map((status) => `/begins: ${status} is no status of the register: take it out, or add it to /statuses`),
      ...held
        .filter((status) => !statuses.includes(status) || byHand.includes(status))
        .map((status) => `/held: only cases may set ${status}: have it in /statuses, and not in /byHand`),
      ...named.map((name) => `/books: there is no account ${name}: add it to /books/accounts`),
      ...(books && fieldAt(item, books.amount)?.['x-unit'] !== 'LKR cents'
        ? [`/books/amount: ${books.amount} is no amount: give the field "x-unit": "LKR cents"`]
        : []),
      ...(until !== undefined && fieldAt(item, until)?.['format'] !== 'date'
        ? [`/expires/until: ${until} is no day: give the field "format": "date"`]
        : []),
      ...[...pointers, ...Object.values(certifiedWith)]
        .filter((pointer) => !leadsToField(library, item, pointer))
        .map((pointer) => `${pointer} leads to no field of item: add it, or take it out`),
      ...titleWith
        .filter((pointer) => !fieldAt(item, pointer))
        .map((pointer) => `/titleWith: ${pointer} is no field of item: add it, or take it out`),
      ...(newestBy !== undefined &&
      (!isDated(fieldAt(item, newestBy)) || encryptedNames(item).includes(newestBy.slice(1)))
        ? [`/newestBy: ${newestBy} is no day, month or moment that lists can read: name a field that is`]
        : []),
      ...Object.values(titleIn)
        .filter((pointer) => !fieldAt(item, pointer))
        .map((pointer) => `/titleIn: ${pointer} is no field of item: add it, or take it out`),
      ...reports
        .filter(({ report, field }) => {
          const filter = library.reports.get(report)?.filter
          return filter?.properties?.[field]?.['x-register'] !== key
        })
        .map(
          ({ report, field }) =>
            `/reports: the filter of ${report} has no field ${field} that names items of ${key}: add it to forms/${report}.report.json`,
        ),
    ].map((line) => `${registerFile(key)} ${line}`)
  })

/** Everybody with a post is also a Post Holder, so no post has only that role; and flows are owned by people. */
const postsKnowEveryRole: Rule = ({ library }) => {
  const file = 'forms/platform/post.register.json'
  const { enum: known = [] } = fieldAt(library.registers.get('platform/post')!.item, '/role') as { enum?: string[] }
  const roles = [...library.roles].filter((role) => role !== POST_HOLDER && role !== PROCESS_OWNER)
  return [
    ...roles
      .filter((role) => !known.includes(role))
      .map((role) => `${file}: no post can be of the role ${role}: add it to the enum of the field role`),
    ...known
      .filter((role) => !roles.includes(role))
      .map(
        (role) => `${file}: a post can be of the role ${role}, which forms/platform/roles.json has not: add it there`,
      ),
  ]
}

/** The texts of a letter may name the fields that its document has, and no others. */
const lettersHaveTheirFields: Rule = ({ library }) =>
  [...library.documents].flatMap(([key, { template }]) => {
    if (!template) return []
    const file = `forms/${key}.document.json`
    const register = [...library.flows.values()]
      .filter(({ area }) => key.startsWith(`${area}/`))
      .map(({ manifest }) => registerAt(library, manifest.start, template.entry))
      .find((found) => found !== undefined)
    const item = library.registers.get(register ?? '')?.item
    if (!item)
      return [`${file} /template/entry: ${template.entry} leads to no register: name a field of the start form`]
    const known = [...Object.keys(template.fields), ...LETTER_FIELDS].toSorted().join(', ')
    return languages.flatMap((language) => {
      const pointer = template.body.replace('{language}', language)
      const named = fieldAt(item, pointer)?.['x-placeholders'] as string[] | undefined
      return named?.toSorted().join(', ') === known
        ? []
        : [`${registerFile(register!)}: x-placeholders of ${pointer} are not the fields of ${file}: write ${known}`]
    })
  })

/** The register of the entry at the end of a lookup that begins at a start form. */
function registerAt({ forms, registers }: Product['library'], start: string, lookup: string): string | undefined {
  const [field = '', ...hops] = lookup.split('#')
  const first = fieldAt(forms.get(start)?.schema ?? {}, field)?.['x-register']
  return hops.reduce<string | undefined>(
    (register, hop) => fieldAt(registers.get(register ?? '')?.item ?? {}, hop.replace(/^\/data/, ''))?.['x-register'],
    first,
  )
}

export const registerRules: readonly Rule[] = [
  namedRegistersExist,
  namedFlowsExist,
  fieldsOfNamedItemsExist,
  selectionsExist,
  agreeingFieldsExist,
  drawnPicturesFit,
  chosenRowsExist,
  listsAndDaysExist,
  namedFieldsExist,
  sensitiveFieldsStayHidden,
  encryptedFieldsStaySealed,
  limitedReadersRead,
  owedByPeople,
  relatedListsFilter,
  unitsAreFound,
  ownersAreNamed,
  booksAndReportsFit,
  postsKnowEveryRole,
  lettersHaveTheirFields,
]
