import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Casts through `unknown` in product code: they convert any type to any other, and no lint rule finds them. */
export function castsThroughUnknown(root: string): string[] {
  const files = globSync('{api,workers,web,forms}/**/*.{ts,tsx}', { cwd: root, exclude: (name) => name === 'dist' })
  return files.toSorted().flatMap((file) => {
    const source = readFileSync(join(root, file), 'utf8')
    return [...source.matchAll(/\bas\s+unknown\s+as\b/g)].map(({ index }) => {
      const line = source.slice(0, index).split('\n').length
      return `${file}:${line}: give it a type that one cast, or none, leads to`
    })
  })
}
