import { Parser } from 'saxen'
import { known } from '../../kernel/known.ts'

/** An element of an XML document, with its name resolved: `bpmn:userTask`, whatever the prefix in the file. */
export interface XmlElement {
  name: string
  /** Name → value; without prefix if the attribute has none. Does not include namespace declarations. */
  attributes: ReadonlyMap<string, string>
  children: readonly XmlElement[]
  /** The character data directly inside, without comments. */
  text: string
  /** Addresses of unknown namespaces that are declared here. */
  unknownVocabularies: readonly string[]
}

/** A document that is rejected as a whole, with the reason in plain words. */
export class UnreadableModel extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'UnreadableModel'
  }
}

const mebibyte = 1024 * 1024
const deepest = 40
/** More than 500 steps need, with their flows, texts and shapes. */
const mostElements = 20_000
/** Twice what any editor writes. Without a limit, every element that declares a prefix would copy thousands. */
const mostPrefixes = 40

/** Every name of an unknown namespace repeats its address. */
const longestAddress = 200

/** Bound to the prefix `xml`, and only to it, without a declaration: `xml:lang`. */
const xmlVocabulary = 'http://www.w3.org/XML/1998/namespace'

/**
 * The namespaces that a model may use, and our prefixes for them. Names in other namespaces become `{address}:name`,
 * which no rule permits, so each one is reported.
 */
const vocabularies: Readonly<Record<string, string>> = {
  [xmlVocabulary]: 'xml',
  'http://www.omg.org/spec/BPMN/20100524/MODEL': 'bpmn',
  'http://www.omg.org/spec/BPMN/20100524/DI': 'bpmndi',
  'http://www.omg.org/spec/DD/20100524/DC': 'dc',
  'http://www.omg.org/spec/DD/20100524/DI': 'di',
  'http://camunda.org/schema/1.0/bpmn': 'camunda',
  'http://camunda.org/schema/modeler/1.0': 'modeler',
  'http://bpmn.io/schema/bpmn/biocolor/1.0': 'bioc',
  'http://www.omg.org/spec/BPMN/non-normative/color/1.0': 'color',
  'http://www.w3.org/2001/XMLSchema-instance': 'xsi',
  'https://www.omg.org/spec/DMN/20191111/MODEL/': 'dmn',
  'https://www.omg.org/spec/DMN/20191111/DMNDI/': 'dmndi',
  'http://www.omg.org/spec/DMN/20180521/DC/': 'dc',
  'http://www.omg.org/spec/DMN/20180521/DI/': 'di',
  'http://camunda.org/schema/1.0/dmn': 'camunda',
}

/**
 * Parses an XML document of at most 1 MiB and 20,000 elements. It is stricter than usual, because the engine parses the
 * same bytes with another parser, and both must see the same. It rejects DOCTYPE, processing instructions, encodings
 * except UTF-8, entities except the five of XML, and everything that a lenient parser would repair.
 */
export function parseXml(xml: string): XmlElement {
  if (new TextEncoder().encode(xml).length > mebibyte) throw new UnreadableModel('the file is larger than 1 MiB')
  const root: Draft = { name: '', attributes: new Map(), children: [], text: '', unknownVocabularies: [] }
  const open: Draft[] = [root]
  const innermost = () => known(open.at(-1), 'the element around')
  const prefixes: ReadonlyMap<string, string>[] = [new Map([['xml', 'xml']])]

  const parser = new Parser()
  parser.on('error', refuse)
  parser.on('warn', refuse)
  parser.on('attention', () => refuse(new Error('it contains a DOCTYPE or another declaration')))
  parser.on('question', (instruction) => {
    if (
      !/^<\?xml\s+version=(["'])1\.0\1(\s+encoding=(["'])utf-8\3)?(\s+standalone=(["'])(yes|no)\5)?\s*\?>$/i.test(
        instruction,
      )
    )
      refuse(new Error('it contains a processing instruction, or is not XML 1.0 in UTF-8'))
  })
  let elements = 0
  parser.on('openTag', (tag, readAttributes) => {
    if (++elements > mostElements) refuse(new Error(`it has more than ${mostElements} elements`))
    if (open.length > deepest) refuse(new Error(`elements are nested deeper than ${deepest}`))
    const written = Object.entries(readAttributes())
    const { declared, unknownVocabularies } = withDeclarations(known(prefixes.at(-1), 'the prefixes around'), written)
    const attributes = new Map<string, string>()
    for (const [name, value] of written) {
      if (name === 'xmlns' || name.startsWith('xmlns:')) continue
      const resolved = name.includes(':') ? resolve(name, declared) : name
      if (attributes.has(resolved)) refuse(new Error(`an element has the attribute ${resolved} twice`))
      attributes.set(resolved, decode(value))
    }
    const element: Draft = { name: resolve(tag, declared), attributes, children: [], text: '', unknownVocabularies }
    innermost().children.push(element)
    open.push(element)
    prefixes.push(declared)
  })
  parser.on('text', (text) => void (innermost().text += decode(text)))
  parser.on('cdata', (text) => void (innermost().text += text))
  parser.on('closeTag', () => {
    open.pop()
    prefixes.pop()
  })
  parser.parse(xml.replace(/^\uFEFF/, ''))

  const [document, ...others] = root.children
  if (!document || others.length > 0) throw new UnreadableModel('it must have exactly one root element')
  if (document.name.startsWith('{'))
    refuse(new Error(`it uses the unknown vocabulary ${document.name.slice(1, document.name.lastIndexOf('}'))}`))
  return document
}

/** The descendants of an element, in document order. */
export function descendants(element: XmlElement): XmlElement[] {
  return element.children.flatMap((child) => [child, ...descendants(child)])
}

interface Draft extends XmlElement {
  children: Draft[]
}

function refuse(problem: Error): never {
  throw problem instanceof UnreadableModel
    ? problem
    : new UnreadableModel(`the file cannot be read: ${problem.message}`)
}

function withDeclarations(
  outer: ReadonlyMap<string, string>,
  attributes: [string, string][],
): { declared: ReadonlyMap<string, string>; unknownVocabularies: string[] } {
  const declarations = attributes.filter(([name]) => name === 'xmlns' || name.startsWith('xmlns:'))
  if (declarations.length === 0) return { declared: outer, unknownVocabularies: [] }
  const inner = new Map(outer)
  const unknownVocabularies: string[] = []
  for (const [name, value] of declarations) {
    const [prefix, uri] = [name === 'xmlns' ? '' : name.slice('xmlns:'.length), decode(value)]
    refuseMisbound(prefix, uri)
    const vocabulary = Object.hasOwn(vocabularies, uri) ? vocabularies[uri] : undefined
    // Without an address, it cancels the declaration around it.
    if (!vocabulary && uri !== '') unknownVocabularies.push(uri)
    inner.set(prefix, vocabulary ?? `{${uri}}`)
    if (inner.size > mostPrefixes) refuse(new Error(`it declares more than ${mostPrefixes} prefixes`))
  }
  return { declared: inner, unknownVocabularies }
}

/** The standard forbids it, and parsers repair it in different ways. */
function refuseMisbound(prefix: string, uri: string): void {
  const reserved = prefix === 'xmlns' || uri === 'http://www.w3.org/2000/xmlns/'
  if (reserved || (prefix === 'xml') !== (uri === xmlVocabulary) || (prefix !== '' && uri === ''))
    refuse(new Error(`it binds the prefix ${prefix || 'of what has none'} to what it cannot mean`))
  if (uri.length > longestAddress)
    refuse(new Error(`the address of a vocabulary is longer than ${longestAddress} characters`))
}

function resolve(name: string, prefixes: ReadonlyMap<string, string>): string {
  const [prefix = '', local, ...more] = name.includes(':') ? name.split(':') : ['', name]
  const vocabulary = prefixes.get(prefix)
  if (!vocabulary || !local || more.length > 0) refuse(new Error(`the name ${name} belongs to no vocabulary`))
  return `${vocabulary}:${local}`
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decode(text: string): string {
  return text.replace(/&([^;&]{0,10};?)/g, (all, name: string) => {
    const number = /^#(?:x([0-9a-fA-F]{1,6})|(\d{1,7}));$/.exec(name)
    const code = number ? (number[1] ? parseInt(number[1], 16) : Number(number[2])) : undefined
    if (code !== undefined && code <= 0x10ffff) return String.fromCodePoint(code)
    const entity =
      name.endsWith(';') && Object.hasOwn(entities, name.slice(0, -1)) ? entities[name.slice(0, -1)] : undefined
    return entity ?? refuse(new Error(`unknown entity ${all}`))
  })
}
