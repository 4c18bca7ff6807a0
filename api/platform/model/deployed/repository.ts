import { type Kysely, type Transaction, sql } from 'kysely'
import { ONE_PLAN } from '../../kernel/db/database.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { DeployedDefinition } from '../../kernel/engine/port.ts'
import type { Artifact } from '../definitions/artifact.ts'

/** The parts of one deployed version of a flow, by hash. */
export interface DeploymentContent {
  bpmn: string
  flow: string
  /** Form key → hash, frozen for every case that starts from this version. */
  forms: Record<string, string>
  /** Decision table → hash. */
  dmn: Record<string, string>
}

export type DefinitionRow = NonNullable<Awaited<ReturnType<typeof findDefinition>>>

type Db = Kysely<DB> | Transaction<DB>

/** One deployer at a time, until the end of the transaction. */
export async function lockDeployments(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(7001002)`.execute(db)
}

export async function saveArtifacts(db: Db, artifacts: readonly Artifact[]): Promise<void> {
  if (artifacts.length === 0) return
  await db
    .insertInto('artifact')
    .values([...artifacts])
    .onConflict((oc) => oc.doNothing())
    .execute()
}

export async function findArtifact(db: Db, hash: string) {
  return db
    .selectFrom('artifact')
    .select(['hash', 'kind', 'key', 'content'])
    .where('hash', '=', hash)
    .executeTakeFirst()
}

export async function saveDefinition(
  db: Db,
  flow: string,
  deployed: DeployedDefinition,
  content: DeploymentContent,
  source: 'repository' | 'owner',
): Promise<void> {
  await db
    .insertInto('process_definition')
    .values({
      id: deployed.id,
      flow,
      process_key: deployed.key,
      version: deployed.version,
      deployment_id: deployed.deploymentId,
      bpmn_hash: content.bpmn,
      flow_hash: content.flow,
      forms: JSON.stringify(content.forms),
      dmn: JSON.stringify(content.dmn),
      source,
    })
    .execute()
}

/** The version that new cases of a flow start from. */
export async function findLatest(db: Db, flow: string, source?: 'repository' | 'owner') {
  let query = definitions(db).where('d.flow', '=', flow)
  if (source) query = query.where('d.source', '=', source)
  return query.orderBy('d.version', 'desc').limit(1).modifyEnd(ONE_PLAN).executeTakeFirst()
}

export async function findDefinition(db: Db, id: string) {
  return definitions(db).where('d.id', '=', id).executeTakeFirst()
}

export async function listDefinitions(db: Db) {
  return definitions(db).orderBy('d.flow').orderBy('d.version', 'desc').execute()
}

function definitions(db: Db) {
  return db
    .selectFrom('process_definition as d')
    .innerJoin('artifact as f', 'f.hash', 'd.flow_hash')
    .select(['d.id', 'd.flow', 'd.process_key', 'd.version', 'd.deployment_id', 'd.bpmn_hash', 'd.flow_hash'])
    .select((eb) => [
      eb.ref('d.forms').$castTo<DeploymentContent['forms']>().as('forms'),
      eb.ref('d.dmn').$castTo<DeploymentContent['dmn']>().as('dmn'),
    ])
    .select(['d.source', 'd.deployed_at', 'f.content as manifest'])
    .where('d.tenant_id', 'is', null)
}
