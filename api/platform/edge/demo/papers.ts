import { W, H, INK, GROUND, WOOD, type Palette, type Dice, each, rect, ellipse, mix } from './drawing.ts'

/** A bank slip, as a booker photographs it on a table. */
export function slip(p: Palette, roll: Dice): string {
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
export function signedLetter(p: Palette, roll: Dice): string {
  return (
    rect(0, 0, W, H, mix(p.soft, WOOD, 0.3)) +
    rect(360, 40, 500, 680, INK, 'fill-opacity=".18"') +
    rect(350, 30, 500, 680, GROUND) +
    rect(400, 80, 180, 14, p.deep) +
    each(10, (n) => rect(400, 170 + n * 36, roll(280, 400), 10, p.night, 'fill-opacity=".6"')) +
    ellipse(480, 610, 70, 16, p.deep, 'fill-opacity=".7"')
  )
}
