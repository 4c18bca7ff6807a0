import sharp from 'sharp'
import { W, H, INK, GROUND, hues, type Palette, type Dice, type Scene, mix } from './drawing.ts'
import { stage, hall, gallery } from './rooms.ts'
import { portrait, screens, studio, table } from './things.ts'
import { slip, signedLetter } from './papers.ts'

/**
 * Pictures for demo entries: calm abstract rooms in a faculty's colour, drawn when demo data is loaded. A picture is
 * named `<scene>/<hue>/<variant>`; the same name always gives the same picture.
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

/** Random numbers seeded by the name. */
function dice(seed: string): Dice {
  let state = Array.from(seed).reduce((hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 16777619), 2166136261)
  // Mixes the bits, so that similar names give different pictures.
  state = Math.imul(state ^ (state >>> 13), 0x5bd1e995)
  return (from, to) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return from + (((t ^ (t >>> 14)) >>> 0) / 4294967296) * (to - from)
  }
}

const scenes: Record<string, Scene> = {
  stage,
  hall,
  gallery,
  table,
  screens,
  studio,
  slip,
  letter: signedLetter,
  portrait,
}
