import { createHash } from 'node:crypto'
import { canonical } from '../../../kernel/audit/format.ts'
import { BusinessError } from '../../../kernel/errors.ts'
import { artifact } from '../../../model/definitions/artifact.ts'
import type { Flow, Library } from '../../../model/library/library.ts'
import type { Person } from '../../../people/persons/person.ts'
import type { Problem } from '../../../model/bpmn/read.ts'
import { ownedProcess } from '../../../people/access/process-owners.ts'

/** A decision table of a draft or version; its key is `<area>/<file>.dmn`. */
export interface Table {
  key: string
  content: string
}

/** A model as its owner edits it. */
export interface Content {
  bpmn: string
  dmn: readonly Table[]
}

/** The flow of a process that the person may work on, and their right. Throws `platform.not-found`. */
export function ownedFlow(
  { flows }: Pick<Library, 'flows'>,
  person: Person,
  process: string,
): { flow: Flow; actedAs: string } {
  const actedAs = ownedProcess(person, process)
  const flow = [...flows.values()].find(({ manifest }) => manifest.process === process)
  if (!flow) throw new BusinessError('platform.not-found')
  return { flow, actedAs }
}

/** The flow with another diagram and with those decision tables that the diagram names. */
export function withContent(flow: Flow, { bpmn, dmn }: Content): Flow {
  const decisions = [...bpmn.matchAll(/decisionRef="([^"]+)"/g)].flatMap(([, decision]) => decision ?? [])
  const named = dmn.filter(({ content }) => decisions.some((decision) => content.includes(`id="${decision}"`)))
  return {
    ...flow,
    bpmn: artifact('bpmn', flow.bpmn.key, bpmn),
    dmn: named.map(({ key, content }) => artifact('dmn', key, content)),
  }
}

/** Identifies a diagram with its tables, whatever their order. */
export function hashOf({ bpmn, dmn }: Content): string {
  const tables = Object.fromEntries(dmn.map(({ key, content }) => [key, content]))
  return createHash('sha256')
    .update(canonical({ bpmn, dmn: tables }))
    .digest('hex')
}

/** An error that lists the problems by element. */
export function refusedElements(refusal: string, problems: readonly Problem[]): BusinessError {
  const fields = problems.map(({ element, reason }) => ({
    field: element,
    code: 'platform.studio-problem',
    values: { reason },
  }))
  return new BusinessError(refusal, {}, fields)
}
