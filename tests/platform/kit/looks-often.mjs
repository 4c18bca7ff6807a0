/** Playwright's waits between two looks at a page, in milliseconds, and ours. */
const waits = [
  ['const backoffScale = [20, 50, 100, 100, 500];', 'const backoffScale = [20, 50, 100];'],
  ['const waitTime = [0, 20, 100, 100, 500];', 'const waitTime = [0, 20, 50, 100];'],
]

/**
 * Makes Playwright look for what a test awaits every 100 ms, as jest's transform of its bundle: it does so every 500 ms
 * after the first 270, and most pages come soon after those. There is no option for it.
 */
export default {
  process(source) {
    const code = waits.reduce((before, [theirs, ours]) => {
      if (!before.includes(theirs)) throw new Error(`playwright-core no longer has ${theirs}: look for its waits again`)
      return before.replace(theirs, ours)
    }, source)
    return { code }
  },
}
