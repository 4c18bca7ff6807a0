import { type ChildProcess, spawn } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../api/platform/edge/supervisor/processes.ts'
import { until } from '../platform/kit/poll.ts'

const root = join(import.meta.dirname, '../..')
const VERSION = '26.7.3'
const home = join(root, `node_modules/.cache/keycloak/keycloak-${VERSION}`)
const ADMIN = { username: 'admin', password: 'only-for-these-tests' }

/** The secrets of the clients in realm.json. */
export const SECRETS = { client: 'client-secret-for-tests', admin: 'admin-secret-for-tests' }

/** The password of somebody in realm.json. */
export const passwordOf = (username: string): string => `${username}-Secret1`

export type Keycloak = Awaited<ReturnType<typeof prepareKeycloak>>

/** Downloads Keycloak from Maven Central once, and chooses its port. */
export async function prepareKeycloak() {
  if (!existsSync(join(home, 'bin/kc.sh'))) {
    const goal = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:unpack'
    const artifact = `-Dartifact=org.keycloak:keycloak-quarkus-dist:${VERSION}:zip`
    const cache = join(home, '..')
    mkdirSync(cache, { recursive: true })
    // Without a project the plugin creates a folder named after it in the working directory.
    await ended('mvn', ['-q', '-B', goal, artifact, `-DoutputDirectory=${cache}`], cache)
  }
  const port = await freePort()
  // Not `localhost`, where the product is: browsers treat the two as different sites, as in production.
  const url = `http://127.0.0.1:${port}`
  const issuer = `${url}/realms/campus`
  let server: ChildProcess | undefined

  async function adminToken(): Promise<string> {
    const body = new URLSearchParams({ grant_type: 'password', client_id: 'admin-cli', ...ADMIN })
    const answer = await fetch(`${url}/realms/master/protocol/openid-connect/token`, { method: 'POST', body })
    return ((await answer.json()) as { access_token: string }).access_token
  }

  /** Calls Keycloak's admin API as its administrator. */
  async function admin<T = any>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await fetch(`${url}/admin/realms/campus${path}`, {
      method,
      headers: { authorization: `Bearer ${await adminToken()}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return (text ? JSON.parse(text) : undefined) as T
  }

  async function user(username: string): Promise<{ id: string; email: string }> {
    const [found] = await admin<{ id: string; email: string }[]>('GET', `/users?exact=true&username=${username}`)
    if (!found) throw new Error(`Keycloak knows no ${username}`)
    return found
  }

  const rolesNamed = (names: string[]) =>
    Promise.all(names.map((name) => admin('GET', `/roles/${encodeURIComponent(name)}`)))

  return {
    url,
    issuer,
    admin,
    user,

    /** Starts it with realm.json and an empty in-memory database; returns the seconds this took. */
    async start(env: { PRODUCT_URL: string; SMTP_PORT: string }): Promise<number> {
      const began = Date.now()
      mkdirSync(join(home, 'data/import'), { recursive: true })
      copyFileSync(join(import.meta.dirname, 'realm.json'), join(home, 'data/import/realm.json'))
      const folder = mkdtempSync(join(tmpdir(), 'prakriya-keycloak-'))
      const log = join(folder, 'keycloak.log')
      const out = openSync(log, 'a')
      const args = ['start-dev', '--db=dev-mem', '--import-realm', '--http-host=127.0.0.1', `--http-port=${port}`]
      const started = spawn(join(home, 'bin/kc.sh'), args, {
        env: {
          ...process.env,
          ...env,
          CLIENT_SECRET: SECRETS.client,
          ADMIN_CLIENT_SECRET: SECRETS.admin,
          KC_BOOTSTRAP_ADMIN_USERNAME: ADMIN.username,
          KC_BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password,
          JAVA_OPTS_KC_HEAP: '-Xms64m -Xmx400m',
        },
        stdio: ['ignore', out, out],
      })
      server = started
      started.once('exit', () => rmSync(folder, { recursive: true, force: true }))
      const look = async () => {
        if (started.exitCode !== null) return true
        return (await fetch(issuer)).ok
      }
      await until('Keycloak answers', look, { seconds: 300, everyMilliseconds: 250 })
      if (started.exitCode !== null) throw new Error(`Keycloak ended with ${started.exitCode}`)
      return (Date.now() - began) / 1000
    },

    /** Its memory in MB; its script waits for the build and then execs it. */
    megabytes(): number {
      const { pid } = server!
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
      const line = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${children.split(' ')[0] || pid}/status`, 'utf8'))
      return Math.round(Number(line![1]) / 1024)
    },

    async stop(): Promise<void> {
      if (!server || server.exitCode !== null || server.signalCode !== null) return
      const exited = new Promise((resolve) => server!.once('exit', resolve))
      server.kill('SIGTERM')
      await exited
    },

    /** Tokens for a program, by the password grant that realm.json allows for these tests. */
    async tokens(username: string, client: 'prakriya' | 'library' = 'prakriya') {
      const body = new URLSearchParams({
        grant_type: 'password',
        client_id: client,
        ...(client === 'prakriya' ? { client_secret: SECRETS.client } : {}),
        username,
        password: passwordOf(username),
        scope: 'openid',
      })
      const answer = await fetch(`${issuer}/protocol/openid-connect/token`, { method: 'POST', body })
      const tokens = (await answer.json()) as { access_token: string; refresh_token: string; id_token: string }
      if (!answer.ok) throw new Error(JSON.stringify(tokens))
      return tokens
    },

    /** Adds a user as Keycloak's administrator does. */
    async addUser(username: string, email: string, roles: string[]): Promise<void> {
      const credentials = [{ type: 'password', value: passwordOf(username), temporary: false }]
      const names = { firstName: 'Added', lastName: username }
      await admin('POST', '/users', { username, email, emailVerified: true, enabled: true, credentials, ...names })
      await admin('POST', `/users/${(await user(username)).id}/role-mappings/realm`, await rolesNamed(roles))
    },

    async takeRole(username: string, role: string): Promise<void> {
      await admin('DELETE', `/users/${(await user(username)).id}/role-mappings/realm`, await rolesNamed([role]))
    },

    async setEnabled(username: string, enabled: boolean): Promise<void> {
      const { id } = await user(username)
      await admin('PUT', `/users/${id}`, { ...(await admin<object>('GET', `/users/${id}`)), enabled })
    },

    sessionsOf: async (username: string): Promise<{ id: string }[]> =>
      admin('GET', `/users/${(await user(username)).id}/sessions`),
  }
}

function ended(program: string, args: string[], cwd: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, stdio: 'inherit' })
    child.once('error', reject)
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${program} ended with ${code}`))))
  })
}
