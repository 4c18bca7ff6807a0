import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Casts through `unknown` in product code: they convert any type to any other, and no lint rule finds them. */
export const castsThroughUnknown = (root: string): string[] =>
  placesOf(root, /\bas\s+unknown\s+as\b/g).map((at) => `${at}: give it a type that one cast, or none, leads to`)

/** Comments in product code that switch a rule off and do not say why in at least two words: `-- what holds here`. */
export const unexplainedExceptions = (root: string): string[] =>
  placesOf(root, /\b(?:ox|es)lint-disable\b(?!.* -- [^\s*]+ +[^\s*])/g).map(
    (at) => `${at}: say after the rule why it does not hold here: -- REASON`,
  )

/** The lines of product code with a pattern, as `file:line`. */
function placesOf(root: string, pattern: RegExp): string[] {
  const files = globSync('{api,workers,web,forms}/**/*.{ts,tsx}', { cwd: root, exclude: (name) => name === 'dist' })
  return files.toSorted().flatMap((file) => {
    const source = readFileSync(join(root, file), 'utf8')
    return [...source.matchAll(pattern)].map(({ index }) => `${file}:${source.slice(0, index).split('\n').length}`)
  })
}
