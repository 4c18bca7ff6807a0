import {
  W,
  H,
  INK,
  GROUND,
  WOOD,
  hues,
  type Palette,
  type Dice,
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

/** A meeting room from above: a table, its chairs, papers. */
export const table: Scene = (p, roll) => {
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
export const screens: Scene = (p, roll) => {
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

/** A studio: tall windows with their light on the floor, and the equipment of the art. */
export const studio: Scene = (p, roll) => {
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

/** The equipment of a studio: easels, a barre with a dancer, a piano or drums; otherwise cushions. */
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

/** Head and shoulders, as on a photograph for an application. */
export const portrait: Scene = (palette, roll) => {
  const [x, width] = [W / 2, W * roll(0.11, 0.14)]
  return [
    `<rect width="${W}" height="${H}" fill="${palette.paper}"/>`,
    `<ellipse cx="${x}" cy="${H * 1.06}" rx="${width * 2.2}" ry="${H * 0.42}" fill="${palette.hue}"/>`,
    `<ellipse cx="${x}" cy="${H * 0.42}" rx="${width}" ry="${width * 1.25}" fill="${palette.warm}"/>`,
    `<path d="M${x - width} ${H * 0.4} a${width} ${width} 0 0 1 ${width * 2} 0 z" fill="${palette.night}"/>`,
  ].join('')
}
