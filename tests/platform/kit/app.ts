import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { pino } from 'pino'
import { type SignedHeadMemory, signedHeadFile } from '../../../api/platform/features/audit/signed-head.ts'
import { folderStore } from '../../../api/platform/records/files/store.ts'
import { definitionStore } from '../../../api/platform/model/deployed/definitions.ts'
import { loadLibrary } from '../../../api/platform/model/library/library.ts'
import { loadRules } from '../../../api/platform/model/deployed/rules.ts'
import type { App } from '../../../api/platform/http/app.ts'
import { type Dependencies, buildApp } from '../../../api/platform/edge/server/server.ts'
import { type Hub, eventHub } from '../../../api/platform/http/events.ts'
import { grantRole } from '../../../api/platform/people/identity/accounts.ts'
import { readGroups, seedGroups } from '../../../api/platform/people/identity/groups.ts'
import { tokenKeys } from '../../../api/platform/people/identity/token-keys.ts'
import { fieldKeys } from '../../../api/platform/kernel/field-keys.ts'
import { keyPair, vault } from '../../../api/platform/kernel/keys.ts'
import { cheapHash } from './cheap-hash.ts'
import type { TestDatabase } from './database.ts'
import { anAccount } from './rows.ts'

const root = join(import.meta.dirname, '../../..')
const log = pino({ level: process.env['TEST_LOG'] ?? 'silent' })

/** The HTTP side over a separate database, without engine and workers. */
export interface TestApp {
  app: App
  hub: Hub
  /** The last signature, as a sealer of its audit trail remembers it. */
  auditMemory: SignedHeadMemory
  /** Creates a person with these grants and signs them in; returns a sender of requests. */
  person(username: string, ...grants: { role: string; scope?: { kind: string; id: string } }[]): Promise<Caller>
  send: Caller['send']
  close(): Promise<void>
}

/** Somebody who sends requests. */
export interface Caller {
  id: string
  token: string
  send(
    method: InjectOptions['method'],
    url: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<LightMyRequestResponse>
}

const PASSWORD = 'Prakriya2026'
const PASSWORD_HASH = cheapHash(PASSWORD)

/** Builds the app; `given` replaces parts of it. */
export async function testApp(database: TestDatabase, given: Partial<Dependencies> = {}): Promise<TestApp> {
  const folder = mkdtempSync(join(tmpdir(), 'prakriya-app-'))
  const auditMemory = signedHeadFile(join(folder, 'audit-head.json'))
  const { db, pool, appUrl } = database
  await seedGroups(db, readGroups(root))
  const secrets = vault('only for tests, and long enough for it')
  const hub = eventHub({ url: appUrl, log })
  await hub.start()
  const library = loadLibrary(root)
  const app = await buildApp({
    db,
    pool,
    hub,
    library,
    rules: await loadRules(root, library.flows.keys()),
    definitions: definitionStore(db),
    store: folderStore(folder),
    tokens: tokenKeys({ db, vault: secrets }),
    vault: secrets,
    fieldKeys: fieldKeys('test:only for tests, and long enough for it'.replaceAll(' ', '-')),
    auditKey: keyPair(generateKeyPairSync('ed25519').privateKey),
    auditMemory,
    secondFactor: 'optional',
    trustProxy: false,
    publicUrl: 'http://localhost:4400',
    demo: true,
    readiness: {
      database: async () => true,
      engine: async () => true,
      feed: async () => ({ lagMilliseconds: 0, parked: 0 }),
    },
    watched: { feedLagSeconds: () => 0, parked: () => 0 },
    visible: async (_person, ids) => ids,
    web: join(root, 'web/no-pages'),
    log,
    ...given,
  } as Dependencies)

  await app.ready()

  function caller(id: string, token: string): Caller {
    return {
      id,
      token,
      send: (method, url, body, headers = {}) =>
        app.inject({
          method: method!,
          url,
          ...(body === undefined ? {} : { payload: body as object }),
          headers: { ...(token ? { authorization: `Bearer ${token}` } : {}), ...headers },
        }),
    }
  }

  return {
    app,
    hub,
    auditMemory,
    send: caller('', '').send,
    async person(username, ...grants) {
      const id = await anAccount(db, { username, passwordHash: PASSWORD_HASH })
      for (const grant of grants) await grantRole(db, id, grant)
      const answer = await signIn(app, username)
      return caller(id, answer.json().access_token)
    },
    async close() {
      await app.close()
      await hub.stop()
      rmSync(folder, { recursive: true })
    },
  }
}

/** Requests tokens as a client does: with a form. */
export function askForToken(app: App, fields: Record<string, string>, headers: Record<string, string> = {}) {
  return app.inject({
    method: 'POST',
    url: '/api/auth/token',
    payload: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })
}

/** Signs in somebody created by `person`. */
export function signIn(app: App, username: string, more: Record<string, string> = {}) {
  return askForToken(app, { grant_type: 'password', username, password: PASSWORD, ...more })
}
