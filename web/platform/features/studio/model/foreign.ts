import { Parser } from 'saxen'
import { isKnown } from './metadata.ts'
import { known } from '../../../kernel/known.ts'

/** XML binds the prefix `xml` without a declaration. */
const always = { xml: 'http://www.w3.org/XML/1998/namespace' }

/**
 * Names in a document from vocabularies other than ours, as written. The BPMN parser renames their prefixes, and drops
 * some silently.
 */
export function foreignNames(xml: string): string[] {
  const names = new Set<string>()
  const open: Readonly<Record<string, string>>[] = [always]
  const parser = new Parser()
  parser.on('openTag', (tag, readAttributes) => {
    const attributes = Object.entries(readAttributes())
    const declared = attributes.flatMap(([name, uri]): [string, string][] =>
      name === 'xmlns' ? [['', uri]] : name.startsWith('xmlns:') ? [[name.slice('xmlns:'.length), uri]] : [],
    )
    const outer = known(open.at(-1), 'the element around a tag')
    const bound = declared.length === 0 ? outer : { ...outer, ...Object.fromEntries(declared) }
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
