import type { Kysely, Transaction } from 'kysely'
import type { Logger } from 'pino'
import { canonical } from '../../kernel/audit/format.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { DeployedDefinition, Engine } from '../../kernel/engine/port.ts'
import { type Artifact, jsonArtifact } from '../definitions/artifact.ts'
import { readDiagram } from './diagram.ts'
import type { Flow, Library, Schedule } from '../library/library.ts'
import {
  type DefinitionRow,
  type DeploymentContent,
  findLatest,
  lockDeployments,
  saveArtifacts,
  saveDefinition,
} from './repository.ts'

export interface DeployDependencies {
  db: Kysely<DB>
  engine: Engine
  library: Library
  log: Logger
  /** Throws for a model that does not pass; the message names element and reason. */
  gate(model: Flow | Schedule, library: Library): Promise<void>
}

/** What is deployed together under one key. */
interface Deployable {
  key: string
  process: string
  resources: [model: Artifact, ...tables: Artifact[]]
  artifacts: Artifact[]
  content: DeploymentContent
}

/**
 * Deploys each flow of the repository whose diagram, manifest, forms or decision tables have changed since the last
 * deployment from the repository, unless its owner has deployed since. All nodes may call it at once. A crash between
 * the engine and our row leaves a version in the engine that nothing ever starts.
 */
export async function deployRepositoryModels(dependencies: DeployDependencies): Promise<void> {
  const { library } = dependencies
  for (const flow of library.flows.values()) await bring(dependencies, flow, await deployableOf(flow, library))
}

/** Does the same for schedules; then the engine starts them by their timers. */
export async function deploySchedules(dependencies: DeployDependencies): Promise<void> {
  const { library } = dependencies
  for (const schedule of library.schedules.values()) {
    const { key, process, bpmn } = schedule
    // A schedule has no form and shows nothing, so its manifest is minimal.
    const manifest = jsonArtifact('flow', key, { process, schedule: true })
    const content = { bpmn: bpmn.hash, flow: manifest.hash, forms: {}, dmn: {} }
    await bring(dependencies, schedule, { key, process, resources: [bpmn], artifacts: [manifest, bpmn], content })
  }
}

/** Whether the running version is the same: diagram, manifest, forms and decision tables. */
export async function isDeployed(db: Kysely<DB>, flow: Flow, library: Library): Promise<boolean> {
  const { content } = await deployableOf(flow, library)
  return isSame(await findLatest(db, flow.key), content)
}

const isSame = (row: DefinitionRow | undefined, content: DeploymentContent) =>
  row !== undefined && canonical(contentOfRow(row)) === canonical(content)

/**
 * Deploys a flow as its owner has changed it: new cases start from it once the caller's transaction commits, and later
 * changes in the repository are ignored. The caller must have checked it with the gate.
 */
export async function deployOwners(
  trx: Transaction<DB>,
  { engine, library }: { engine: Pick<Engine, 'deploy'>; library: Library },
  flow: Flow,
): Promise<DeployedDefinition> {
  const deployable = await deployableOf(flow, library)
  await lockDeployments(trx)
  return deployVersion(trx, engine, deployable, 'owner')
}

/** What is already deployed has passed the gate, whose checks would take a second or more of every start. */
async function bring(
  { db, engine, library, log, gate }: DeployDependencies,
  model: Flow | Schedule,
  deployable: Deployable,
): Promise<void> {
  const { key, content } = deployable
  if (isSame(await findLatest(db, key, 'repository'), content)) return
  await gate(model, library)
  await db.transaction().execute(async (trx) => {
    await lockDeployments(trx)
    if (isSame(await findLatest(trx, key, 'repository'), content)) return
    const latest = await findLatest(trx, key)
    if (latest?.source === 'owner') {
      log.warn(
        { flow: key, version: latest.version },
        'model of the repository not deployed: its owner has deployed a newer one',
      )
      return
    }
    const deployed = await deployVersion(trx, engine, deployable, 'repository')
    log.info({ flow: key, version: deployed.version }, 'model deployed')
  })
}

async function deployVersion(
  trx: Transaction<DB>,
  engine: Pick<Engine, 'deploy'>,
  { key, process, resources, artifacts, content }: Deployable,
  source: 'repository' | 'owner',
): Promise<DeployedDefinition> {
  await saveArtifacts(trx, artifacts)
  const files = resources.map((one) => ({ name: one.key, content: one.content }))
  const [deployed] = await engine.deploy({ name: key, resources: files })
  if (deployed?.key !== process)
    throw new Error(`${resources[0].key} has process ${deployed?.key}, not ${process} as it should`)
  await saveDefinition(trx, key, deployed, content, source)
  return deployed
}

async function deployableOf(flow: Flow, library: Library): Promise<Deployable> {
  const manifest = jsonArtifact('flow', flow.key, flow.manifest)
  // Parse it as the gate does, whatever prefixes and quotes another editor writes.
  const { desks: drawn } = await readDiagram(flow.bpmn.content)
  const desks = [...drawn.values()].flatMap(({ formKey }) => formKey ?? [])
  const acts = (flow.manifest.acts ?? []).map(({ form }) => form)
  const asked = Object.values(flow.manifest.asks ?? {}).map(({ form }) => form)
  const forms = [...new Set([flow.manifest.start, ...desks, ...acts, ...asked])].map((key) => {
    const form = library.forms.get(key)
    if (!form) throw new Error(`${flow.key} names a form that does not exist: ${key}`)
    return jsonArtifact('form', key, form.schema)
  })
  const hashes = (artifacts: Artifact[]) => Object.fromEntries(artifacts.map(({ key, hash }) => [key, hash]))
  return {
    key: flow.key,
    process: flow.manifest.process,
    resources: [flow.bpmn, ...flow.dmn],
    artifacts: [manifest, flow.bpmn, ...flow.dmn, ...forms],
    content: { bpmn: flow.bpmn.hash, flow: manifest.hash, forms: hashes(forms), dmn: hashes(flow.dmn) },
  }
}

function contentOfRow(row: Pick<DefinitionRow, 'bpmn_hash' | 'flow_hash' | 'forms' | 'dmn'>): DeploymentContent {
  return {
    bpmn: row.bpmn_hash,
    flow: row.flow_hash,
    forms: row.forms,
    dmn: row.dmn,
  }
}
