import { createHash, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import type { DB } from '../../../api/platform/kernel/db/database.generated.ts'
import { readJson } from '../../../api/platform/kernel/json-file.ts'
import { withDerived } from '../../../forms/platform/derived.ts'
import { createAccount } from '../../../api/platform/people/identity/accounts.ts'

/**
 * Creates an account with a confirmed address and returns its id; with a password only if somebody signs in with it.
 */
export async function anAccount(
  db: Kysely<DB>,
  {
    username = `person-${randomUUID()}`,
    ...more
  }: { username?: string; password?: string; passwordHash?: string; name?: string } = {},
): Promise<string> {
  const id = await createAccount(db, { username, name: username, email: `${username}@example.lk`, ...more })
  await db.updateTable('account').set({ email_confirmed_at: new Date() }).where('id', '=', id).execute()
  return id
}

/** Inserts a register item unchecked, with its references to other items, and returns its id. */
export async function anItem(
  db: Kysely<DB>,
  register: string,
  { id = randomUUID(), status = 'Active', data = {} }: { id?: string; status?: string; data?: object } = {},
): Promise<string> {
  await db
    .insertInto('register_item')
    .values({ id, register, status, title: id, data: JSON.stringify(data) })
    .execute()
  await sql`insert into register_reference (item_id, path, target_id)
    select ${id}::uuid, '/' || field.key, i.id from jsonb_each_text(${JSON.stringify(data)}::jsonb) as field
      join register_item i on i.id::text = lower(field.value)`.execute(db)
  return id
}

const degrees = join(import.meta.dirname, '../../../forms/setup/degree.register.json')

/** Inserts a degree program, with its degree, and returns its id. */
export async function aProgramme(
  db: Kysely<DB>,
  { level = 'Bachelor', ...data }: { level?: string; faculty?: string; name?: string } = {},
): Promise<string> {
  const { item } = readJson<{ item: object }>(degrees)
  const degree = await anItem(db, 'setup/degree', { data: withDerived(item, { level }) })
  return anItem(db, 'setup/degree-program', { data: { ...data, degree } })
}

/** Inserts a case that no engine knows, and returns its id. */
export async function aCase(
  db: Kysely<DB>,
  requester: string,
  {
    flow = 'area/flow',
    scope = {},
    subject = {},
    manifest = {},
    reference,
  }: { flow?: string; scope?: object; subject?: object; manifest?: object; reference?: string } = {},
): Promise<string> {
  const id = randomUUID()
  const hash = createHash('sha256').update(flow).digest('hex')
  await db
    .insertInto('artifact')
    .values({ hash, kind: 'flow', key: flow, content: JSON.stringify(manifest) })
    .onConflict((oc) => oc.doNothing())
    .execute()
  await db
    .insertInto('process_definition')
    .values({
      id: flow,
      flow,
      process_key: 'p',
      version: 1,
      deployment_id: 'd',
      bpmn_hash: hash,
      flow_hash: hash,
      forms: '{}',
      source: 'repository',
    })
    .onConflict((oc) => oc.doNothing())
    .execute()
  await db
    .insertInto('flow_case')
    .values({
      id,
      reference: reference ?? `CASE-${id}`,
      flow,
      flow_hash: hash,
      process_definition_id: flow,
      requester_id: requester,
      status: 'new',
      scope: JSON.stringify(scope),
      subject: JSON.stringify(subject),
    })
    .execute()
  return id
}
