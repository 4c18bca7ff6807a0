import { Parser } from 'saxen'
import { isKnown } from './metadata.ts'

/** Bound to the prefix `xml` without being declared. */
const always = { xml: 'http://www.w3.org/XML/1998/namespace' }

/**
 * The names of a document that are of vocabularies not ours, as they are written in it. The reader of BPMN gives them
 * prefixes of its own, and leaves some out without a word.
 */
export function foreignNames(xml: string): string[] {
  const names = new Set<string>()
  const open: Readonly<Record<string, string>>[] = [always]
  const parser = new Parser()
  parser.on('openTag', (tag, readAttributes) => {
    const attributes = Object.entries(readAttributes())
    const declared = attributes.flatMap(([name, uri]) =>
      name === 'xmlns' ? [['', uri]] : name.startsWith('xmlns:') ? [[name.slice('xmlns:'.length), uri]] : [],
    )
    const outer = open.at(-1)!
    const bound = declared.length === 0 ? outer : { ...outer, ...(Object.fromEntries(declared) as typeof outer) }
    open.push(bound)
    const isForeign = (name: string) => {
      const uri = bound[name.includes(':') ? name.slice(0, name.indexOf(':')) : '']
      return uri !== undefined && uri !== always.xml && !isKnown(uri)
    }
    if (isForeign(tag)) names.add(tag)
    for (const [name] of attributes)
      if (name.includes(':') && !name.startsWith('xmlns:') && isForeign(name)) names.add(name)
  })
  parser.on('closeTag', () => void open.pop())
  parser.parse(xml)
  return [...names]
}
