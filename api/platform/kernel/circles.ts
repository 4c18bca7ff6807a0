/**
 * Nodes of a graph that can reach each other: its strongly connected components (Tarjan) that contain a cycle, each in
 * the order of `nodes`. It recurses once per node, so the caller bounds their number: the gate accepts at most 500.
 */
export function circlesOf<T>(nodes: readonly T[], next: (node: T) => readonly T[]): T[][] {
  const [index, low] = [new Map<T, number>(), new Map<T, number>()]
  const [stack, on] = [[] as T[], new Set<T>()]
  const circles: T[][] = []
  const visit = (node: T): void => {
    index.set(node, index.size)
    low.set(node, index.get(node)!)
    stack.push(node)
    on.add(node)
    for (const one of next(node)) {
      if (!index.has(one)) visit(one)
      if (on.has(one)) low.set(node, Math.min(low.get(node)!, low.get(one)!))
    }
    if (low.get(node) !== index.get(node)) return
    const part = new Set(stack.splice(stack.indexOf(node)))
    for (const one of part) on.delete(one)
    if (part.size > 1 || next(node).includes(node)) circles.push(nodes.filter((one) => part.has(one)))
  }
  for (const node of nodes) if (!index.has(node)) visit(node)
  return circles
}
