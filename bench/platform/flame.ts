/** Samples per call stack, its frames from the root joined by `;`. */
export type Stacks = Map<string, number>

interface Frame {
  name: string
  samples: number
  children: Map<string, Frame>
}

const WIDTH = 1200
const ROW = 17
/** Narrower frames are left out, in pixels. */
const MIN_WIDTH = 4

/** A flame graph: each frame as wide as its share of the samples, over the frame that called it. */
export function flameGraph(title: string, stacks: Stacks): string {
  const root: Frame = { name: 'all', samples: 0, children: new Map() }
  for (const [stack, samples] of stacks) {
    root.samples += samples
    let frame = root
    for (const name of stack.split(';')) {
      const child = frame.children.get(name) ?? { name, samples: 0, children: new Map() }
      frame.children.set(name, child)
      child.samples += samples
      frame = child
    }
  }
  const boxes: string[] = []
  let depth = 0
  const draw = (frame: Frame, left: number, level: number): void => {
    const width = (frame.samples / root.samples) * WIDTH
    if (width < MIN_WIDTH) return
    depth = Math.max(depth, level)
    boxes.push(box(frame, { left, width, level, share: frame.samples / root.samples }))
    let at = left
    for (const child of [...frame.children.values()].toSorted((a, b) => b.samples - a.samples)) {
      draw(child, at, level + 1)
      at += (child.samples / root.samples) * WIDTH
    }
  }
  draw(root, 0, 0)
  const height = (depth + 1) * ROW + 24
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="monospace" font-size="11">`,
    `<text x="4" y="14">${escaped(title)}</text>`,
    `<g transform="translate(0 20)">`,
    ...boxes,
    '</g>',
    '</svg>',
    '',
  ].join('\n')
}

function box(
  { name }: Frame,
  { left, width, level, share }: { left: number; width: number; level: number; share: number },
): string {
  const fits = Math.floor(width / 6.7) - 1
  const shown = name.length <= fits ? name : fits > 3 ? `${name.slice(0, fits - 1)}…` : ''
  const y = level * ROW
  // One colour for each file, so that the same code is found again.
  const hue = Buffer.from(name.replace(/^\S+ ?/, '')).reduce((sum, byte) => (sum * 31 + byte) % 360, 7)
  return (
    `<g><title>${escaped(name)}: ${(share * 100).toFixed(1)} %</title>` +
    `<rect x="${left.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${ROW - 1}" fill="hsl(${hue} 60% 78%)"/>` +
    (shown === '' ? '' : `<text x="${(left + 3).toFixed(1)}" y="${y + 12}">${escaped(shown)}</text>`) +
    '</g>'
  )
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
