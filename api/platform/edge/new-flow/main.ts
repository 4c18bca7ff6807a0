import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { BpmnModdle } from 'bpmn-moddle'
import camunda from 'camunda-bpmn-moddle/resources/camunda.json' with { type: 'json' }
import { formatted } from '../../kernel/formatted.ts'
import { messageIn } from '../../kernel/objects.ts'
import { known } from '../../kernel/known.ts'
import { constants } from '../../model/bpmn/generate.ts'
import { UnusableFile, loadLibrary } from '../../model/library/library.ts'
import { Refused, skeletonOf } from './skeleton.ts'

const root = resolve(import.meta.dirname, '../../../..')

const USAGE = `usage: npm run new -- flow AREA NAME [--desks DESKS [--first STATUS] [--approved STATUS] [--rejected STATUS]]
such as: npm run new -- flow costumes costume-loan
or:      npm run new -- flow costumes costume-loan --desks "HOD@department, Dean@faculty=Recommended by HOD, Registrar"`

/** Writes the skeleton of a flow that passes the check, and lists the files. */
async function main(args: string[]): Promise<void> {
  const text = { type: 'string' } as const
  const options = { desks: text, first: text, approved: text, rejected: text }
  const { values, positionals } = parsed(() => parseArgs({ args, options, allowPositionals: true }))
  const [kind, area, name, ...more] = positionals
  if (kind !== 'flow' || !area || !name || more.length > 0) throw new Refused(USAGE)
  const { desks, first = 'Requested', approved = 'Approved', rejected = 'Rejected' } = values
  const chain = desks === undefined ? undefined : { desks, first, ends: { approved, rejected } }
  const { made, changed } = skeletonOf(root, loadLibrary(root), { area, name }, chain)
  for (const [file, content] of Object.entries(made)) await write(file, content, 'wrote')
  for (const [file, content] of Object.entries(changed)) await write(file, content, 'added to')
  const generated = `processes/${area}/${name}.generated.ts`
  await write(generated, known((await constants())[generated], generated), 'wrote')
}

function parsed<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new Refused(`${messageIn(error)}\n${USAGE}`)
  }
}

async function write(file: string, content: string | object, verb: string): Promise<void> {
  const path = join(root, file)
  const text = await written(file, content)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  console.log(`${verb} ${file}`)
}

async function written(file: string, content: string | object): Promise<string> {
  if (typeof content !== 'string') return formatted(file, JSON.stringify(content, null, 2))
  if (!file.endsWith('.bpmn')) return content
  // Formatted as editors write it, so that the first edit does not change every line.
  const moddle = new BpmnModdle({ camunda })
  const { rootElement } = await moddle.fromXML(content)
  return (await moddle.toXML(rootElement, { format: true })).xml
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof Refused || error instanceof UnusableFile)) throw error
  console.error(error.message)
  process.exitCode = 1
}
