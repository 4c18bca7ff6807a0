export const W = 1200
export const H = 750
export const INK = '#211c19'
export const GROUND = '#f7f5f2'
export const WOOD = '#b89878'

export const hues: Record<string, string> = {
  'dance-and-drama': '#9c2f6b',
  music: '#1f6f78',
  'visual-arts': '#b5651d',
  'graduate-studies': '#5b4b8a',
  house: '#7a1f2b',
}

export interface Palette {
  night: string
  deep: string
  hue: string
  warm: string
  soft: string
  pale: string
  paper: string
}

export type Dice = (from: number, to: number) => number
export type Scene = (p: Palette, roll: Dice) => string

// ---- strokes ---------------------------------------------------------------------------------------------

const range = (count: number) => Array.from({ length: count }, (_, n) => n)
export const each = (count: number, draw: (n: number) => string) => range(count).map(draw).join('')
export const rect = (x: number, y: number, w: number, h: number, fill: string, more = '') =>
  `<rect x="${x}" y="${y}" width="${w}" height="${h}" fill="${fill}" ${more}/>`
export const poly = (points: number[][], fill: string, more = '') =>
  `<polygon points="${points.map((point) => point.join(',')).join(' ')}" fill="${fill}" ${more}/>`
export const path = (d: string, more: string) => `<path d="${d}" ${more}/>`
export const ellipse = (x: number, y: number, rx: number, ry: number, fill: string, more = '') =>
  `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="${fill}" ${more}/>`

export function mix(a: string, b: string, share: number): string {
  const part = (at: number) => {
    const channel = (colour: string) => parseInt(colour.slice(at, at + 2), 16)
    const [x, y] = [channel(a), channel(b)]
    return Math.round(x + (y - x) * share)
      .toString(16)
      .padStart(2, '0')
  }
  return `#${part(1)}${part(3)}${part(5)}`
}

export function fade(
  id: string,
  stops: [at: number, colour: string, opacity?: number][],
  direction = 'x2="0" y2="1"',
): string {
  return `<linearGradient id="${id}" x1="0" y1="0" ${direction}>${stopsOf(stops)}</linearGradient>`
}

export function glow(id: string, colour: string, strength: number): string {
  return `<radialGradient id="${id}">${stopsOf([
    [0, colour, strength],
    [1, colour, 0],
  ])}</radialGradient>`
}

function stopsOf(stops: [at: number, colour: string, opacity?: number][]): string {
  return stops
    .map(([at, colour, opacity = 1]) => `<stop offset="${at}" stop-color="${colour}" stop-opacity="${opacity}"/>`)
    .join('')
}

/** A floor in perspective, with boards that run to the middle of the back wall. */
export function floor(y: number, light: string, dark: string, boards: string): string {
  return (
    `<defs>${fade('floor', [
      [0, light],
      [1, dark],
    ])}</defs>${rect(0, y, W, H - y, 'url(#floor)')}` +
    each(17, (n) => {
      const x = (n - 8) * 66
      return path(
        `M${W / 2 + x} ${y} L${W / 2 + x * 3.4} ${H}`,
        `stroke="${boards}" stroke-width="1.5" stroke-opacity=".35"`,
      )
    })
  )
}
