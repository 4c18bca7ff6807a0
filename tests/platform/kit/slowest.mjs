import { join, relative } from 'node:path'

const root = join(import.meta.dirname, '../../..')
const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(0)} s`

/** Prints the slowest test files at the end of a run of ten files or more. */
export default class {
  onRunComplete(_, { testResults, startTime }) {
    if (testResults.length < 10) return
    const took = testResults.map(({ testFilePath, perfStats }) => ({ file: testFilePath, ...perfStats }))
    const slowest = took.toSorted((a, b) => b.runtime - a.runtime).slice(0, 10)
    console.log(`\nThe ten slowest of ${took.length} files, of ${seconds(Date.now() - startTime)} in all:`)
    for (const { file, runtime } of slowest) console.log(`  ${seconds(runtime).padStart(6)}  ${relative(root, file)}`)
  }
}
