import { expect, test } from '@jest/globals'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadLibrary } from '../../api/platform/model/library/library.ts'

const root = join(import.meta.dirname, '../..')

test('every act and component that the code names in the audit trail has words for auditors', () => {
  const { en } = loadLibrary(root).texts
  const sources = globSync('{api,workers}/**/*.ts', { cwd: root }).map((file) => readFileSync(join(root, file), 'utf8'))
  const named = (pattern: RegExp) => [
    ...new Set(sources.flatMap((text) => [...text.matchAll(pattern)].map(([, name]) => name!))),
  ]
  const acts = [...named(/\baction: [^\n]*?'([a-z-]+\.[a-z-]+)'/g), ...named(/: '([a-z-]+\.waiver-[a-z-]+)'/g)]
  // Findings of reports are no entries.
  const wordless = acts.filter(
    (act) =>
      act !== 'desk.skipped' &&
      ['audit-act', 'history'].every((kind) => en[`platform.${kind}.${act.replace('.', '-')}`] === undefined) &&
      !['task.completed', 'case.submitted'].includes(act),
  )
  const parts = named(/'system:([a-z-]+)'/g)
  expect([acts.length > 60, parts.length > 5]).toEqual([true, true])
  expect({
    acts: wordless,
    parts: parts.filter((part) => en[`platform.audit-system-part.${part}`] === undefined),
  }).toEqual({
    acts: [],
    parts: [],
  })
})
