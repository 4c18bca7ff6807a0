import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { scopeOfRole } from '../../api/platform/access/rights.ts'
import { POST_HOLDER, UNIT_KINDS } from '../../api/platform/access/units.ts'
import { type Flow, type Screen, languages, loadLibrary } from '../../api/platform/flows/library.ts'
import { REQUESTER, scopesOf } from '../../api/platform/flows/manifest.ts'
import { shapeProblems } from '../../api/platform/flows/shapes/shapes.ts'
import { graphOf } from '../../api/platform/models/graph.ts'
import { inputsOf, processesOf, readModel, topicOf } from '../../api/platform/models/read.ts'
import { descendants, parseXml } from '../../api/platform/models/xml.ts'
import { type Person, admits } from '../../api/platform/identity/person.ts'
import type { FieldSchema } from '../../api/platform/registers/definition.ts'
import { PROCESS_OWNER } from '../../api/platform/studio/access.ts'
import { mayOpen } from '../../forms/platform/may-open.ts'
import { discoverWorkers } from '../../workers/platform/discovery.ts'
import { brokenImports } from './check/architecture.ts'
import { hasText, openWords, pageFile, publicWords, staffKeysOf, usedWords } from './check/words.ts'

const root = join(import.meta.dirname, '../..')
const library = loadLibrary(root)
const json = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8')) as never
const flows = [...library.flows.values()]
const schedules = [...library.schedules.values()]
const nodesOf = async (flow: Pick<Flow, 'bpmn'>) =>
  processesOf((await readModel(flow.bpmn.content)).definitions).flatMap((process) => [
    ...graphOf(process).nodes.values(),
  ])

/** What does not resolve, as one line each; a good product has none. */
const expectNone = (lines: string[]) => expect(lines).toEqual([])

describe('what a file of an area says', () => {
  test('has the shape of its kind', () => {
    const files = globSync('forms/**/*.json', { cwd: root })
    expectNone(
      files.flatMap((file) =>
        shapeProblems(file, json(file)).map(({ pointer, reason }) => `${file}${pointer}: ${reason}`),
      ),
    )
  })

  test('is told with file, pointer and reason where it has not', () => {
    const manifest = { ...library.flows.values().next().value!.manifest, startedBy: ['a,b'], colour: 'red' }
    expect(shapeProblems('forms/x/y.flow.json', manifest)).toEqual([
      { file: 'forms/x/y.flow.json', pointer: '/colour', reason: 'there is no such member' },
      { file: 'forms/x/y.flow.json', pointer: '/startedBy/0', reason: expect.stringContaining('pattern') },
    ])
  })
})

describe('topics', () => {
  test('each have a worker, and what its schemas say is what models are checked against', async () => {
    const workers = await discoverWorkers(join(root, 'workers'))
    expect([...library.topics.keys()].sort()).toEqual([...workers.keys()].sort())
    for (const [topic, { input, output, raises, schedule }] of workers)
      expect({ topic, ...library.topics.get(topic) }).toEqual({
        topic,
        needs: (input as { required?: string[] }).required ?? [],
        gives: Object.keys(output.properties),
        outputs: Object.keys(output.properties).length > 0 ? output.properties : undefined,
        raises: raises ?? [],
        schedule,
      })
  })

  test('for schedules are each asked for by one of the schedules', async () => {
    const asked = new Set((await Promise.all(schedules.map(nodesOf))).flat().map(({ element }) => topicOf(element)))
    expectNone([...library.topics].flatMap(([name, { schedule }]) => (schedule && !asked.has(name) ? [name] : [])))
  })

  test('of cases are each asked for by a diagram, the platform’s too', async () => {
    const asked = new Set((await Promise.all(flows.map(nodesOf))).flat().map(({ element }) => topicOf(element)))
    expectNone([...library.topics].flatMap(([name, { schedule }]) => (schedule || asked.has(name) ? [] : [name])))
  })

  test('raise only errors that are declared', () => {
    expectNone([...library.topics.values()].flatMap(({ raises }) => raises).filter((code) => !library.errors.has(code)))
  })
})

describe('a flow', () => {
  test('starts with a form that exists, in states that its lists have', () => {
    expectNone(
      flows.flatMap(({ key, manifest }) => [
        ...(library.forms.has(manifest.start) ? [] : [`${key}: no form ${manifest.start}`]),
        ...Object.entries(manifest.firstStatus).flatMap(([list, state]) => {
          const states = library.statusLists.get(manifest.statusLists[list] ?? '')
          return states?.includes(state) ? [] : [`${key}: ${state} is no state of ${list}`]
        }),
      ]),
    )
  })

  test('is shown by fields that its start form has', () => {
    expectNone(
      flows.flatMap(({ key, manifest }) => {
        const { schema } = library.forms.get(manifest.start)!
        const pointers = [
          ...scopesOf(manifest).flatMap(({ pointers: some }) => some),
          ...Object.values(manifest.subject ?? {}),
          ...(manifest.columns ?? []),
          ...Object.values(manifest.variables ?? {}).map(({ at }) => at),
          ...(manifest.allocations ?? []).flatMap(({ item, from, until }) => [item, from, until]),
        ]
        const asked = (manifest.acts ?? []).flatMap(({ form, allocations = [] }) =>
          allocations
            .flatMap(({ item, from, until }) => [item, from, until])
            .filter((pointer) =>
              pointer.startsWith('data:')
                ? !pointsSomewhere(schema, pointer.slice('data:'.length))
                : !pointsSomewhere(library.forms.get(form)!.schema, pointer),
            ),
        )
        const amount =
          manifest.amount === undefined || manifest.derives?.includes(manifest.amount) ? [] : [manifest.amount]
        const { requester, once, open, batch } = manifest
        const own = {
          properties: { [REQUESTER]: { 'x-register': requester?.register } },
        } as FieldSchema
        const more = [
          ...Object.values(requester?.match ?? {}),
          ...Object.keys(requester?.match ?? {}).map((pointer) => `${REQUESTER}#/data${pointer}`),
          ...(once?.per === undefined ? [] : [once.per]),
          ...(open ? [open.from, open.until] : []),
          ...(batch ? [batch.item] : []),
        ]
        const found = (pointer: string) =>
          pointer.startsWith(`${REQUESTER}#`) ? pointsSomewhere(own, `/${pointer}`) : pointsSomewhere(schema, pointer)
        const lost = [...pointers, ...amount, ...more].filter((pointer) => !found(pointer))
        return [...lost, ...asked].map((pointer) => `${key}: ${pointer}`)
      }),
    )
  })

  test('asks its questions at desks that it has, and starts on a page that it has', async () => {
    const desks = await Promise.all(flows.map(async (flow) => new Set((await nodesOf(flow)).map(({ id }) => id))))
    const routes = new Set(library.screens.map(({ route }) => route))
    expectNone(
      flows.flatMap(({ key, manifest }, index) => {
        const { startPage } = manifest as { startPage?: string }
        return [
          ...Object.keys(manifest.question ?? {}).filter((desk) => !desks[index]!.has(desk)),
          ...(startPage === undefined || routes.has(startPage) ? [] : [startPage]),
        ].map((one) => `${key}: ${one}`)
      }),
    )
  })

  test('asks for agreement, and prints signatures, by answers that its desks have', async () => {
    const lines = await Promise.all(
      flows.map(async (flow) => {
        const nodes = await nodesOf(flow)
        const issued = nodes.flatMap(({ element }) => library.documents.get(inputsOf(element)['document'] ?? '') ?? [])
        const signed = issued.flatMap(({ signatures = [] }) => signatures.flatMap(({ by = {} }) => Object.entries(by)))
        return [...Object.entries(flow.manifest.agreement?.by ?? {}), ...signed]
          .filter(([desk, answer]) => {
            const form = nodes.find(({ id }) => id === desk)?.element.formKey
            const outcome = library.forms.get(form ?? '')?.schema.properties?.['outcome']
            return !((outcome?.['oneOf'] ?? []) as { const: string }[]).some((one) => one.const === answer)
          })
          .map(([desk, answer]) => `${flow.key}: ${answer} at ${desk}`)
      }),
    )
    expectNone(lines.flat())
  })

  test('reserves with an error code that is declared', () => {
    const codes = flows.flatMap(({ manifest: { allocations = [], acts = [] } }) =>
      [...allocations, ...acts.flatMap((act) => act.allocations ?? [])].map(({ code }) => code),
    )
    expectNone(codes.filter((code) => !library.errors.has(code)))
  })

  test('mails to desks that it has', async () => {
    const lines = await Promise.all(
      flows.map(async (flow) => {
        const nodes = await nodesOf(flow)
        const known = new Set(
          nodes.filter(({ type }) => type === 'UserTask').flatMap(({ id }) => [`desk:${id}`, `above:${id}`]),
        )
        const sent = nodes.filter(({ element }) => topicOf(element) === 'platform.send-mail')
        return sent.flatMap(({ id, element }) => {
          const { to } = inputsOf(element)
          return /^(desk|above):/.test(to ?? '') && !known.has(to!) ? [`${flow.key} ${id}: ${to}`] : []
        })
      }),
    )
    expectNone(lines.flat())
  })

  test('has decision tables that exist', async () => {
    const lines = await Promise.all(
      flows.map(async (flow) =>
        (await nodesOf(flow)).flatMap(({ element }) => {
          const decision = element.decisionRef
          return decision && !flow.dmn.some(({ content }) => content.includes(`<decision id="${decision}"`))
            ? [decision]
            : []
        }),
      ),
    )
    expectNone(lines.flat())
  })

  test('is named by no two diagrams', () => {
    const names = flows.map(({ manifest }) => manifest.process)
    expectNone(names.filter((name, index) => names.indexOf(name) !== index))
  })
})

describe('forms and registers', () => {
  const schemas = [
    ...[...library.forms].map(([key, { schema }]) => [key, schema] as const),
    ...[...library.registers].map(([key, { item }]) => [key, item] as const),
  ]

  test('refer to registers that exist', () => {
    const missing = (schema: FieldSchema): string[] => [
      ...(schema['x-register'] !== undefined && !library.registers.has(schema['x-register'])
        ? [schema['x-register']]
        : []),
      ...Object.values(schema.properties ?? {}).flatMap(missing),
      ...(schema.items ? missing(schema.items) : []),
    ]
    expectNone(schemas.flatMap(([key, schema]) => missing(schema).map((register) => `${key}: ${register}`)))
  })

  test('are shown, searched and ordered by fields that they have', () => {
    const ordered = (schema: FieldSchema): string[] => [
      ...((schema['x-order'] ?? []) as string[]).filter((name) => !schema.properties?.[name]),
      ...((schema['required'] ?? []) as string[]).filter((name) => schema.properties && !schema.properties[name]),
      ...Object.values(schema.properties ?? {}).flatMap(ordered),
      ...(schema.items ? ordered(schema.items) : []),
    ]
    expectNone([
      ...schemas.flatMap(([key, schema]) => ordered(schema).map((name) => `${key}: ${name}`)),
      ...[...library.registers].flatMap(([key, register]) =>
        [
          ...[register.titleField, register.codeField].flatMap((pointer) => pointer ?? []),
          ...[register.search, register.filters, register.columns, register.public?.fields].flatMap(
            (list) => list ?? [],
          ),
        ]
          .filter((pointer) => !pointsSomewhere(register.item, pointer))
          .map((pointer) => `${key}: ${pointer}`),
      ),
    ])
  })
})

describe('registers', () => {
  const registers = [...library.registers]

  test('find, list and publish by nothing that is sensitive', () => {
    expectNone(
      registers.flatMap(([key, { item, titleField, codeField, search, filters, columns, public: shown }]) =>
        [titleField, codeField, search, filters, columns, shown?.fields]
          .flatMap((one) => one ?? [])
          .filter((pointer) => fieldAt(item, pointer)?.['x-sensitive'])
          .map((pointer) => `${key}: ${pointer}`),
      ),
    )
  })

  test('list what belongs to their items by fields that name them and filter', () => {
    expectNone(
      registers.flatMap(([key, { related = [] }]) =>
        related
          .filter(({ register, field }) => {
            const other = library.registers.get(register)
            return !(other?.filters?.includes(field) && fieldAt(other.item, field)?.['x-register'] === key)
          })
          .map(({ register, field }) => `${key}: ${register}${field}`),
      ),
    )
  })

  test('keep books and end in statuses that they have, and lead to reports that narrow by them', () => {
    expectNone(
      registers.flatMap(([key, { item, statuses, books, final = [], titleWith = [], reports = [] }]) => {
        const accounts = Object.keys(books?.accounts ?? {})
        const named = books ? [books.from, books.to, ...books.clear].filter((name) => !accounts.includes(name)) : []
        return [
          ...final.filter((status) => statuses.indexOf(status) < 1).map((status) => `status ${status}`),
          ...named.map((name) => `account ${name}`),
          ...(books && fieldAt(item, books.amount)?.['x-unit'] !== 'LKR cents' ? [books.amount] : []),
          ...titleWith.filter((pointer) => !fieldAt(item, pointer)),
          ...reports
            .filter(({ report, field }) => {
              const filter = library.reports.get(report)?.filter
              return filter?.properties?.[field]?.['x-register'] !== key
            })
            .map(({ report }) => `report ${report}`),
        ].map((line) => `${key}: ${line}`)
      }),
    )
  })

  test('of posts know every role', () => {
    const { enum: roles } = fieldAt(library.registers.get('platform/post')!.item, '/role') as { enum: string[] }
    // Whoever holds a post is a Post Holder as well, no post is of that role alone; and a flow is owned by a person.
    const others = [...library.roles].filter((role) => role !== POST_HOLDER && role !== PROCESS_OWNER)
    expect(roles.toSorted()).toEqual(others.toSorted())
  })
})

describe('roles', () => {
  test('are only those of the list', () => {
    const groups = json('forms/platform/groups.json') as Record<string, string[]>
    const people = json('forms/platform/people.demo.json') as { username: string; grants: { role: string }[] }[]
    const held = [
      ...flows.flatMap(({ key, manifest: { startedBy, seenBy, onBehalf } }) =>
        [...startedBy, ...seenBy, ...(onBehalf?.by ?? [])].map((role) => [key, role]),
      ),
      ...[...library.registers].flatMap(([key, one]) => [...one.changedBy, ...one.seenBy].map((role) => [key, role])),
      ...[...library.reports].flatMap(([key, { seenBy }]) => seenBy.map((role) => [key, role])),
      ...library.screens.flatMap(({ route, roles }) => (roles ?? []).map((role) => [route, role])),
      ...Object.entries(groups).flatMap(([group, roles]) => roles.map((role) => [group, role])),
      ...people.flatMap(({ username, grants }) => grants.map(({ role }) => [username, role])),
    ]
    expectNone(
      held
        .filter(([, role]) => role !== '*' && !library.roles.has(role!.split('@')[0]!))
        .filter(([, role]) => !(role!.startsWith('group:') && role!.slice('group:'.length) in groups))
        .map((line) => line.join(': ')),
    )
  })

  test('an owner of every flow is among the demo people', () => {
    const people = json('forms/platform/people.demo.json') as {
      username: string
      grants: { role: string; scope?: { kind: string; id: string } }[]
    }[]
    const owner = people.find(({ username }) => username === 'owner.flows')!
    const owned = owner.grants.map(({ role, scope }) => `${role}@${scope?.kind}:${scope?.id}`)
    const wanted = flows.map(({ manifest }) => `${PROCESS_OWNER}@flow:${manifest.process}`)
    expectNone(wanted.filter((one) => !owned.includes(one)))
  })

  test('that keep the product running are each held by one of the demo people', () => {
    const people = json('forms/platform/people.demo.json') as { grants: { role: string }[] }[]
    const held = people.flatMap(({ grants }) => grants.map(({ role }) => role))
    const { roles = [] } = library.screens.find(({ route }) => route === '/operations')!
    expectNone(roles.filter((role) => !held.includes(role)))
  })

  test('that are held in a unit are told from those of the whole university', () => {
    const posts = json('forms/platform/post.demo.json') as { data: Record<string, string> }[]
    const people = json('forms/platform/people.demo.json') as { grants: { role: string; scope?: object }[] }[]
    const inUnits = [
      ...posts
        .filter(({ data }) => ['faculty', 'department', 'division', 'unit', 'committee'].some((kind) => data[kind]))
        .map(({ data }) => data['role']!),
      ...people.flatMap(({ grants }) => grants.filter(({ scope }) => scope).map(({ role }) => role)),
    ]
    expectNone([...library.unitRoles].filter((role) => !library.roles.has(role)))
    // A student is one of the whole university, whatever faculty is noted.
    expectNone(inUnits.filter((role) => !/student$/i.test(role) && !library.unitRoles.has(role)))
    expectNone([...library.roles].filter((role) => scopeOfRole(role) === 'always' && !library.unitRoles.has(role)))
  })
})

describe('screens', () => {
  test('cover every route of the source once, those out of contract apart', () => {
    const lines = readFileSync(join(import.meta.dirname, 'fixtures/routes.tsv'), 'utf8')
      .trim()
      .split('\n')
      .slice(1)
    const wanted = lines.map((line) => line.split('\t')).filter(([, area]) => area !== 'out-of-contract')
    const found = library.screens.map(({ route }) => route)
    expect(wanted.length).toBeGreaterThan(400)
    expectNone(wanted.flatMap(([route]) => (found.includes(route!) ? [] : [`no screen for ${route}`])))
    expectNone(found.filter((route, index) => found.indexOf(route) !== index))
  })

  test('show pages, flows, registers, desks and states that exist, to groups that exist', async () => {
    const groups = new Set([...Object.keys(json('forms/platform/groups.json') as object), 'public', 'none'])
    const desks = new Set((await Promise.all(flows.map(nodesOf))).flat().map(({ id }) => id))
    const states = new Set([...library.statusLists.values()].flat())
    const routes = new Set(library.screens.map(({ route }) => route))
    expectNone(
      library.screens.flatMap((screen) => {
        const { flow, register, report, desk, status, to } = (screen.parameters ?? {}) as Record<
          string,
          string | undefined
        >
        const { statuses = [], desks: several = [] } = (screen.parameters ?? {}) as Record<string, string[] | undefined>
        return [
          ...(screen.page === 'redirect' || existsSync(pageFile(root, screen.page)) ? [] : [`page ${screen.page}`]),
          ...(flow === undefined || library.flows.has(flow) ? [] : [`flow ${flow}`]),
          ...(register === undefined || library.registers.has(register) ? [] : [`register ${register}`]),
          ...(report === undefined || library.reports.has(report) ? [] : [`report ${report}`]),
          ...(desk === undefined || desks.has(desk) ? [] : [`desk ${desk}`]),
          ...(status === undefined || states.has(status) ? [] : [`status ${status}`]),
          ...statuses.filter((one) => !states.has(one)).map((one) => `status ${one}`),
          ...several.filter((one) => !desks.has(one)).map((one) => `desk ${one}`),
          ...(to === undefined || routes.has(to.split('?')[0]!) ? [] : [`route ${to}`]),
          ...(screen.guard === null || groups.has(screen.guard) ? [] : [`guard ${screen.guard}`]),
        ].map((line) => `${screen.route}: ${line}`)
      }),
    )
  })

  /** Somebody with one role, held everywhere or at one kind of unit. */
  const groups = json('forms/platform/groups.json') as Record<string, string[]>
  const people = [...library.roles].flatMap((role) =>
    [null, ...UNIT_KINDS].map((scopeKind) => ({
      id: role,
      seesAll: ['SA', 'ADMIN'].includes(role),
      groups: Object.keys(groups).filter((group) => groups[group]!.includes(role)),
      groupRoles: groups,
      grants: [{ role, scopeKind, scopeId: scopeKind && 'one' }],
    })),
  ) as unknown as Person[]
  /** Who may open a screen and is refused what it is for. */
  const refused = (screen: Screen, admitted: (person: Person) => boolean) =>
    people
      .filter((person) => mayOpen(person, screen) && !admitted(person))
      .map(({ grants: [grant] }) => `${screen.route}: ${grant!.role}@${grant!.scopeKind}`)
  const said = (screen: Screen) => (screen.parameters ?? {}) as Record<string, string | boolean | undefined>

  test('lead nobody on to a page that is closed to them', () => {
    const routes = new Map(library.screens.map((screen) => [screen.route, screen]))
    expectNone(
      library.screens
        .filter(({ page }) => page === 'redirect')
        // Whoever is not signed in is asked for that first, and then is somebody.
        .filter(({ guard }) => guard !== 'public')
        .flatMap((screen) => refused(screen, (person) => mayOpen(person, routes.get(String(said(screen)['to']))!))),
    )
  })

  test('open where something is made to those alone who may make it', () => {
    const making = library.screens.flatMap((screen) => {
      const { register, flow, create } = said(screen)
      if (create) return [{ screen, by: library.registers.get(String(register))!.changedBy }]
      return screen.page === 'start' && flow
        ? [{ screen, by: library.flows.get(String(flow))!.manifest.startedBy }]
        : []
    })
    expect(making.length).toBeGreaterThan(12)
    expectNone(making.flatMap(({ screen, by }) => refused(screen, (person) => admits(person, by) !== undefined)))
  })

  test('of registers open to those alone who may read them', () => {
    const reading = library.screens.filter(({ page }) => page === 'register' || page === 'register-item')
    expectNone(
      reading.flatMap((screen) => {
        const register = library.registers.get(String(said(screen)['register']))
        return register ? refused(screen, (person) => admits(person, register.seenBy) !== undefined) : []
      }),
    )
  })
})

describe('words', () => {
  test('begin with the name of their area, and with no placeholder that English has not', () => {
    const placeholders = (text: string) => [...text.matchAll(/\{\{\s*(\w+)/g)].map((match) => match[1]!)
    expectNone(
      globSync('forms/*/texts.*.json', { cwd: root }).flatMap((file) =>
        Object.entries(json(file) as Record<string, string>).flatMap(([key, text]) => [
          ...(key.startsWith(`${file.split('/')[1]}.`) ? [] : [`${file}: ${key}`]),
          ...placeholders(text)
            .filter((name) => !placeholders(library.texts.en[key] ?? '').includes(name))
            .map((name) => `${file}: ${key} has {{${name}}}`),
        ]),
      ),
    )
  })

  test('of English are complete: forms, screens, statuses, mails, errors and pages', async () => {
    const words = await usedWords(root, library)
    expectNone(
      [...words].filter(([word]) => !hasText(library, 'en', word)).map(([word, where]) => `${word} (${where})`),
    )
  })

  test('for the elements of diagrams are in English what the diagrams call them', async () => {
    const called = new Map<string, string | undefined>(
      (await Promise.all(flows.map(async (flow) => ({ flow, nodes: await nodesOf(flow) })))).flatMap(
        ({ flow, nodes }) => nodes.map(({ id, element }) => [`${flow.area}.desk.${id}`, element.name] as const),
      ),
    )
    const named = Object.entries(library.texts.en).filter(([key]) => /^[\w-]+\.desk\./.test(key))
    expect(named.length).toBeGreaterThan(10)
    expectNone(named.filter(([key, text]) => called.get(key) !== text).map(([key, text]) => `${key}: ${text}`))
  })

  test('for decision tables are in English what the tables say', () => {
    const said = new Map<string, string | undefined>()
    for (const { area, dmn } of flows)
      for (const decision of dmn.flatMap(({ content }) => descendants(parseXml(content)))) {
        if (decision.name !== 'dmn:decision') continue
        const key = `${area}.decision.${decision.attributes.get('id')}`
        said.set(key, decision.attributes.get('name'))
        for (const { name, attributes, children } of descendants(decision)) {
          const part = `${key}.${attributes.get('id')}`
          // Readers are told rupees where the table has cents.
          if (name === 'dmn:input' || name === 'dmn:output')
            said.set(part, attributes.get('label')?.replace(/ in cents$/, ''))
          if (name === 'dmn:rule')
            said.set(part, children.find((child) => child.name === 'dmn:description')?.text.trim())
        }
      }
    const named = Object.entries(library.texts.en).filter(([key]) => /^[\w-]+\.decision\./.test(key))
    expect(named.length).toBeGreaterThan(10)
    // What goes into a table is called as it is: `<column>.<value>`.
    const called = (key: string, text: string) =>
      said.get(key) ?? (said.has(key.replace(/\.[^.]+$/, '')) && key.endsWith(`.${text.replaceAll(' ', '-')}`) && text)
    expectNone(named.filter(([key, text]) => called(key, text) !== text).map(([key, text]) => `${key}: ${text}`))
  })

  test.each(languages)('that the public sees are there in %s', async (language) => {
    const words = await publicWords(root, library)
    expect(words.size).toBeGreaterThan(100)
    expectNone(
      [...words].filter(([word]) => !hasText(library, language, word)).map(([word, where]) => `${word} (${where})`),
    )
  })

  test('that pages without a sign-in show are not among those that only its pages load', () => {
    const words = openWords(root, library)
    expect(words.size).toBeGreaterThan(100)
    expectNone([...words].flatMap(([word, where]) => staffKeysOf(root, word).map((key) => `${key} (${where})`)))
  })

  test('explain every error that code throws, and each is declared', () => {
    const thrown = globSync('{api,workers}/**/*.ts', { cwd: root }).flatMap((file) => {
      const source = readFileSync(join(root, file), 'utf8')
      return [...source.matchAll(/new BusinessError\(\s*'([^']+)'/g)].map((match) => [file, match[1]!] as const)
    })
    expect(thrown.length).toBeGreaterThan(20)
    expectNone(thrown.filter(([, code]) => !library.errors.has(code)).map((line) => line.join(': ')))
    expectNone([...library.errors.keys()].filter((code) => !hasText(library, 'en', code)))
  })
})

test('docs/dependencies.md explains every package, and none that is gone', () => {
  const { dependencies, devDependencies, optionalDependencies } = json('package.json') as Record<
    string,
    Record<string, string>
  >
  const page = readFileSync(join(root, 'docs/dependencies.md'), 'utf8')
  const explained = [...page.matchAll(/^\| `([^`]+)` \| \S/gm)].map((match) => match[1]!)
  expect(explained.toSorted()).toEqual(
    Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies }).toSorted(),
  )
})

test('imports keep to the rules of the architecture', async () => {
  expectNone(await brokenImports(root))
})

/** Whether a pointer (behind `#`: into the register item that the field names) leads to a field. */
function pointsSomewhere(schema: FieldSchema, pointer: string): boolean {
  const [own, ...hops] = pointer.split('#')
  let field = fieldAt(schema, own!)
  for (const hop of hops) {
    if (field && hop === '/title') return true
    const item = library.registers.get(field?.['x-register'] ?? '')?.item
    field = item && fieldAt(item, hop.replace(/^\/data/, ''))
  }
  return field !== undefined
}

function fieldAt(schema: FieldSchema, pointer: string): FieldSchema | undefined {
  return pointer
    .split('/')
    .slice(1)
    .reduce<FieldSchema | undefined>((at, name) => at?.properties?.[name], schema)
}
