import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { constants } from '../../model/bpmn/generate.ts'
import { UnusableFile, loadLibrary } from '../../model/library/library.ts'
import { Refused, skeletonOf } from './skeleton.ts'

const root = resolve(import.meta.dirname, '../../../..')

/** Lays down the skeleton of a flow that passes the check, and says what it wrote. */
async function main(kind: string | undefined, area: string | undefined, name: string | undefined): Promise<void> {
  if (kind !== 'flow' || !area || !name)
    throw new Refused('usage: npm run new -- flow AREA NAME, such as: npm run new -- flow instruments instrument-loan')
  const { made, changed } = skeletonOf(root, loadLibrary(root), area, name)
  for (const [file, content] of Object.entries(made)) await write(file, content, 'wrote')
  for (const [file, content] of Object.entries(changed)) await write(file, content, 'added to')
  const generated = `processes/${area}/${name}.generated.ts`
  await write(generated, (await constants())[generated]!, 'wrote')
}

async function write(file: string, content: string | object, verb: string): Promise<void> {
  const path = join(root, file)
  const text =
    typeof content === 'string'
      ? content
      : await format(JSON.stringify(content, null, 2), { ...(await resolveConfig(path)), parser: 'json' })
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  console.log(`${verb} ${file}`)
}

try {
  const [kind, area, name] = process.argv.slice(2)
  await main(kind, area, name)
} catch (error) {
  if (!(error instanceof Refused || error instanceof UnusableFile)) throw error
  console.error(error.message)
  process.exitCode = 1
}
