import { resolve } from 'node:path'
import { writeGenerated } from './generated.ts'
import { makers } from './makers.ts'
import { reasonOf } from './reason.ts'

const root = resolve(import.meta.dirname, '../../..')

try {
  const written = await writeGenerated(root, makers)
  for (const file of written) console.log(`wrote ${file}`)
  if (written.length === 0) console.log('nothing to write: every generated file fits its sources')
} catch (error) {
  console.error(reasonOf(error, root))
  process.exitCode = 1
}
