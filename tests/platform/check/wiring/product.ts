import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Flow, type Library, loadLibrary } from '../../../../api/platform/model/library/library.ts'
import { type Node, graphOf } from '../../../../api/platform/model/bpmn/graph.ts'
import { processesOf, readModel } from '../../../../api/platform/model/bpmn/read.ts'
import type { FieldSchema } from '../../../../api/platform/model/definitions/register.ts'

/** The product as the wiring rules read it; tests overlay faults. */
export interface Product {
  root: string
  library: Library
  /** Key of a flow or of a schedule → the elements of its diagram. */
  nodes: ReadonlyMap<string, readonly Node[]>
  /** Paths from the root folder that match a pattern. */
  files(pattern: string): string[]
  /** A file, by its path from the root folder. */
  text(path: string): string
}

/** Violations, one line each: file, problem and remedy. */
export type Rule = (product: Product) => string[] | Promise<string[]>

export async function readProduct(root: string): Promise<Product> {
  const library = loadLibrary(root)
  const drawn = [...library.flows.values(), ...library.schedules.values()]
  const nodes = drawn.map(async ({ key, bpmn }) => [key, await nodesOf(bpmn.content)] as const)
  return {
    root,
    library,
    nodes: new Map(await Promise.all(nodes)),
    files: (pattern) => globSync(pattern, { cwd: root }).sort(),
    text: (path) => readFileSync(join(root, path), 'utf8'),
  }
}

async function nodesOf(xml: string): Promise<Node[]> {
  return processesOf((await readModel(xml)).definitions).flatMap((process) => [...graphOf(process).nodes.values()])
}

export function jsonOf<T>({ text }: Product, path: string): T {
  return JSON.parse(text(path)) as T
}

/** The elements of all flows' diagrams. */
export function nodesOfFlows({ library, nodes }: Product): Node[] {
  return [...library.flows.keys()].flatMap((key) => nodes.get(key) ?? [])
}

export function manifestOf({ key }: Pick<Flow, 'key'>): string {
  return `forms/${key}.flow.json`
}

export function diagramOf({ bpmn }: Pick<Flow, 'bpmn'>): string {
  return `processes/${bpmn.key}`
}

/** Where an area's code or text is declared; the area is the first part of the name. */
export function inArea(name: string, file: string): string {
  return `forms/${name.split('.')[0]}/${file}`
}

/** The field that a pointer leads to; `*` stands for each row of a list. */
export function fieldAt(schema: FieldSchema, pointer: string): FieldSchema | undefined {
  return pointer
    .split('/')
    .slice(1)
    .reduce<FieldSchema | undefined>((at, name) => (name === '*' ? at?.items : at?.properties?.[name]), schema)
}

/** Whether a pointer (after `#`: into the register item that the field refers to) leads to a field. */
export const leadsToField = (library: Library, schema: FieldSchema, pointer: string): boolean =>
  fieldBehind(library, schema, pointer) !== undefined

/** The field to which a lookup leads; of a title, the one that names the entry. */
export function fieldBehind({ registers }: Library, schema: FieldSchema, pointer: string): FieldSchema | undefined {
  const [own, ...hops] = pointer.split('#')
  let field = fieldAt(schema, own!)
  for (const hop of hops) {
    if (field && hop === '/title') return field
    const item = registers.get(field?.['x-register'] ?? '')?.item
    field = item && fieldAt(item, hop.replace(/^\/data/, ''))
  }
  return field
}
