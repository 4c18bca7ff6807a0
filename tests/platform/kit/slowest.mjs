import { writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'

const root = join(import.meta.dirname, '../../..')
const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(0)} s`

/**
 * Prints the slowest test files at the end of a run of ten files or more. With `PRAKRIYA_SECONDS` it records how long
 * each took, for the order of later runs.
 */
export default class {
  onRunComplete(_, { testResults, startTime }) {
    if (testResults.length < 10) return
    const took = testResults.map(({ testFilePath, perfStats }) => ({
      file: relative(root, testFilePath),
      ...perfStats,
    }))
    const slowest = took.toSorted((a, b) => b.runtime - a.runtime)
    console.log(`\nThe ten slowest of ${took.length} files, of ${seconds(Date.now() - startTime)} in all:`)
    for (const { file, runtime } of slowest.slice(0, 10)) console.log(`  ${seconds(runtime).padStart(6)}  ${file}`)
    if (!process.env.PRAKRIYA_SECONDS) return
    const noted = slowest.map(({ file, runtime }) => [file, Math.round(runtime / 1000)])
    writeFileSync(join(import.meta.dirname, 'seconds.json'), `${JSON.stringify(Object.fromEntries(noted), null, 2)}\n`)
  }
}
