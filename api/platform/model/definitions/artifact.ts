import { createHash } from 'node:crypto'
import { canonical } from '../../kernel/audit/format.ts'

/** Content addressed by its hash: what a case began with can be shown and verified years later. */
export interface Artifact {
  hash: string
  kind: 'form' | 'flow' | 'bpmn' | 'dmn'
  key: string
  content: string
}

/** A JSON document as an artifact; the order of members and white space do not matter. */
export function jsonArtifact(kind: 'form' | 'flow', key: string, document: unknown): Artifact {
  return artifact(kind, key, canonical(document))
}

/** A text as an artifact, byte for byte. */
export function artifact(kind: Artifact['kind'], key: string, content: string): Artifact {
  return { kind, key, content, hash: createHash('sha256').update(content).digest('hex') }
}
