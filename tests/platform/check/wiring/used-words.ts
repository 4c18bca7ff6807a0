import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { Language, Library } from '../../../../api/platform/model/library/library.ts'
import { inputsOf, topicOf } from '../../../../api/platform/model/bpmn/read.ts'
import type { FieldSchema } from '../../../../api/platform/model/definitions/register.ts'
import type { Product } from './product.ts'

/** Text keys with the first place that uses each; a key that ends with `*` is a prefix completed at run time. */
export type Words = Map<string, string>

/** Every text key that the product uses: in forms, registers, manifests, screens, diagrams, error lists and code. */
export function usedWords(product: Product): Words {
  const { root, library } = product
  const words: Words = new Map()
  for (const [key, { schema }] of library.forms) ofSchema(schema, `form ${key}`, words)
  for (const [key, register] of library.registers) {
    note(words, register.title, `register ${key}`)
    ofSchema(register.item, `register ${key}`, words)
    if (register.expires)
      for (const part of ['subject', 'body']) note(words, `${register.expires.mail}-${part}`, `register ${key}`)
  }
  for (const [key, { title, lead, filter, columns }] of library.reports) {
    for (const word of [title, lead, ...columns.map((column) => column.title)]) note(words, word, `report ${key}`)
    ofSchema(filter, `report ${key}`, words)
  }
  for (const [key, definition] of library.documents) {
    const { title, rows, lines, totals = [], sections = [], notes = [], body = [], signatures = [] } = definition
    const labels = [...rows, ...(lines?.columns ?? []), ...totals, ...sections.flatMap((one) => one.rows)]
    for (const word of [
      title,
      ...labels.map(({ label }) => label),
      ...sections.map((one) => one.title),
      ...notes,
      ...body,
    ])
      note(words, word, `document ${key}`)
    for (const { title: word } of signatures) note(words, word, `document ${key}`)
  }
  for (const screen of library.screens) {
    note(words, screen.title, `screen ${screen.route}`)
    note(words, screen.menu?.group, `screen ${screen.route}`)
    for (const { title } of (screen.parameters?.['numbers'] ?? []) as { title: string }[])
      note(words, title, `screen ${screen.route}`)
    ofHome(screen, words)
  }
  for (const code of library.errors.keys()) note(words, code, 'errors.json')
  for (const key of library.flows.keys())
    for (const [word, where] of wordsOfFlow(product, key)) note(words, word, where)
  for (const file of sources(root)) ofSource(root, file, library, words)
  return words
}

/** The text keys that people need before signing in: of public pages, and of the flows that these start. */
export function publicWords(root: string, library: Library): Words {
  const words: Words = new Map()
  const screens = library.screens.filter(({ guard, built, page }) => guard === 'public' && built && page !== 'redirect')
  for (const screen of screens) note(words, screen.title, `screen ${screen.route}`)
  for (const screen of library.screens) ofHome(screen, words)
  const pages = screens.flatMap(({ page }) => pageFile(root, page) ?? [])
  for (const file of importedFrom([...pages, join(root, 'web/platform/edge/shell/public-shell.tsx')]))
    ofSource(root, file, library, words)
  for (const [key, { schema }] of library.forms) if (schema['x-public']) ofSchema(schema, `form ${key}`, words)
  const routes = new Set(screens.map(({ route }) => route))
  for (const [key, { manifest, area }] of library.flows) {
    if (!routes.has((manifest as { startPage?: string }).startPage ?? '')) continue
    note(words, manifest.title, `flow ${key}`)
    const form = library.forms.get(manifest.start)
    if (form) ofSchema(form.schema, `form ${manifest.start}`, words)
    for (const code of library.errors.keys()) if (code.startsWith(`${area}.`)) note(words, code, 'errors.json')
  }
  return words
}

/** The texts that pages show before signing in, with the first place that uses each. */
export function openWords(root: string, library: Library): Words {
  const words: Words = new Map()
  const open = library.screens.filter(({ guard }) => guard === 'public' || guard === 'none')
  for (const screen of open) note(words, screen.title, `screen ${screen.route}`)
  for (const screen of library.screens) ofHome(screen, words)
  for (const screen of open) ofCatalogue(screen, library, words)
  // A page without a guard of its own still needs a sign-in.
  const here = open.filter(({ guard, page }) => guard === 'public' && page !== 'redirect')
  const shown = here.map(({ built, page }) => (built ? page : 'not-built'))
  const pages = [...new Set(shown)].flatMap((page) => pageFile(root, page) ?? [])
  const around = ['app.tsx', 'platform/edge/shell/public-shell.tsx', 'platform/kernel/texts/formats.ts'].map((file) =>
    join(root, 'web', file),
  )
  for (const file of importedFrom([...pages, ...around])) ofSource(root, file, library, words)
  return words
}

/** The English keys that a text key or prefix matches, of those that only pages behind the sign-in load. */
export function staffKeysOf(root: string, word: string): string[] {
  staffKeys ??= globSync('forms/*/texts.staff.en.json', { cwd: root }).flatMap((file) =>
    Object.keys(JSON.parse(readFileSync(join(root, file), 'utf8')) as object),
  )
  return staffKeys.filter((key) =>
    word.endsWith('*') ? key.startsWith(word.slice(0, -1)) : key.replace(/_(zero|one|other)$/, '') === word,
  )
}
let staffKeys: string[] | undefined

/** The file of a page component, a platform page or an area's own; undefined if there is none. */
export function pageFile(root: string, page: string): string | undefined {
  const list = join(root, 'web/platform/edge/router/page-loaders.ts')
  const match = new RegExp(`\\n\\s*'?${page}'?: \\(\\) => import\\('([^']+)'\\)`).exec(readFileSync(list, 'utf8'))
  const file = page.includes('/') ? join(root, 'web', `${page}.tsx`) : match && join(dirname(list), match[1]!)
  return file && existsSync(file) ? file : undefined
}

/** Whether a language has the text of a key: exactly, as a plural, as a mail, or with that prefix. */
export function hasText(library: Library, language: Language, word: string): boolean {
  const texts = library.texts[language]
  if (word.endsWith('*')) {
    const begun = Object.keys(library.texts.en).filter((key) => key.startsWith(word.slice(0, -1)))
    return begun.length > 0 && begun.every((key) => texts[key] !== undefined)
  }
  const has = (ending: string) => texts[`${word}${ending}`] !== undefined
  return has('') || has('_other') || (has('-subject') && has('-body'))
}

function wordsOfFlow({ library, nodes }: Product, key: string): Words {
  const words: Words = new Map()
  const { manifest, area, bpmn } = library.flows.get(key)!
  const where = `flow ${key}`
  for (const word of [
    manifest.title,
    manifest.description,
    manifest.subjectText,
    ...Object.values(manifest.question ?? {}),
    ...Object.values(manifest.people ?? {}),
    ...(manifest.acts ?? []).flatMap(({ title, confirm }) => [title, confirm]),
    ...(manifest.linked ?? []).flatMap((one) => [
      ...(one.in ? [`${area}.linked.${one.name}`] : []),
      ...Object.values(one.gives).flatMap((from) => (typeof from === 'object' && 'text' in from ? [from.text] : [])),
    ]),
  ])
    note(words, word, where)
  for (const name of manifest.facts ?? []) note(words, `${area}.fact.${name}`, where)
  for (const list of Object.values(manifest.statusLists)) {
    const [listArea, name] = list.split('/')
    for (const state of library.statusLists.get(list) ?? [])
      note(words, `${listArea}.status.${name}.${state.replaceAll(/[ &]/g, '-')}`, where)
  }
  for (const node of nodes.get(key) ?? [])
    if (topicOf(node.element) === 'platform.send-mail') {
      const { template } = inputsOf(node.element)
      for (const part of ['subject', 'body']) note(words, `${template}-${part}`, `${bpmn.key} ${node.id}`)
    }
  return words
}

/** The texts of a screen on the public home. */
function ofHome({ route, home }: Library['screens'][number], words: Words): void {
  for (const word of [home?.title, home?.detail]) note(words, word, `screen ${route}`)
}

/** The texts of the fields that a catalogue shows to everybody. */
function ofCatalogue(
  { route, page, parameters = {} }: Library['screens'][number],
  library: Library,
  words: Words,
): void {
  if (page !== 'catalogue') return
  const register = library.registers.get(String(parameters['register']))
  note(words, register?.title, `screen ${route}`)
  for (const field of (parameters['fields'] ?? []) as string[]) {
    const { title, oneOf = [] } = register?.item.properties?.[field.slice(1)] ?? {}
    for (const word of [title, ...oneOf.map((choice) => choice.title)]) note(words, word, `screen ${route}`)
  }
}

function ofSchema(schema: FieldSchema, where: string, words: Words): void {
  for (const name of ['title', 'description', 'x-add'])
    if (typeof schema[name] === 'string') note(words, schema[name], where)
  for (const message of Object.values((schema['x-messages'] ?? {}) as Record<string, string>))
    note(words, message, where)
  for (const part of ['properties', 'dependentSchemas'])
    for (const field of Object.values((schema[part] ?? {}) as Record<string, FieldSchema>))
      ofSchema(field, where, words)
  for (const part of ['oneOf', 'anyOf', 'allOf'])
    for (const one of (schema[part] ?? []) as FieldSchema[]) ofSchema(one, where, words)
  for (const part of ['items', 'if', 'then', 'else', 'not'])
    if (schema[part] !== undefined) ofSchema(schema[part] as FieldSchema, where, words)
}

function ofSource(root: string, file: string, library: Library, words: Words): void {
  const source = readFileSync(file, 'utf8')
  const where = relative(root, file)
  const own = new Set(['platform', where.split('/')[1]!])
  for (const [, word, rest] of source.matchAll(/['"`]([a-z][a-z-]*\.[A-Za-z][\w.-]*)(['"`]|\$\{)/g)) {
    if (!own.has(word!.split('.')[0]!) || library.topics.has(word!)) continue
    note(words, rest === '${' ? `${word}*` : word!, where)
  }
}

function sources(root: string): string[] {
  return globSync(['{api,workers,web}/**/*.{ts,tsx}'], { cwd: root, exclude: (name) => name === 'dist' })
    .filter((file) => !file.includes('.generated.') && !file.startsWith('web/dist/'))
    .map((file) => join(root, file))
}

/** The modules of a page: everything of ours that it imports, without what the router loads. */
function importedFrom(entries: string[]): Set<string> {
  const found = new Set<string>()
  const open = [...entries]
  for (let file = open.pop(); file; file = open.pop()) {
    if (found.has(file) || /\/router\/|\/texts\/(?!formats)/.test(file) || !/\.tsx?$/.test(file) || !existsSync(file))
      continue
    found.add(file)
    for (const [, path] of readFileSync(file, 'utf8').matchAll(/(?:from|import\() ?'(\.[^']+)'/g))
      open.push(join(dirname(file), path!))
  }
  return found
}

function note(words: Words, word: string | undefined, where: string): void {
  if (word !== undefined && !words.has(word)) words.set(word, where)
}
