import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { existsSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readJson } from '../../kernel/json-file.ts'

/** The secrets of one installation; created at the first start, in a file that only its user can read. */
export interface Secrets {
  ownerPassword: string
  appPassword: string
  enginePassword: string
  engineSecret: string
  tokenSecret: string
  fieldKeys: string
  auditKey: string
}

/** Reads the secrets of a data folder, and creates missing ones. */
export function readSecrets(dataDir: string): Secrets {
  const file = join(dataDir, 'secrets.json')
  const known = existsSync(file) ? readJson<Partial<Secrets>>(file) : {}
  const secrets: Secrets = {
    ownerPassword: random(),
    appPassword: random(),
    enginePassword: random(),
    engineSecret: random(),
    tokenSecret: random(),
    fieldKeys: `first:${random()}`,
    auditKey: generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
    ...known,
  }
  if (Object.keys(known).length < Object.keys(secrets).length) writePrivately(file, secrets)
  return secrets
}

/** Writes JSON atomically, readable only by its user. */
export function writePrivately(file: string, content: unknown): void {
  writeFileSync(`${file}.new`, `${JSON.stringify(content, undefined, 2)}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

function random(): string {
  return randomBytes(32).toString('base64url')
}
