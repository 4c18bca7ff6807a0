import { scopeOfRole } from '../../../../api/platform/people/access/rights.ts'
import { PROCESS_OWNER } from '../../../../api/platform/people/access/process-owners.ts'
import { type Rule, diagramOf, jsonOf, manifestOf } from './product.ts'
import { screenFiles } from './screens.ts'

const peopleFile = 'forms/platform/people.demo.json'
const postsFile = 'forms/platform/post.demo.json'
const groupsFile = 'forms/platform/groups.json'
const rolesFile = 'forms/platform/roles.json'

/** The demo account that owns every flow. */
const OWNER = 'owner.flows'

interface DemoPerson {
  username: string
  grants: { role: string; scope?: { kind: string; id: string } }[]
}

const rolesExist: Rule = (product) => {
  const { library } = product
  const groups = jsonOf<Record<string, string[]>>(product, groupsFile)
  const screens = screenFiles(product)
  const held = [
    ...[...library.flows.values()].flatMap((flow) => {
      const { startedBy, seenBy, onBehalf, withdrawnBy = [], entries } = flow.manifest
      return [...startedBy, ...seenBy, ...withdrawnBy, ...(onBehalf?.by ?? []), ...(entries?.by ?? [])].map(
        (role) => [manifestOf(flow), role] as const,
      )
    }),
    ...[...library.registers].flatMap(([key, { changedBy, seenBy, own, role: gets }]) =>
      [...changedBy, ...seenBy, ...(own?.madeBy ?? []), ...(gets ? Object.values(gets.is) : [])].map(
        (role) => [`forms/${key}.register.json`, role] as const,
      ),
    ),
    ...[...library.reports].flatMap(([key, { seenBy }]) =>
      seenBy.map((role) => [`forms/${key}.report.json`, role] as const),
    ),
    ...library.screens.flatMap(({ route, roles = [], front, parameters }) =>
      [
        ...roles,
        ...(typeof front === 'object' ? front.for : []),
        ...((parameters?.['numbers'] ?? []) as { for: string[] }[]).flatMap((one) => one.for),
      ].map((role) => [`${screens.get(route)} ${route}`, role] as const),
    ),
    ...Object.values(groups).flatMap((roles) => roles.map((role) => [groupsFile, role] as const)),
    ...jsonOf<DemoPerson[]>(product, peopleFile).flatMap(({ username, grants }) =>
      grants.map(({ role }) => [`${peopleFile} ${username}`, role] as const),
    ),
  ]
  return held.flatMap(([place, role]) => {
    if (role === '*' || library.roles.has(role.split('@')[0]!)) return []
    if (!role.startsWith('group:')) return [`${place}: there is no role ${role}: use one of ${rolesFile}`]
    const group = role.slice('group:'.length)
    return group in groups ? [] : [`${place}: there is no permission group ${group}: use one of ${groupsFile}`]
  })
}

/** Who changes units, posts and what forms choose from changes rights. */
const ADMINISTRATORS_ALONE = ['dataSetup']

const groupsHaveHolders: Rule = (product) =>
  Object.entries(jsonOf<Record<string, string[]>>(product, groupsFile))
    .filter(([group, roles]) => roles.length === 0 && !ADMINISTRATORS_ALONE.includes(group))
    .map(([group]) => `${groupsFile}: only administrators hold ${group}: give it the roles of its office`)

const flowsHaveAnOwner: Rule = (product) => {
  const owner = jsonOf<DemoPerson[]>(product, peopleFile).find(({ username }) => username === OWNER)
  const owned = new Set(owner?.grants.map(({ role, scope }) => `${role}@${scope?.kind}:${scope?.id}`))
  return [...product.library.flows.values()].flatMap((flow) => {
    const { process } = flow.manifest
    if (owned.has(`${PROCESS_OWNER}@flow:${process}`)) return []
    const grant = JSON.stringify({ role: PROCESS_OWNER, scope: { kind: 'flow', id: process } })
    return [`${peopleFile}: ${OWNER} does not own ${diagramOf(flow)}: add the grant ${grant} there`]
  })
}

const operatorsAreAmongDemoPeople: Rule = (product) => {
  const held = jsonOf<DemoPerson[]>(product, peopleFile).flatMap(({ grants }) => grants.map(({ role }) => role))
  const { roles = [] } = product.library.screens.find(({ route }) => route === '/operations') ?? {}
  return roles
    .filter((role) => !held.includes(role))
    .map((role) => `${peopleFile}: nobody holds ${role}, which /operations is for: grant it to somebody`)
}

/** Roles held in a unit are distinguished from those of the whole university. */
const unitRolesAreTold: Rule = (product) => {
  const { library } = product
  const kinds = ['faculty', 'department', 'division', 'unit', 'committee']
  const inUnits = [
    ...jsonOf<{ data: Record<string, string> }[]>(product, postsFile)
      .filter(({ data }) => kinds.some((kind) => data[kind]))
      .map(({ data }) => [postsFile, data['role']!] as const),
    ...jsonOf<DemoPerson[]>(product, peopleFile).flatMap(({ username, grants }) =>
      grants.filter(({ scope }) => scope).map(({ role }) => [`${peopleFile} ${username}`, role] as const),
    ),
  ]
  return [
    ...[...library.unitRoles]
      .filter((role) => !library.roles.has(role))
      .map((role) => `${rolesFile} /unitRoles: there is no role ${role}: add it to /roles, or take it out`),
    // Students belong to the whole university, whatever their faculty.
    ...inUnits
      .filter(([, role]) => !/student$/i.test(role) && !library.unitRoles.has(role))
      .map(([place, role]) => `${place}: ${role} is held in a unit: add it to /unitRoles of ${rolesFile}`),
    ...[...library.roles]
      .filter((role) => scopeOfRole(role) === 'always' && !library.unitRoles.has(role))
      .map((role) => `${rolesFile}: ${role} is always held in a unit: add it to /unitRoles`),
  ]
}

const peopleAreOffered: Rule = ({ library }) =>
  [...library.flows.values()].flatMap((flow) =>
    (flow.manifest.onBehalf?.from ?? [])
      .filter((register) => !library.registers.has(register))
      .map((register) => `${manifestOf(flow)} /onBehalf/from: there is no register ${register}: name one of people`),
  )

export const peopleRules: readonly Rule[] = [
  rolesExist,
  groupsHaveHolders,
  flowsHaveAnOwner,
  operatorsAreAmongDemoPeople,
  unitRolesAreTold,
  peopleAreOffered,
]
