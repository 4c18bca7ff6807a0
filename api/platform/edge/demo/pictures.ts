import sharp from 'sharp'

/**
 * Pictures for demo items: calm abstract rooms in a faculty's hue, drawn anew wherever demo data is loaded. A picture
 * is named `<scene>/<hue>/<variant>`; the same name always gives the same picture.
 */
export async function drawPicture(name: string): Promise<Buffer> {
  const [scene = '', hue = '', variant = ''] = name.split('/')
  const draw = scenes[scene]
  const base = hues[hue]
  if (!draw || !base || !/^\d+$/.test(variant)) throw new Error(`there is no picture ${name}`)
  const body = draw(paletteOf(base), dice(name))
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${W}" height="${H}" viewBox="0 0 ${W} ${H}">${body}</svg>`
  return sharp(Buffer.from(svg)).webp({ quality: 84 }).toBuffer()
}

const W = 1200
const H = 750
const INK = '#211c19'
const GROUND = '#f7f5f2'
const WOOD = '#b89878'

const hues: Record<string, string> = {
  'dance-and-drama': '#9c2f6b',
  music: '#1f6f78',
  'visual-arts': '#b5651d',
  'graduate-studies': '#5b4b8a',
  house: '#7a1f2b',
}

interface Palette {
  night: string
  deep: string
  hue: string
  warm: string
  soft: string
  pale: string
  paper: string
}

type Dice = (from: number, to: number) => number
type Scene = (p: Palette, roll: Dice) => string

function paletteOf(hue: string): Palette {
  return {
    night: mix(hue, INK, 0.78),
    deep: mix(hue, INK, 0.48),
    hue,
    warm: mix(hue, '#d9a566', 0.45),
    soft: mix(hue, GROUND, 0.5),
    pale: mix(hue, GROUND, 0.8),
    paper: mix(hue, GROUND, 0.93),
  }
}

function mix(a: string, b: string, share: number): string {
  const part = (at: number) => {
    const [x, y] = [a, b].map((colour) => parseInt(colour.slice(at, at + 2), 16)) as [number, number]
    return Math.round(x + (y - x) * share)
      .toString(16)
      .padStart(2, '0')
  }
  return `#${part(1)}${part(3)}${part(5)}`
}

/** Random numbers that the name alone decides. */
function dice(seed: string): Dice {
  let state = Array.from(seed).reduce((hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 16777619), 2166136261)
  // Names that differ in one letter shall not look alike.
  state = Math.imul(state ^ (state >>> 13), 0x5bd1e995)
  return (from, to) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return from + (((t ^ (t >>> 14)) >>> 0) / 4294967296) * (to - from)
  }
}

// ---- strokes ---------------------------------------------------------------------------------------------

const range = (count: number) => Array.from({ length: count }, (_, n) => n)
const each = (count: number, draw: (n: number) => string) => range(count).map(draw).join('')
const rect = (x: number, y: number, w: number, h: number, fill: string, more = '') =>
  `<rect x="${x}" y="${y}" width="${w}" height="${h}" fill="${fill}" ${more}/>`
const poly = (points: number[][], fill: string, more = '') =>
  `<polygon points="${points.map((point) => point.join(',')).join(' ')}" fill="${fill}" ${more}/>`
const path = (d: string, more: string) => `<path d="${d}" ${more}/>`
const ellipse = (x: number, y: number, rx: number, ry: number, fill: string, more = '') =>
  `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="${fill}" ${more}/>`

function fade(
  id: string,
  stops: [at: number, colour: string, opacity?: number][],
  direction = 'x2="0" y2="1"',
): string {
  return `<linearGradient id="${id}" x1="0" y1="0" ${direction}>${stopsOf(stops)}</linearGradient>`
}

function glow(id: string, colour: string, strength: number): string {
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

/** A floor seen in perspective, with boards that run to the middle of the back wall. */
function floor(y: number, light: string, dark: string, boards: string): string {
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

// ---- scenes ----------------------------------------------------------------------------------------------

/** A stage: curtains, a pool of light, the first rows in the dark. */
const stage: Scene = (p, roll) => {
  const width = roll(190, 300)
  const lamps = Math.round(roll(1.6, 4.4))
  const spot = roll(0.36, 0.64) * W
  const fold = (mirror: boolean) =>
    each(7, (n) => {
      const w = width / 7
      const x = mirror ? W - (n + 1) * w : n * w
      const hem = 560 - n * 14
      return path(`M${x} 0 H${x + w + 1} V${hem} Q${x + w / 2} ${hem + 22} ${x} ${hem} Z`, 'fill="url(#fold)"')
    })
  return (
    `<defs>${fade('back', [
      [0, p.night],
      [0.7, p.deep],
      [1, mix(p.deep, p.warm, 0.35)],
    ])}${fade(
      'fold',
      [
        [0, mix(p.hue, INK, 0.5)],
        [0.4, p.hue],
        [0.6, mix(p.hue, GROUND, 0.14)],
        [1, mix(p.hue, INK, 0.55)],
      ],
      'x2="1" y2="0"',
    )}${fade('beam', [
      [0, '#fff4dd', 0.5],
      [1, '#fff4dd', 0.02],
    ])}${glow('pool', '#ffeccb', 0.85)}</defs>` +
    rect(0, 0, W, H, 'url(#back)') +
    each(3, (n) =>
      rect(300 + n * 8, 60 + n * 40, W - 600 - n * 16, 420 - n * 30, p.night, 'fill-opacity=".16" rx="4"'),
    ) +
    floor(500, mix(WOOD, p.deep, 0.35), p.night, INK) +
    ellipse(spot, 540, 330, 66, 'url(#pool)') +
    each(lamps, (n) => {
      const x = W * 0.3 + (n * W * 0.4) / Math.max(1, lamps - 1)
      return poly(
        [
          [x - 12, 0],
          [x + 12, 0],
          [spot + 210, 545],
          [spot - 210, 545],
        ],
        'url(#beam)',
        'style="mix-blend-mode:screen"',
      )
    }) +
    fold(false) +
    fold(true) +
    path(
      `M0 0 H${W} V54 ${each(12, (n) => `Q${W - n * 100 - 50} 104 ${W - (n + 1) * 100} 54 `)}Z`,
      `fill="${mix(p.hue, INK, 0.42)}"`,
    ) +
    each(3, (row) => {
      const y = 640 + row * 44
      const seats = 15 - row
      const w = W / seats
      return each(seats, (n) => {
        const rise = Math.abs(n - (seats - 1) / 2) * -3
        return rect(n * w + 7, y - rise * 0.6, w - 14, 150, mix(p.night, INK, 0.3 + row * 0.25), 'rx="16"')
      })
    })
  )
}

/** A lecture hall: rising rows towards a bright board, light from tall windows. */
const hall: Scene = (p, roll) => {
  const windows = Math.round(roll(3, 5))
  const left = roll(0, 1) < 0.5
  const side = (x: number) => (left ? x : W - x)
  return (
    `<defs>${fade('wall', [
      [0, p.pale],
      [1, p.paper],
    ])}${fade('pane', [
      [0, '#fffdf6'],
      [1, mix(p.soft, '#ffffff', 0.75)],
    ])}${fade('board', [
      [0, mix(p.deep, p.hue, 0.2)],
      [1, p.deep],
    ])}</defs>` +
    rect(0, 0, W, H, 'url(#wall)') +
    poly(
      [
        [0, 0],
        [W, 0],
        [W - 210, 96],
        [210, 96],
      ],
      mix(p.pale, WOOD, 0.3),
    ) +
    each(9, (n) =>
      path(`M${n * 150} 0 L${210 + n * 97.5} 96`, `stroke="${p.soft}" stroke-width="2" stroke-opacity=".6"`),
    ) +
    poly(
      [
        [side(0), 0],
        [side(210), 96],
        [side(210), 470],
        [side(0), H],
      ],
      mix(p.pale, INK, 0.06),
    ) +
    each(windows, (n) => {
      const step = 190 / windows
      const x0 = 12 + n * step
      const x1 = x0 + step * 0.68
      const top = (x: number) => 70 + x * 0.36
      const bottom = (x: number) => 560 - x * 0.92
      return poly(
        [
          [side(x0), top(x0)],
          [side(x1), top(x1)],
          [side(x1), bottom(x1)],
          [side(x0), bottom(x0)],
        ],
        'url(#pane)',
      )
    }) +
    rect(370, 150, 460, 190, 'url(#board)', 'rx="5"') +
    path(
      `M400 ${roll(210, 300)} C 500 ${roll(170, 210)}, 600 ${roll(280, 320)}, 800 ${roll(190, 240)}`,
      `stroke="${p.warm}" stroke-width="4" fill="none" stroke-linecap="round"`,
    ) +
    each(4, (n) =>
      path(
        `M410 ${196 + n * 24} h${roll(70, 190)}`,
        `stroke="${p.pale}" stroke-width="3" stroke-opacity=".55" stroke-linecap="round"`,
      ),
    ) +
    rect(560, 372, 90, 84, mix(WOOD, p.deep, 0.25), 'rx="4"') +
    each(5, (n) => {
      const y = 470 + n * 58 + n * n * 3
      const dip = 30 + n * 8
      const seats = 15 - n
      const wide = (W / seats) * 0.72
      const shade = mix(mix(WOOD, p.hue, 0.16), p.deep, 0.05 + n * 0.14)
      const edge = `M0 ${y} Q${W / 2} ${y - dip} ${W} ${y}`
      return (
        path(`${edge} V${H} H0 Z`, `fill="${shade}"`) +
        path(edge, `stroke="${p.paper}" stroke-opacity=".5" stroke-width="3" fill="none"`) +
        each(seats, (seat) => {
          const middle = ((seat + 0.5) * W) / seats
          const along = middle / W
          const top = y - 2 * along * (1 - along) * dip + 20 + n * 2
          return rect(middle - wide / 2, top, wide, 120, mix(p.hue, p.night, 0.12 + n * 0.17), `rx="${11 + n * 2}"`)
        })
      )
    })
  )
}

/** A gallery: framed compositions under soft lamps, a bench. */
const gallery: Scene = (p, roll) => {
  const frames = Math.round(roll(2, 4))
  const gap = 70
  const w = (W - 240 - gap * (frames - 1)) / frames
  const art = (x: number, y: number, h: number) => {
    const tones = [p.hue, p.deep, p.warm, p.soft, p.pale]
    const pick = () => tones[Math.floor(roll(0, tones.length))] ?? p.hue
    const id = `clip${Math.round(x)}`
    const horizon = y + h * roll(0.5, 0.72)
    const r = Math.min(w, h) * roll(0.16, 0.26)
    return (
      `<clipPath id="${id}"><rect x="${x}" y="${y}" width="${w}" height="${h}"/></clipPath>` +
      `<g clip-path="url(#${id})">${rect(x, y, w, h, mix(pick(), GROUND, 0.72))}` +
      ellipse(x + w * roll(0.3, 0.7), horizon - h * roll(0.05, 0.25), r, r, pick()) +
      path(
        `M${x} ${horizon} q${w / 4} ${-h * roll(0.05, 0.16)} ${w / 2} 0 t${w / 2} 0 V${y + h} H${x} Z`,
        `fill="${pick()}"`,
      ) +
      path(
        `M${x} ${horizon + h * 0.14} q${w / 4} ${h * roll(-0.08, 0.08)} ${w / 2} 0 t${w / 2} 0 V${y + h} H${x} Z`,
        `fill="${pick()}" fill-opacity=".85"`,
      ) +
      '</g>'
    )
  }
  return (
    `<defs>${fade('wall', [
      [0, mix(p.paper, INK, 0.05)],
      [1, p.paper],
    ])}${glow('lamp', '#fff6e2', 0.95)}${fade('shine', [
      [0, '#ffffff', 0.35],
      [1, '#ffffff', 0],
    ])}</defs>` +
    rect(0, 0, W, H, 'url(#wall)') +
    rect(0, 22, W, 8, mix(INK, p.paper, 0.35)) +
    each(frames, (n) => ellipse(120 + n * (w + gap) + w / 2, 250, w * 0.75, 300, 'url(#lamp)')) +
    floor(560, mix(p.pale, WOOD, 0.42), mix(WOOD, p.deep, 0.3), p.deep) +
    each(frames, (n) => {
      const h = roll(230, 350)
      const x = 120 + n * (w + gap)
      const y = 300 - h / 2 + 10
      return (
        rect(x + w / 2 - 3, 30, 6, 20, INK) +
        rect(x - 12, y - 6, w + 30, h + 30, INK, 'fill-opacity=".10" rx="3"') +
        rect(x - 14, y - 14, w + 28, h + 28, '#ffffff') +
        art(x, y, h) +
        rect(x, 562, w, 120, 'url(#shine)')
      )
    }) +
    (() => {
      const x = roll(360, 560)
      return (
        ellipse(x + 140, 694, 190, 15, INK, 'fill-opacity=".22"') +
        rect(x, 626, 280, 22, mix(WOOD, INK, 0.35), 'rx="4"') +
        rect(x + 26, 648, 16, 46, mix(WOOD, INK, 0.6)) +
        rect(x + 238, 648, 16, 46, mix(WOOD, INK, 0.6))
      )
    })()
  )
}

/** A meeting room from above: a table, its chairs, papers. */
const table: Scene = (p, roll) => {
  const round = roll(0, 1)
  const [a, b] = round < 0.4 ? [230, 230] : [370, 190]
  const chairs = round < 0.4 ? 8 : 12
  const cx = W / 2
  const cy = H / 2
  const turn = roll(-14, 14)
  const around = (n: number, of: number, out: number) => {
    const angle = (n / of) * 2 * Math.PI + 0.13
    return {
      x: cx + Math.cos(angle) * (a + out),
      y: cy + Math.sin(angle) * (b + out),
      degrees: (angle * 180) / Math.PI,
    }
  }
  return (
    `<defs>${fade('ground', [
      [0, mix(p.soft, p.deep, 0.12)],
      [1, mix(p.soft, p.deep, 0.36)],
    ])}${glow('lamp', '#fff3da', 0.6)}${fade('wood', [
      [0, mix(WOOD, GROUND, 0.35)],
      [1, mix(WOOD, INK, 0.1)],
    ])}</defs>` +
    rect(0, 0, W, H, 'url(#ground)') +
    each(14, (n) => rect(0, n * 56, W, 1.5, p.deep, 'fill-opacity=".16"')) +
    `<g transform="rotate(${turn} ${cx} ${cy})">` +
    ellipse(cx, cy, a + 190, b + 170, p.pale, 'fill-opacity=".5"') +
    ellipse(cx, cy, a + 172, b + 152, 'none', `stroke="${p.hue}" stroke-opacity=".35" stroke-width="5"`) +
    each(chairs, (n) => {
      const { x, y, degrees } = around(n, chairs, 66)
      return `<g transform="translate(${x} ${y}) rotate(${degrees + 90})">${rect(-37, -30, 78, 72, INK, 'rx="20" fill-opacity=".18"')}${rect(-39, -36, 78, 72, p.deep, 'rx="20"')}${rect(-39, -36, 78, 20, p.night, 'rx="10"')}</g>`
    }) +
    ellipse(cx + 10, cy + 16, a + 8, b + 10, INK, 'fill-opacity=".22"') +
    ellipse(cx, cy, a, b, 'url(#wood)') +
    ellipse(cx, cy, a * 0.9, b * 0.88, 'none', 'stroke="#ffffff" stroke-opacity=".28" stroke-width="3"') +
    each(chairs, (n) => {
      const { x, y, degrees } = around(n, chairs, -66)
      if (roll(0, 1) < 0.3) return ''
      return `<g transform="translate(${x} ${y}) rotate(${degrees + 90 + roll(-12, 12)})">${rect(-22, -29, 44, 58, GROUND, 'rx="2"')}${each(4, (line) => rect(-15, -20 + line * 11, roll(14, 30), 3, p.soft))}</g>`
    }) +
    ellipse(cx, cy, 46, 46, p.hue) +
    ellipse(cx, cy, 30, 30, p.warm) +
    each(
      9,
      (n) =>
        `<g transform="rotate(${n * 40} ${cx} ${cy})">${ellipse(cx, cy - 34, 11, 26, mix(p.hue, '#4f7d4a', 0.7))}</g>`,
    ) +
    ellipse(cx, cy, 16, 16, p.warm) +
    '</g>' +
    ellipse(cx - 140, cy - 90, 620, 430, 'url(#lamp)')
  )
}

/** A computer room: rows of lit screens with drawings on them. */
const screens: Scene = (p, roll) => {
  const screen = (x: number, y: number, w: number, light: number) => {
    const h = w * 0.6
    const glass = mix(p.deep, p.hue, 0.25 + light * 0.5)
    const kind = Math.floor(roll(0, 3))
    const drawing =
      kind === 0
        ? path(
            `M${x + w * 0.12} ${y + h * 0.75} C ${x + w * 0.3} ${y + h * roll(0, 0.4)}, ${x + w * 0.6} ${y + h * roll(0.6, 1)}, ${x + w * 0.88} ${y + h * 0.25}`,
            `stroke="${p.warm}" stroke-width="${w * 0.022}" fill="none" stroke-linecap="round"`,
          )
        : kind === 1
          ? each(6, (n) => {
              const tall = h * roll(0.18, 0.62)
              return rect(
                x + w * (0.14 + n * 0.125),
                y + h * 0.82 - tall,
                w * 0.075,
                tall,
                n % 3 ? p.pale : p.warm,
                'fill-opacity=".85" rx="2"',
              )
            })
          : ellipse(x + w * 0.4, y + h * 0.5, h * 0.28, h * 0.28, p.warm, 'fill-opacity=".9"') +
            ellipse(x + w * 0.58, y + h * 0.5, h * 0.28, h * 0.28, p.pale, 'fill-opacity=".7"')
    return (
      rect(x + w / 2 - w * 0.05, y + h, w * 0.1, w * 0.13, p.night) +
      rect(x + w / 2 - w * 0.2, y + h + w * 0.11, w * 0.4, w * 0.03, p.night, 'rx="3"') +
      rect(x - w * 0.03, y - w * 0.03, w * 1.06, h + w * 0.06, INK, `rx="${w * 0.035}"`) +
      rect(x, y, w, h, glass, `rx="${w * 0.015}"`) +
      drawing
    )
  }
  return (
    `<defs>${fade('wall', [
      [0, p.night],
      [1, p.deep],
    ])}${glow('light', p.soft, 0.5)}</defs>` +
    rect(0, 0, W, H, 'url(#wall)') +
    each(7, (n) => rect(60 + n * 160, 46, 108, 8, '#fff6e2', 'fill-opacity=".75" rx="4"')) +
    ellipse(W / 2, 330, 760, 330, 'url(#light)') +
    each(3, (row) => {
      const count = 6 - row
      const w = 118 + row * 52
      const y = 152 + row * 148 + row * row * 22
      const step = (W - 60) / count
      const desk = y + w * 0.73
      return (
        each(count, (n) => screen(30 + n * step + (step - w) / 2, y, w, 1 - row * 0.3)) +
        rect(0, desk, W, 16 + row * 7, mix(WOOD, p.deep, 0.45 - row * 0.12)) +
        rect(0, desk + 16 + row * 7, W, row === 2 ? H : 60, p.night, 'fill-opacity=".7"')
      )
    })
  )
}

/** A studio: tall windows and their light on the floor, and what the art needs. */
const studio: Scene = (p, roll) => {
  const panes = Math.round(roll(3, 5))
  const w = 640 / panes
  const x0 = roll(90, 420)
  const lean = roll(-150, 150)
  const room =
    `<defs>${fade('wall', [
      [0, mix(p.pale, INK, 0.05)],
      [1, p.paper],
    ])}${fade('sky', [
      [0, mix(p.soft, '#ffffff', 0.55)],
      [1, '#fffaf0'],
    ])}${fade('ray', [
      [0, '#fff6df', 0.75],
      [1, '#fff6df', 0.05],
    ])}</defs>` +
    rect(0, 0, W, H, 'url(#wall)') +
    floor(530, mix(WOOD, GROUND, 0.35), mix(WOOD, p.deep, 0.25), p.deep) +
    rect(0, 522, W, 10, mix(p.soft, INK, 0.08)) +
    each(panes, (n) => {
      const x = x0 + n * w
      return (
        rect(x, 80, w - 18, 392, 'url(#sky)') +
        rect(x, 210, w - 18, 5, p.soft) +
        rect(x, 340, w - 18, 5, p.soft) +
        rect(x + (w - 18) / 2 - 2, 80, 4, 392, p.soft) +
        poly(
          [
            [x, 540],
            [x + w - 18, 540],
            [x + w - 18 + lean + (x - 500) * 0.4, H],
            [x + lean + (x - 500) * 0.4 - 20, H],
          ],
          'url(#ray)',
        )
      )
    })
  return room + craft(p, roll)
}

/** What stands in a studio: easels, a barre with a movement in the air, a piano or drums; elsewhere cushions. */
function craft(p: Palette, roll: Dice): string {
  if (p.hue === hues['visual-arts']) {
    return each(3, (n) => {
      const x = 200 + n * 330 + roll(-40, 40)
      const y = 330 + roll(-20, 40)
      const h = roll(190, 240)
      const tone = [p.hue, p.deep, p.warm][n] ?? p.hue
      const leg = `stroke="${mix(WOOD, INK, 0.5)}" stroke-width="11" stroke-linecap="round"`
      return (
        ellipse(x + 80, y + h + 118, 130, 12, INK, 'fill-opacity=".2"') +
        path(`M${x + 80} ${y - 60} L${x + 80} ${y + h + 60}`, leg) +
        path(`M${x + 60} ${y - 40} L${x - 12} ${y + h + 116}`, leg) +
        path(`M${x + 100} ${y - 40} L${x + 172} ${y + h + 116}`, leg) +
        rect(x - 6, y - 6, 172, h + 12, '#ffffff', `stroke="${p.soft}" stroke-width="2"`) +
        rect(x, y, 160, h, mix(tone, GROUND, 0.78)) +
        ellipse(x + roll(50, 110), y + h * roll(0.3, 0.45), 36, 36, tone) +
        path(
          `M${x} ${y + h * 0.66} q40 ${roll(-50, 0)} 80 0 t80 0 V${y + h} H${x} Z`,
          `fill="${mix(tone, INK, 0.25)}"`,
        ) +
        rect(x - 14, y + h + 6, 188, 12, mix(WOOD, INK, 0.4), 'rx="3"')
      )
    })
  }
  if (p.hue === hues['dance-and-drama']) {
    const ribbon = (shift: number, colour: string, width: number) =>
      path(
        `M${-40 + shift} ${roll(560, 640)} C ${260 + shift} ${roll(140, 260)}, ${430 + shift} ${roll(640, 740)}, ${690 + shift} ${roll(320, 420)} S ${1020 + shift} ${roll(120, 260)}, ${1260 + shift} ${roll(300, 460)}`,
        `stroke="${colour}" stroke-width="${width}" fill="none" stroke-linecap="round" stroke-opacity=".9"`,
      )
    return (
      rect(0, 398, W, 9, mix(WOOD, INK, 0.3)) +
      each(5, (n) => rect(110 + n * 240, 398, 8, 132, mix(WOOD, INK, 0.45))) +
      ribbon(0, p.soft, 64) +
      ribbon(30, p.hue, 26) +
      ribbon(-20, p.warm, 9)
    )
  }
  if (p.hue === hues['music']) return roll(0, 1) < 0.5 ? piano(p, roll) : drums(p, roll)
  return each(5, (n) => {
    const x = 170 + n * 190 + roll(-26, 26)
    const h = roll(120, 250)
    return (
      ellipse(x + 45, 668, 74, 10, INK, 'fill-opacity=".2"') +
      rect(x, 664 - h, 90, h, n % 2 ? p.deep : p.hue, 'rx="45"')
    )
  })
}

function piano(p: Palette, roll: Dice): string {
  const x = roll(180, 380)
  return (
    ellipse(x + 330, 690, 390, 24, INK, 'fill-opacity=".25"') +
    path(
      `M${x} 480 L${x + 70} 210 Q${x + 330} 130 ${x + 600} 330 Q${x + 660} 420 ${x + 640} 480 Z`,
      `fill="${p.deep}"`,
    ) +
    each(11, (n) => {
      const string = `M${x + 60 + n * 50} 474 L${x + 96 + n * 40} ${238 + Math.abs(n - 3) * 15}`
      return path(string, `stroke="${p.warm}" stroke-width="2.5" stroke-opacity=".8"`)
    }) +
    path(`M${x - 36} 480 H${x + 650} Q${x + 672} 540 ${x + 600} 566 H${x - 36} Z`, `fill="${p.night}"`) +
    rect(x - 36, 486, 250, 20, GROUND, 'rx="2"') +
    each(15, (n) => (n % 7 === 2 || n % 7 === 6 ? '' : rect(x - 28 + n * 16, 486, 8, 12, INK))) +
    each(3, (n) => rect(x + 4 + n * 270, 566, 16, 122, p.night))
  )
}

/** Drums standing on their ends, laced from skin to skin. */
function drums(p: Palette, roll: Dice): string {
  return each(5, (n) => {
    const wide = roll(66, 104)
    const x = 150 + n * 225 + roll(-24, 24)
    const top = roll(380, 500)
    const foot = 650 + (n % 2) * 28
    const belly = wide * 1.34
    const body = mix([p.hue, p.deep, p.warm][n % 3] ?? p.hue, WOOD, 0.25)
    const side = (sign: number) => `Q${x + sign * belly} ${(top + foot) / 2} ${x + sign * wide * 0.9}`
    return (
      ellipse(x + 16, foot + 4, belly, 18, INK, 'fill-opacity=".22"') +
      path(
        `M${x - wide * 0.9} ${foot} ${side(-1).replace(/ \S+$/, '')} ${x - wide} ${top} H${x + wide} ${side(1)} ${foot} Z`,
        `fill="${body}"`,
      ) +
      ellipse(x, foot, wide * 0.9, wide * 0.2, body) +
      each(9, (line) => {
        const share = line / 8 - 0.5
        const upper = x + share * wide * 1.9
        const middle = x + share * belly * 1.9
        return path(
          `M${upper} ${top + 14} Q${middle} ${(top + foot) / 2} ${x + (share + (line % 2 ? 0.07 : -0.07)) * wide * 1.7} ${foot}`,
          `stroke="${p.paper}" stroke-width="2.5" stroke-opacity=".7" fill="none"`,
        )
      }) +
      ellipse(x, top, wide + 5, wide * 0.27, mix(body, INK, 0.4)) +
      ellipse(x, top - 5, wide, wide * 0.24, mix(GROUND, WOOD, 0.25)) +
      ellipse(x, top - 5, wide * 0.42, wide * 0.1, mix(WOOD, INK, 0.45))
    )
  })
}

/** The slip of a bank, as a booker photographs it on a table. */
function slip(p: Palette, roll: Dice): string {
  return (
    rect(0, 0, W, H, mix(p.soft, WOOD, 0.4)) +
    rect(250, 60, 700, 640, INK, 'fill-opacity=".18"') +
    rect(240, 48, 700, 640, GROUND) +
    rect(240, 48, 700, 96, p.deep) +
    each(9, (n) => rect(290, 190 + n * 48, 170, 14, p.soft) + rect(500, 190 + n * 48, roll(120, 380), 14, p.night)) +
    ellipse(820, 600, 70, 52, p.hue, 'fill-opacity=".5"')
  )
}

/** A signed letter on a table. */
function signedLetter(p: Palette, roll: Dice): string {
  return (
    rect(0, 0, W, H, mix(p.soft, WOOD, 0.3)) +
    rect(360, 40, 500, 680, INK, 'fill-opacity=".18"') +
    rect(350, 30, 500, 680, GROUND) +
    rect(400, 80, 180, 14, p.deep) +
    each(10, (n) => rect(400, 170 + n * 36, roll(280, 400), 10, p.night, 'fill-opacity=".6"')) +
    ellipse(480, 610, 70, 16, p.deep, 'fill-opacity=".7"')
  )
}

const scenes: Record<string, Scene> = { stage, hall, gallery, table, screens, studio, slip, letter: signedLetter }
