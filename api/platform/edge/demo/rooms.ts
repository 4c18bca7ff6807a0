import {
  W,
  H,
  INK,
  GROUND,
  WOOD,
  type Palette,
  type Scene,
  each,
  rect,
  poly,
  path,
  ellipse,
  mix,
  fade,
  glow,
  floor,
} from './drawing.ts'

// ---- scenes ----------------------------------------------------------------------------------------------

/** A stage: curtains, a pool of light, the first rows in the dark. */
export const stage: Scene = (p, roll) => {
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
    frontRows(p)
  )
}

/** A lecture hall: rising rows towards a bright board, light from tall windows. */
export const hall: Scene = (p, roll) => {
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
    tallWindows(p, windows, side) +
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
    benches(p)
  )
}

/** A gallery: framed compositions under soft lamps, a bench. */
export const gallery: Scene = (p, roll) => {
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

/** The first rows, seen from behind. */
function frontRows(p: Palette): string {
  return each(3, (row) => {
    const y = 640 + row * 44
    const seats = 15 - row
    const w = W / seats
    return each(seats, (n) => {
      const rise = Math.abs(n - (seats - 1) / 2) * -3
      return rect(n * w + 7, y - rise * 0.6, w - 14, 150, mix(p.night, INK, 0.3 + row * 0.25), 'rx="16"')
    })
  })
}

/** Windows in the side wall, smaller towards the front. */
function tallWindows(p: Palette, windows: number, side: (x: number) => number): string {
  return each(windows, (n) => {
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
  })
}

/** Curved rows that rise towards the back. */
function benches(p: Palette): string {
  return each(5, (n) => {
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
}
