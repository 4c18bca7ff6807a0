import { dirname } from 'node:path'
import { type IModule, cruise } from 'dependency-cruiser'
import extractConfig from 'dependency-cruiser/config-utl/extract-depcruise-config'
import { circlesOf } from '../../../api/platform/kernel/circles.ts'

/** Each import that breaks a rule of `.dependency-cruiser.cjs`, and each cycle of folders, as one line. */
export async function brokenImports(root: string): Promise<string[]> {
  const { options, ...ruleSet } = await extractConfig(`${root}/.dependency-cruiser.cjs`)
  const folders = ['api', 'workers', 'web', 'forms', 'tests', 'bench']
  const { output } = await cruise(folders, { ...options, baseDir: root, ruleSet, validate: true })
  if (typeof output === 'string') throw new Error(output)
  if (output.summary.totalDependenciesCruised === 0) throw new Error('no import was found, so no rule was held')
  const broken = output.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`)
  return [...broken, ...cyclesOfFolders(output.modules)]
}

/** A folder that imports another, and the files of one such import. */
interface Edge {
  from: string
  to: string
  example: string
}

/**
 * Folders of the product that import each other, directly or through others, types included; one line per cycle with
 * one import of each edge. dependency-cruiser finds no cycle between a folder and the folder around it. Folders count
 * as they stand and, where they lie beside each other, with all that is in them.
 */
function cyclesOfFolders(modules: readonly IModule[]): string[] {
  const imports = modules.flatMap(({ source, dependencies }) =>
    dependencies.map(({ resolved }) => ({ from: source, to: resolved })).filter(isOfProduct),
  )
  const asTheyStand = imports.map(({ from, to }) => ({
    from: dirname(from),
    to: dirname(to),
    example: `${from} → ${to}`,
  }))
  const besideEachOther = asTheyStand.flatMap((edge) => between(edge) ?? [])
  return [...new Set([...cyclesOf(asTheyStand), ...cyclesOf(besideEachOther)])]
}

function isOfProduct({ from, to }: { from: string; to: string }): boolean {
  const product = /^(?:api|workers|web|forms)\//
  return product.test(from) && product.test(to)
}

/** The edge between the outermost folders that differ; none if one folder is inside the other. */
function between({ from, to, example }: Edge): Edge | undefined {
  const [left, right] = [from.split('/'), to.split('/')]
  const at = left.findIndex((name, place) => name !== right[place])
  const inside = at === -1 || at >= right.length
  return inside ? undefined : { from: upTo(left, at), to: upTo(right, at), example }
}

function upTo(path: readonly string[], at: number): string {
  return path.slice(0, at + 1).join('/')
}

function cyclesOf(edges: readonly Edge[]): string[] {
  const next = new Map<string, Map<string, string>>()
  for (const { from, to, example } of edges) {
    if (from === to) continue
    const examples = next.get(from) ?? new Map<string, string>()
    if (!examples.has(to)) examples.set(to, example)
    next.set(from, examples)
  }
  const folders = [...new Set(edges.map(({ from }) => from))].toSorted()
  const circles = circlesOf(folders, (folder) => [...(next.get(folder)?.keys() ?? [])])
  return circles.map((circle) => {
    const examples = circle.flatMap((from) => circle.flatMap((to) => next.get(from)?.get(to) ?? []))
    return `no-cycle-between-folders: ${circle.join(', ')} (${examples.join('; ')})`
  })
}
