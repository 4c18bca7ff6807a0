import { REQUESTER, scopesOf } from '../../../../api/platform/model/definitions/manifest.ts'
import { inputsOf, topicOf } from '../../../../api/platform/model/bpmn/read.ts'
import { askedBy } from '../../../../forms/platform/asked.ts'
import type { FieldSchema } from '../../../../api/platform/model/definitions/register.ts'
import { type Product, type Rule, diagramOf, fieldAt, fieldBehind, leadsToField, manifestOf } from './product.ts'

const flowsOf = ({ library }: Product) => [...library.flows.values()]

const startFormsExist: Rule = (product) =>
  flowsOf(product)
    .filter(({ manifest }) => !product.library.forms.has(manifest.start))
    .map(
      (flow) =>
        `${manifestOf(flow)} /start: there is no form ${flow.manifest.start}: write forms/${flow.manifest.start}.form.json`,
    )

const firstStatusesExist: Rule = (product) =>
  flowsOf(product).flatMap((flow) =>
    Object.entries(flow.manifest.firstStatus).flatMap(([list, state]) => {
      const key = flow.manifest.statusLists[list]
      if (key === undefined)
        return [`${manifestOf(flow)} /firstStatus/${list}: /statusLists names no list ${list}: add it there`]
      const states = product.library.statusLists.get(key)
      const [area, name] = key.split('/')
      if (states?.includes(state)) return []
      const place = `forms/${area}/statuses.json`
      return [`${manifestOf(flow)} /firstStatus/${list}: ${state} is no state of ${name}: add it to ${place}`]
    }),
  )

const pointersLeadToFields: Rule = (product) => {
  const { library } = product
  return flowsOf(product).flatMap((flow) => {
    const { manifest } = flow
    const form = library.forms.get(manifest.start)
    if (!form) return []
    const { schema } = form
    const { requester, once, sole, open, batch, leads, entries, asks = {} } = manifest
    const own = { properties: { [REQUESTER]: { 'x-register': requester?.register } } } as FieldSchema
    const pointers = [
      ...scopesOf(manifest).flatMap(({ pointers: some }) => some),
      ...Object.values(manifest.subject ?? {}),
      ...(manifest.columns ?? []),
      ...Object.values(manifest.variables ?? {}).map(({ at }) => at),
      ...(manifest.allocations ?? []).flatMap(({ item, from, until }) => [item, from, until]),
      ...(manifest.amount === undefined || manifest.derives?.includes(manifest.amount) ? [] : [manifest.amount]),
      ...Object.values(requester?.match ?? {}),
      ...(requester?.unless ?? []).flatMap(({ where = {} }) => Object.values(where)),
      ...Object.keys(requester?.match ?? {}).map((pointer) => `${REQUESTER}#/data${pointer}`),
      ...(once?.per === undefined ? [] : [once.per]),
      ...(sole?.by ?? []),
      ...askedBy(schema).map(([, { entry, has }]) => `/${entry}#/data/${has}`),
      ...(open ? [open.from, open.until] : []),
      ...(batch ? [batch.item] : []),
      ...(leads === undefined ? [] : [leads]),
      ...(entries ? [entries.item] : []),
      ...Object.values(asks).flatMap(({ to, until }) => [...Object.values(to), until]),
    ]
    const lost = pointers.filter((pointer) =>
      pointer.startsWith(`${REQUESTER}#`)
        ? !leadsToField(library, own, `/${pointer}`)
        : !leadsToField(library, schema, pointer),
    )
    const told = (pointer: string, key: string) =>
      `${manifestOf(flow)}: ${pointer} leads to no field of the form ${key}: correct it, or add the field`
    const asked = (manifest.acts ?? []).flatMap((act) =>
      (act.allocations ?? [])
        .flatMap(({ item, from, until }) => [item, from, until])
        .flatMap((pointer) => {
          const ofCase = pointer.startsWith('data:')
          const key = ofCase ? manifest.start : act.form
          const fields = library.forms.get(key)?.schema
          const found = fields && leadsToField(library, fields, ofCase ? pointer.slice('data:'.length) : pointer)
          return found ? [] : [told(pointer, key)]
        }),
    )
    const picked = (manifest.assigns ?? []).flatMap(({ form: key, item, from, until }) =>
      [item, from, until].flatMap((pointer) => {
        const ofCase = pointer.startsWith('data:')
        const fields = library.forms.get(ofCase ? manifest.start : key)?.schema
        const found = fields && leadsToField(library, fields, ofCase ? pointer.slice('data:'.length) : pointer)
        return found ? [] : [told(pointer, ofCase ? manifest.start : key)]
      }),
    )
    return [...lost.map((pointer) => told(pointer, manifest.start)), ...asked, ...picked]
  })
}

const startsAreHeldAtUnits: Rule = ({ library }) =>
  [...library.flows.values()].flatMap((flow) => {
    const { startedAt, start, batch, onBehalf, account } = flow.manifest
    if (startedAt === undefined) return []
    const named = fieldAt(library.forms.get(start)?.schema ?? {}, startedAt.item)?.['x-register']
    const place = `${manifestOf(flow)} /startedAt`
    return [
      ...(named ? [] : [`${place}/item: ${startedAt.item} names no item of a register: correct it`]),
      ...(batch || onBehalf || account
        ? [`${place}: the units are those of who sends the form: take it out, or batch, onBehalf and account`]
        : []),
    ]
  })

/** What is gathered are items of a register; the fields of a form that they fill in, and of the items, exist. */
const gathersNameItems: Rule = ({ library }) =>
  [...library.flows.values()].flatMap((flow) => {
    const { gathers, start } = flow.manifest
    if (gathers === undefined) return []
    const place = `${manifestOf(flow)} /gathers`
    const form = library.forms.get(start)?.schema ?? {}
    const named = fieldAt(form, gathers.items)?.['x-register']
    if (named === undefined)
      return [`${place}/items: ${gathers.items} names no item of a register in the form ${start}: correct it`]
    const item = library.registers.get(named)?.item
    if (item === undefined) return [`${place}/items: there is no register ${named}: write forms/${named}.register.json`]
    return Object.entries(gathers.alike).flatMap(([to, from]) => [
      ...(fieldAt(form, to) ? [] : [`${place}/alike: ${to} is no field of the form ${start}: correct it`]),
      ...(fieldAt(item, from) ? [] : [`${place}/alike: ${from} is no field of ${named}: correct it`]),
    ])
  })

const claimedRequestersHaveEntries: Rule = ({ library }) =>
  [...library.flows.values()]
    .filter(({ manifest: { claims, requester } }) => claims === REQUESTER && !requester)
    .map((flow) => `${manifestOf(flow)} /claims: nobody needs an entry of their own: add requester, or name a field`)

const actsEndWithFacts: Rule = ({ library }) =>
  [...library.flows.values()].flatMap((flow) =>
    (flow.manifest.acts ?? []).flatMap(({ name, unless = [] }) =>
      unless
        .filter((fact) => !flow.manifest.facts?.includes(fact))
        .map((fact) => `${manifestOf(flow)} /acts/${name}/unless: there is no fact ${fact}: add it to /facts`),
    ),
  )

const owedThingsAreDeclared: Rule = ({ library }) =>
  [...library.flows.values()].flatMap((flow) => {
    const { shows = [], owes, statusLists, start } = flow.manifest
    const form = library.forms.get(start)?.schema ?? {}
    const leads = (pointer: string) => leadsToField(library, form, pointer)
    const known = library.statusLists.get(statusLists['status'] ?? '') ?? []
    const declared = (key: string) =>
      library.registers.get(key)?.owed !== undefined || library.flows.get(key)?.manifest.owes !== undefined
    return [
      ...shows
        .flatMap((part) => ('owedBy' in part ? (part.of ?? []) : []))
        .filter((key) => !declared(key))
        .map((key) => `${manifestOf(flow)} /shows: nothing of ${key} is owed: add owed to the register`),
      ...shows
        .flatMap((part) => [
          ...('owedBy' in part && part.owedBy !== REQUESTER ? [part.owedBy] : []),
          ...(part.when ? [part.when.at] : []),
        ])
        .filter((pointer) => !leads(pointer))
        .map((pointer) => `${manifestOf(flow)} /shows: ${pointer} leads to no field of ${start}: correct it`),
      ...shows.flatMap(({ when }) => {
        const field = when && fieldBehind(library, form, when.at)
        const is = field?.oneOf?.map((one) => one.const) ?? field?.enum
        return when && is && !is.includes(when.is)
          ? [`${manifestOf(flow)} /shows: ${when.at} is never ${when.is}: name one of its values`]
          : []
      }),
      ...(owes?.in ?? [])
        .filter((status) => !known.includes(status))
        .map((status) => `${manifestOf(flow)} /owes: there is no status ${status}: name one of its list`),
    ]
  })

const leadersKnowStatuses: Rule = ({ library }) =>
  [...library.flows.values()].flatMap((flow) => {
    const { leads, start, statusLists } = flow.manifest
    if (leads === undefined) return []
    const register = fieldAt(library.forms.get(start)?.schema ?? {}, leads)?.['x-register'] ?? ''
    const there: readonly string[] = library.registers.get(register)?.statuses ?? []
    const missing = (library.statusLists.get(statusLists['status'] ?? '') ?? []).filter((one) => !there.includes(one))
    return missing.map((one) => `${manifestOf(flow)} /leads: ${register} has no status ${one}: add it there`)
  })

/** Rules derive only what the manifest names: anything else would be left out. */
const derivedVariablesAreNamed: Rule = ({ library, files, text }) =>
  [...library.flows.values()].flatMap(({ key, manifest: { derives = [] } }) =>
    files(`api/${key}.rules.ts`).flatMap((file) =>
      [...text(file).matchAll(/\bvariables: \{([^}]*)\}/g)]
        .flatMap(([, inside]) => [...inside!.replaceAll(/\([^()]*\)/g, '').matchAll(/(?:^|,)\s*(\w+)\s*(?=[:,]|$)/g)])
        .filter(([, name]) => !derives.includes(name!))
        .map(([, name]) => `${file}: the manifest does not name the variable ${name}: add it to derives`),
    ),
  )

const questionsHaveWords: Rule = ({ library }) =>
  [...library.flows.values()].flatMap((flow) =>
    Object.values(flow.manifest.asks ?? {}).flatMap(({ title, shows }) =>
      [title, ...shows.map((name) => `${flow.area}.subject.${name}`)]
        .filter((key) => library.texts.en[key] === undefined)
        .map((key) => `${manifestOf(flow)} /asks: there is no text ${key}: add it to forms/${flow.area}/texts.en.json`),
    ),
  )

const listingsNamePeople: Rule = ({ library }) =>
  [...library.flows.values()].flatMap((flow) => {
    const { requester, listed = {}, run } = flow.manifest
    const students = fieldOf(library, run?.recipients.register, run?.recipients.student)?.['x-register']
    const listings = [
      ...Object.entries(listed).map(([name, one]) => [`/listed/${name}`, one, requester?.register] as const),
      ...(run?.unless ?? []).map((one, place) => [`/run/unless/${place}`, one, students] as const),
      ...(requester?.unless ?? []).map(
        (one, place) =>
          [
            `/requester/unless/${place}`,
            { ...one, fields: Object.keys({ ...one.where, ...one.is }) },
            requester?.register,
          ] as const,
      ),
    ]
    return listings.flatMap(([where, { register, person, ...more }, people]) => {
      const { from, until, fields = [] } = more as { from?: string; until?: string; fields?: string[] }
      const place = `${manifestOf(flow)} ${where}`
      if (!library.registers.has(register))
        return [`${place}: there is no register ${register}: write forms/${register}.register.json`]
      const named = fieldOf(library, register, person)?.['x-register']
      return [
        ...(named === people && named !== undefined
          ? []
          : [`${place}: ${person} of ${register} names no item of ${people ?? 'a requester'}: name a field that does`]),
        ...[from, until, ...fields]
          .filter((pointer) => pointer !== undefined && !fieldOf(library, register, pointer))
          .map((pointer) => `${place}: ${pointer} is no field of ${register}: correct it`),
      ]
    })
  })

function fieldOf({ registers }: Product['library'], register: string | undefined, pointer: string | undefined) {
  const item = registers.get(register ?? '')?.item
  return item && pointer !== undefined ? fieldAt(item, pointer) : undefined
}

const questionsAreOfDesks: Rule = (product) =>
  flowsOf(product).flatMap((flow) =>
    [
      ...Object.keys(flow.manifest.question ?? {}).map((desk) => ['question', desk] as const),
      ...(flow.manifest.shows ?? []).flatMap(({ refuses = {} }) =>
        Object.keys(refuses).map((desk) => ['shows', desk] as const),
      ),
      ...(flow.manifest.final ?? []).map((desk) => ['final', desk] as const),
      ...(flow.manifest.confidential?.desks ?? []).map((desk) => ['confidential/desks', desk] as const),
    ]
      .filter(([, desk]) => !product.nodes.get(flow.key)?.some(({ id }) => id === desk))
      .map(
        ([member, desk]) =>
          `${manifestOf(flow)} /${member}/${desk}: ${diagramOf(flow)} has no such desk: name one that it has`,
      ),
  )

const startPagesExist: Rule = (product) => {
  const routes = new Set(product.library.screens.map(({ route }) => route))
  return flowsOf(product).flatMap((flow) => {
    const { startPage } = flow.manifest
    if (startPage === undefined || routes.has(startPage)) return []
    return [
      `${manifestOf(flow)} /startPage: there is no screen ${startPage}: add it to forms/${flow.area}/screens.json`,
    ]
  })
}

const answersAreOfDesks: Rule = (product) =>
  flowsOf(product).flatMap((flow) => {
    const { library, nodes } = product
    const drawn = nodes.get(flow.key) ?? []
    const named = [
      ...Object.entries(flow.manifest.agreement?.by ?? {}).map((one) => [manifestOf(flow), ...one] as const),
      ...Object.entries(flow.manifest.requester?.refuses ?? {}).flatMap(([desk, answers]) =>
        answers.map((answer) => [manifestOf(flow), desk, answer] as const),
      ),
      ...drawn.flatMap(({ element }) => {
        const key = inputsOf(element)['document'] ?? ''
        const signed = (library.documents.get(key)?.signatures ?? []).flatMap(({ by = {} }) => Object.entries(by))
        return signed.map((one) => [`forms/${key}.document.json`, ...one] as const)
      }),
    ]
    return named
      .filter(([, desk, answer]) => {
        const form = drawn.find(({ id }) => id === desk)?.element.formKey
        const outcome = library.forms.get(form ?? '')?.schema.properties?.['outcome']
        return !((outcome?.['oneOf'] ?? []) as { const: string }[]).some((one) => one.const === answer)
      })
      .map(
        ([file, desk, answer]) =>
          `${file}: no desk ${desk} of ${diagramOf(flow)} answers ${answer}: name an outcome of its form`,
      )
  })

const documentsDeclareFacts: Rule = ({ library }) =>
  [...library.documents].flatMap(([key, definition]) => {
    const { facts = [], rows, lines, totals = [], sections = [] } = definition
    const pointers = [...rows, ...totals, ...sections.flatMap((one) => one.rows)].map(({ value }) => value)
    return [...pointers, ...(lines ? [lines.list] : [])].flatMap((pointer) => {
      const name = /^\/facts\/([^/]+)/.exec(pointer)?.[1]
      if (name === undefined || facts.includes(name)) return []
      return [`forms/${key}.document.json: it prints the fact ${name}, which it does not declare: add it to /facts`]
    })
  })

const mailsGoToDesks: Rule = (product) =>
  flowsOf(product).flatMap((flow) => {
    const drawn = product.nodes.get(flow.key) ?? []
    const desks = new Set(drawn.filter(({ type }) => type === 'UserTask').map(({ id }) => id))
    return drawn
      .filter(({ element }) => topicOf(element) === 'platform.send-mail')
      .flatMap(({ id, element }) => {
        const desk = /^(?:desk|above):(.*)$/.exec(inputsOf(element)['to'] ?? '')?.[1]
        if (desk === undefined || desks.has(desk)) return []
        return [`${diagramOf(flow)} ${id}: its mail goes to the desk ${desk}, which is not drawn: name one that is`]
      })
  })

const decisionsExist: Rule = (product) =>
  flowsOf(product).flatMap((flow) =>
    (product.nodes.get(flow.key) ?? []).flatMap(({ id, element: { decisionRef } }) => {
      if (!decisionRef || flow.dmn.some(({ content }) => content.includes(`<decision id="${decisionRef}"`))) return []
      return [
        `${diagramOf(flow)} ${id}: no table of processes/${flow.area} holds the decision ${decisionRef}: add it, or name one that is there`,
      ]
    }),
  )

const linksLeadToFields: Rule = ({ library }) =>
  [...library.flows.values()].flatMap((flow) =>
    (flow.manifest.linked ?? []).flatMap(({ name, flow: key, in: statuses = [], again = [], ends, gives }) => {
      const place = `${manifestOf(flow)} /linked/${name}`
      const there = library.flows.get(key)
      if (!there) return [`${place}: there is no flow ${key}: name one that there is`]
      const states = library.statusLists.get(flow.manifest.statusLists['status'] ?? '') ?? []
      const theirs = library.statusLists.get(there.manifest.statusLists['status'] ?? '') ?? []
      const [own, other] = [flow, there].map(({ manifest }) => library.forms.get(manifest.start)?.schema ?? {})
      const read = Object.values(gives).flatMap((from) =>
        typeof from === 'string' ? [from] : 'at' in from ? [from.at] : 'sum' in from ? from.sum : [],
      )
      return [
        ...(ends === undefined || there.bpmn.content.includes(`name="${ends}"`)
          ? []
          : [`${place}/ends: the diagram of ${key} waits for no message ${ends}: name one of its messages`]),
        ...statuses
          .filter((one) => !states.includes(one))
          .map((one) => `${place}/in: ${one} is no status of the flow: name one of its list`),
        ...again
          .filter((one) => !theirs.includes(one))
          .map((one) => `${place}/again: ${one} is no status of ${key}: name one of its list`),
        ...Object.keys(gives)
          .filter((field) => !fieldAt(other ?? {}, field.replaceAll(/\/\d+(?=\/|$)/g, '/*')))
          .map((field) => `${place}/gives: ${field} is no field of ${there.manifest.start}: correct it`),
        ...read
          .filter((pointer) => pointer.startsWith('/data/') && !fieldAt(own ?? {}, pointer.slice('/data'.length)))
          .map((pointer) => `${place}/gives: ${pointer} is no field of ${flow.manifest.start}: correct it`),
      ]
    }),
  )

/** A step that ends some links names those that end with the case; a misspelt one would end nothing. */
const endedLinksEnd: Rule = (product) =>
  flowsOf(product).flatMap((flow) => {
    const ending = (flow.manifest.linked ?? []).flatMap(({ name, ends }) => (ends === undefined ? [] : [name]))
    return (product.nodes.get(flow.key) ?? []).flatMap(({ id, element }) => {
      const { links = '' } = topicOf(element) === 'platform.end-linked' ? inputsOf(element) : {}
      return links
        .split(/, */)
        .filter((name) => name !== '' && !ending.includes(name))
        .map((name) => `${diagramOf(flow)} ${id}: no link ${name} of the manifest has \`ends\`: name one that has`)
    })
  })

const processesHaveOneManifest: Rule = (product) => {
  const first = new Map<string, string>()
  return flowsOf(product).flatMap((flow) => {
    const { process } = flow.manifest
    const other = first.get(process)
    if (other === undefined) first.set(process, manifestOf(flow))
    return other === undefined
      ? []
      : [`${manifestOf(flow)} /process: ${process} is the process of ${other} already: give it a name of its own`]
  })
}

export const flowRules: readonly Rule[] = [
  startFormsExist,
  firstStatusesExist,
  pointersLeadToFields,
  owedThingsAreDeclared,
  leadersKnowStatuses,
  startsAreHeldAtUnits,
  gathersNameItems,
  claimedRequestersHaveEntries,
  actsEndWithFacts,
  derivedVariablesAreNamed,
  questionsHaveWords,
  listingsNamePeople,
  questionsAreOfDesks,
  startPagesExist,
  answersAreOfDesks,
  documentsDeclareFacts,
  endedLinksEnd,
  mailsGoToDesks,
  decisionsExist,
  linksLeadToFields,
  processesHaveOneManifest,
]
