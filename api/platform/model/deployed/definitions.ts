import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { FieldSchema } from '../definitions/register.ts'
import { type Diagram, readDiagram } from './diagram.ts'
import type { Manifest } from '../definitions/manifest.ts'
import { type DefinitionRow, findArtifact, findDefinition, findLatest, listDefinitions } from './repository.ts'

/** A deployed version of a flow, without its content. */
interface DefinitionSummary {
  id: string
  flow: string
  processKey: string
  version: number
  flowHash: string
  bpmnHash: string
  deployedAt: string
}

/** One deployed version of a flow with everything frozen with it. */
export interface Definition extends DefinitionSummary {
  manifest: Manifest
  /** Form key → hash. */
  forms: Readonly<Record<string, string>>
  diagram: Diagram
  xml: string
}

/** A form, frozen for its cases. */
export interface FrozenForm {
  key: string
  hash: string
  schema: FieldSchema
}

export type Definitions = ReturnType<typeof definitionStore>

/** Reads deployed definitions and frozen forms. They are cached, because they never change. */
export function definitionStore(db: Kysely<DB>) {
  const byId = new Map<string, Promise<Definition>>()
  const forms = new Map<string, Promise<FrozenForm>>()

  async function find(id: string): Promise<Definition | undefined> {
    const known = byId.get(id)
    if (known) return known
    const row = await findDefinition(db, id)
    return row && cachePromise(byId, id, () => load(db, row))
  }

  async function get(id: string): Promise<Definition> {
    const definition = await find(id)
    if (!definition) throw new BusinessError('platform.not-found')
    return definition
  }

  async function latestOf(flow: string): Promise<Definition | undefined> {
    const row = await findLatest(db, flow)
    return row && cachePromise(byId, row.id, () => load(db, row))
  }

  return {
    /** A deployed version by its id; undefined if it was not deployed through this product. */
    find,
    get,
    /** A form by its hash. */
    form: (hash: string): Promise<FrozenForm> => cachePromise(forms, hash, () => loadForm(db, hash)),

    /** The version that new cases of a flow start from. */
    async latest(flow: string): Promise<Definition> {
      const definition = await latestOf(flow)
      if (!definition) throw new BusinessError('platform.not-found')
      return definition
    },

    /** Like `latest`, or undefined if the flow is not deployed. */
    findLatest: latestOf,

    /** Every deployed version, newest of each flow first. */
    async list(): Promise<DefinitionSummary[]> {
      return (await listDefinitions(db)).map(summaryOf)
    },

    /** The diagram of a version. */
    async xml(id: string): Promise<string> {
      return (await get(id)).xml
    },
  }
}

async function load(db: Kysely<DB>, row: DefinitionRow): Promise<Definition> {
  const bpmn = await findArtifact(db, row.bpmn_hash)
  if (!bpmn) throw new Error(`the diagram of ${row.id} is gone`)
  return {
    ...summaryOf(row),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the gate has accepted the manifest before it was kept
    manifest: JSON.parse(row.manifest) as Manifest,
    forms: row.forms,
    diagram: await readDiagram(bpmn.content),
    xml: bpmn.content,
  }
}

function summaryOf(row: DefinitionRow): DefinitionSummary {
  return {
    id: row.id,
    flow: row.flow,
    processKey: row.process_key,
    version: row.version,
    flowHash: row.flow_hash,
    bpmnHash: row.bpmn_hash,
    deployedAt: row.deployed_at.toISOString(),
  }
}

async function loadForm(db: Kysely<DB>, hash: string): Promise<FrozenForm> {
  const artifact = await findArtifact(db, hash)
  if (artifact?.kind !== 'form') throw new BusinessError('platform.not-found')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- artifacts of this kind are schemas of forms
  const schema = JSON.parse(artifact.content) as FieldSchema
  return { key: artifact.key, hash, schema }
}

/** Caches the result of a promise, but not its failure. */
export function cachePromise<T>(kept: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const known = kept.get(key)
  if (known) return known
  const made = make()
  kept.set(key, made)
  made.catch(() => kept.delete(key))
  return made
}
