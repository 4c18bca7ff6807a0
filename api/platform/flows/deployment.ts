import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { canonical } from '../audit/format.ts'
import type { DB } from '../db/database.generated.ts'
import type { Engine } from '../engine/port.ts'
import { type Artifact, jsonArtifact } from './artifact.ts'
import type { Flow, Library } from './library.ts'
import { type DeploymentContent, flowRepository } from './repository.ts'

export interface DeployDependencies {
  db: Kysely<DB>
  engine: Engine
  library: Library
  log: Logger
  /** Refuses a flow whose diagram does not pass; its message names element and reason. */
  gate(flow: Flow, library: Library): Promise<void>
}

/**
 * Brings the flows of the repository into the engine: each one whose diagram, manifest, forms or decision tables have
 * changed since the repository was last deployed, and whose owner has not deployed anything since. All nodes may call
 * it at once. A crash between the engine and our row leaves a version in the engine that nothing ever starts.
 */
export async function deployRepositoryModels(dependencies: DeployDependencies): Promise<void> {
  const { db, engine, library, log, gate } = dependencies
  for (const flow of library.flows.values()) {
    await gate(flow, library)
    const { artifacts, content } = contentOf(flow, library)
    await db.transaction().execute(async (trx) => {
      const flows = flowRepository(trx)
      await flows.lockDeployments()
      await flows.saveArtifacts(artifacts)
      const ours = await flows.findLatest(flow.key, 'repository')
      if (ours && canonical(contentOfRow(ours)) === canonical(content)) return
      const latest = await flows.findLatest(flow.key)
      if (latest?.source === 'owner') {
        log.warn(
          { flow: flow.key, version: latest.version },
          'the repository has changed, but its owner has a newer model',
        )
        return
      }
      const resources = [flow.bpmn, ...flow.dmn].map(({ key, content: text }) => ({ name: key, content: text }))
      const [deployed] = await engine.deploy({ name: flow.key, resources })
      if (deployed?.key !== flow.manifest.process)
        throw new Error(`${flow.bpmn.key} has process ${deployed?.key}, its manifest names ${flow.manifest.process}`)
      await flows.saveDefinition(flow.key, deployed, content, 'repository')
      log.info({ flow: flow.key, version: deployed.version }, 'deployed')
    })
  }
}

function contentOf(flow: Flow, library: Library): { artifacts: Artifact[]; content: DeploymentContent } {
  const manifest = jsonArtifact('flow', flow.key, flow.manifest)
  const desks = [...flow.bpmn.content.matchAll(/camunda:formKey="([^"]+)"/g)].map((match) => match[1]!)
  const acts = (flow.manifest.acts ?? []).map(({ form }) => form)
  const forms = [...new Set([flow.manifest.start, ...desks, ...acts])].map((key) => {
    const form = library.forms.get(key)
    if (!form) throw new Error(`${flow.key} names a form that does not exist: ${key}`)
    return jsonArtifact('form', key, form.schema)
  })
  const hashes = (artifacts: Artifact[]) => Object.fromEntries(artifacts.map(({ key, hash }) => [key, hash]))
  return {
    artifacts: [manifest, flow.bpmn, ...flow.dmn, ...forms],
    content: { bpmn: flow.bpmn.hash, flow: manifest.hash, forms: hashes(forms), dmn: hashes(flow.dmn) },
  }
}

function contentOfRow(row: { bpmn_hash: string; flow_hash: string; forms: unknown; dmn: unknown }): DeploymentContent {
  return {
    bpmn: row.bpmn_hash,
    flow: row.flow_hash,
    forms: row.forms as DeploymentContent['forms'],
    dmn: row.dmn as DeploymentContent['dmn'],
  }
}
