import { UNIT_KINDS } from '../../../../api/platform/people/access/units.ts'
import type { Manifest, Screen } from '../../../../api/platform/model/library/library.ts'
import { type Person, admits } from '../../../../api/platform/people/persons/person.ts'
import { mayOpen } from '../../../../forms/platform/may-open.ts'
import { type Placeholders, placeholderScreens } from '../../../../forms/platform/placeholders.ts'
import { type Product, type Rule, jsonOf, manifestOf, nodesOfFlows } from './product.ts'
import { pageFile } from './used-words.ts'

const placeholdersFile = 'forms/platform/placeholders.json'

/** Route → the file that declares it. */
export function screenFiles(product: Product): ReadonlyMap<string, string> {
  const declared = [
    ...placeholderScreens(jsonOf<Placeholders>(product, placeholdersFile)).map(
      ({ route }) => [route, placeholdersFile] as const,
    ),
    ...product
      .files('forms/*/screens.json')
      .flatMap((file) => jsonOf<Screen[]>(product, file).map(({ route }) => [route, file] as const)),
  ]
  return new Map(declared)
}

/** The required routes: all of the sources' routes but those out of contract. */
function wantedRoutes({ text }: Product): [route: string, area: string][] {
  const [, ...lines] = text('tests/platform/fixtures/routes.tsv').trim().split('\n')
  return lines.map((line) => line.split('\t') as [string, string]).filter(([, area]) => area !== 'out-of-contract')
}

const routesAreCovered: Rule = (product) => {
  const screens = screenFiles(product)
  const routes = product.library.screens.map(({ route }) => route)
  const found = new Set(routes)
  return [
    ...wantedRoutes(product)
      .filter(([route]) => !found.has(route))
      .map(
        ([route, area]) =>
          `forms/${area}/screens.json: there is no screen for ${route}: add one, or a line to ${placeholdersFile}`,
      ),
    ...routes
      .filter((route, index) => routes.indexOf(route) !== index)
      .map((route) => `${screens.get(route)}: ${route} is declared twice: delete one`),
  ]
}

const screensShowWhatExists: Rule = (product) => {
  const { library, root } = product
  const groups = new Set([...Object.keys(jsonOf<object>(product, 'forms/platform/groups.json')), 'public', 'none'])
  const desks = new Set(nodesOfFlows(product).map(({ id }) => id))
  const states = new Set([...library.statusLists.values()].flat())
  const routes = new Set(library.screens.map(({ route }) => route))
  // The page may have another name for the id.
  const shapeOf = (route: string) => route.replaceAll(/\{\w+\}/g, '{}')
  const shapes = new Set([...routes].map(shapeOf))
  const files = screenFiles(product)
  const publicRegisters = { has: (name: string) => library.registers.get(name)?.public !== undefined }
  return library.screens.flatMap((screen) => {
    const { flow, register, report, desk, status, to } = said(screen)
    const {
      statuses = [],
      desks: several = [],
      leads = [],
      related = [],
      given = {},
      itemPage,
      numbers = [],
      reports = [],
    } = (screen.parameters ?? {}) as Record<string, string[] | undefined> & {
      given?: Record<string, string>
      itemPage?: string | string[]
      numbers?: { leadsTo: string }[]
      reports?: { report: string; field: string }[]
    }
    const pages = [...[itemPage ?? []].flat(), ...numbers.map(({ leadsTo }) => leadsTo)]
    const strangers = reports.filter(
      ({ report: key, field }) => library.reports.get(key)?.filter.properties?.[field]?.['x-register'] !== register,
    )
    const missing = (kind: string, known: { has(name: string): boolean }, ...names: (string | undefined)[]) =>
      names.flatMap((name) => (name === undefined || known.has(name) ? [] : [`there is no ${kind} ${name}`]))
    const page = { has: (name: string) => name === 'redirect' || pageFile(root, name) !== undefined }
    const ofItem = new Set(library.registers.get(register ?? '')?.related?.map((list) => list.register))
    const fields = new Set(
      Object.keys(library.forms.get(library.flows.get(flow ?? '')?.manifest.start ?? '')?.schema.properties ?? {}),
    )
    const ofRegister = screen.page === 'register' && new Set(library.registers.get(register ?? '')?.statuses)
    return [
      ...missing('page', page, screen.page),
      ...missing('flow', library.flows, flow),
      ...missing('register', library.registers, register),
      ...missing('public register', publicRegisters, screen.entry),
      ...missing('report', library.reports, report),
      ...missing('desk', desks, desk, ...several),
      ...missing('status', ofRegister || states, status),
      ...missing('status', states, ...statuses),
      ...missing('route', routes, to?.split('?')[0]),
      ...missing('route', { has: (name) => shapes.has(shapeOf(name)) }, ...leads),
      // Every register has a page of its own.
      ...missing(
        'route',
        { has: (name) => name.startsWith('/registers/') || shapes.has(shapeOf(name.split('?')[0]!)) },
        ...pages,
      ),
      ...missing('filter for its items', { has: () => false }, ...strangers.map((one) => `${one.report}.${one.field}`)),
      ...(screen.page === 'start' ? missing('field of the start form', fields, ...Object.keys(given)) : []),
      ...missing('related list of', ofItem, ...related),
      ...missing('permission group', groups, screen.guard ?? undefined),
    ].map((line) => `${files.get(screen.route)} ${screen.route}: ${line}: name one that exists`)
  })
}

/** Columns of a list of cases that belong to no flow. */
const COMMON_COLUMNS = ['reference', 'status', 'requester', 'with', 'sent']

/** A list of cases shows fields from the flow's subject; an unknown column would be dropped, another one stay empty. */
const columnsHaveContent: Rule = (product) => {
  const files = screenFiles(product)
  return product.library.screens.flatMap((screen) => {
    const { columns = [] } = (screen.parameters ?? {}) as { columns?: string[] }
    const flow = product.library.flows.get(said(screen)['flow'] ?? '')
    if (!flow || !['cases', 'inbox'].includes(screen.page)) return []
    const { manifest } = flow
    const fields = new Set((manifest.columns ?? []).map((pointer) => pointer.slice(1)))
    const others = [
      ...COMMON_COLUMNS,
      ...(manifest.facts ?? []).map((name) => `fact.${name}`),
      ...Object.keys(manifest.statusLists).map((list) => `status.${list}`),
    ]
    const place = `${files.get(screen.route)} ${screen.route}`
    return columns
      .filter((name) => screen.page === 'inbox' || !others.includes(name))
      .flatMap((name) => {
        if (!fields.has(name)) return [`${place}: ${name} is no column: add it to columns of ${manifestOf(flow)}`]
        if (screen.page === 'inbox' || Object.hasOwn(manifest.subject ?? {}, name)) return []
        return [`${place}: the column ${name} would be empty: add it to subject of ${manifestOf(flow)}`]
      })
  })
}

/** A list is narrowed by fields that it can be filtered by. */
const fixedFieldsFilter: Rule = (product) => {
  const { flows, registers, forms } = product.library
  const files = screenFiles(product)
  return product.library.screens.flatMap((screen) => {
    const { only = {} } = (screen.parameters ?? {}) as { only?: Record<string, string> }
    const { flow, register } = said(screen)
    const fields = forms.get(flows.get(flow ?? '')?.manifest.start ?? '')?.schema.properties ?? {}
    const filters = registers.get(register ?? '')?.filters ?? []
    return Object.keys(only)
      .filter((name) => fields[name]?.['x-filter'] !== true && !filters.includes(`/${name}`))
      .map((name) => `${files.get(screen.route)} ${screen.route}: it cannot be filtered by ${name}: mark it x-filter`)
  })
}

const redirectsLeadWherePeopleMayGo: Rule = (product) => {
  const routes = new Map(product.library.screens.map((screen) => [screen.route, screen]))
  const refused = refusals(product)
  return (
    product.library.screens
      .filter(({ page }) => page === 'redirect')
      // A guarded screen asks visitors to sign in first, so its reader is signed in.
      .filter(({ guard }) => guard !== 'public')
      .flatMap((screen) => {
        const { to = '' } = said(screen)
        const target = routes.get(to)
        return target ? refused(screen, `may not open ${to}`, (person) => mayOpen(person, target)) : []
      })
  )
}

/** The screens that create something, with the roles that may create it. */
function makingScreens({ library }: Product): { screen: Screen; by: readonly string[] }[] {
  return library.screens.flatMap((screen) => {
    const { register, flow, create } = said(screen)
    const made = library.registers.get(register ?? '')
    const by = create
      ? made && [...made.changedBy, ...(made.own?.madeBy ?? [])]
      : screen.page === 'start'
        ? startersOf(library.flows.get(flow ?? '')?.manifest)
        : undefined
    return by ? [{ screen, by }] : []
  })
}

function startersOf(manifest?: Pick<Manifest, 'startedBy' | 'onBehalf'>): readonly string[] | undefined {
  return manifest && [...manifest.startedBy, ...(manifest.onBehalf?.from ? manifest.onBehalf.by : [])]
}

const makingIsOpenToMakers: Rule = (product) => {
  const refused = refusals(product)
  return makingScreens(product).flatMap(({ screen, by }) =>
    refused(screen, 'may not make what it makes', (person) => admits(person, by) !== undefined),
  )
}

const registersAreOpenToReaders: Rule = (product) => {
  const refused = refusals(product)
  return (
    product.library.screens
      .filter(({ page }) => page === 'register' || page === 'register-item')
      // A page about its reader shows what is their own, or entrusted to them, whatever else they may read.
      .filter(({ parameters }) => parameters?.['mine'] !== true && parameters?.['entrusted'] !== true)
      .flatMap((screen) => {
        const register = product.library.registers.get(said(screen)['register'] ?? '')
        const reads = (person: Person) => admits(person, register?.seenBy ?? []) !== undefined
        return register ? refused(screen, 'may not read its register', reads) : []
      })
  )
}

/** Finds people who may open a screen but are refused its purpose. */
function refusals(product: Product) {
  const people = everyHolder(product)
  const files = screenFiles(product)
  return (screen: Screen, what: string, admitted: (person: Person) => boolean): string[] =>
    people
      .filter((person) => mayOpen(person, screen) && !admitted(person))
      .map(({ grants: [grant] }) => {
        const held = grant!.scopeKind ? `${grant!.role}@${grant!.scopeKind}` : grant!.role
        return `${files.get(screen.route)} ${screen.route}: ${held} may open it and ${what}: narrow its guard or roles`
      })
}

/** A person for each role, held everywhere or at one kind of unit. */
function everyHolder(product: Product): Person[] {
  const groups = jsonOf<Record<string, string[]>>(product, 'forms/platform/groups.json')
  return [...product.library.roles].flatMap((role) =>
    [null, ...UNIT_KINDS].map((scopeKind) => ({
      id: role,
      seesAll: ['SA', 'ADMIN'].includes(role),
      groups: Object.keys(groups).filter((group) => groups[group]!.includes(role)),
      groupRoles: groups,
      grants: [{ role, scopeKind, scopeId: scopeKind && 'one' }],
    })),
  ) as unknown as Person[]
}

function said(screen: Screen): Record<string, string | undefined> {
  return (screen.parameters ?? {}) as Record<string, string | undefined>
}

export const screenRules: readonly Rule[] = [
  routesAreCovered,
  screensShowWhatExists,
  columnsHaveContent,
  fixedFieldsFilter,
  redirectsLeadWherePeopleMayGo,
  makingIsOpenToMakers,
  registersAreOpenToReaders,
]
