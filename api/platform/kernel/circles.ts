/**
 * Nodes of a graph that can reach each other: its strongly connected components (Tarjan) that contain a cycle, each in
 * the order of `nodes`. It recurses once per node, so the caller bounds their number: the gate accepts at most 500.
 */
export function circlesOf<T>(nodes: readonly T[], next: (node: T) => readonly T[]): T[][] {
  const index = new Map<T, number>()
  const stack: T[] = []
  const on = new Set<T>()
  const circles: T[][] = []
  /** Returns the lowest index on the stack that the node reaches. */
  const visit = (node: T): number => {
    const own = index.size
    let low = own
    index.set(node, own)
    stack.push(node)
    on.add(node)
    for (const one of next(node)) {
      const seen = index.get(one)
      if (seen === undefined) low = Math.min(low, visit(one))
      else if (on.has(one)) low = Math.min(low, seen)
    }
    if (low !== own) return low
    const part = new Set(stack.splice(stack.indexOf(node)))
    for (const one of part) on.delete(one)
    if (part.size > 1 || next(node).includes(node)) circles.push(nodes.filter((one) => part.has(one)))
    return low
  }
  for (const node of nodes) if (!index.has(node)) visit(node)
  return circles
}
