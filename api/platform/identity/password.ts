import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify(argon2)

/** OWASP's smallest advised argon2id: 19 MiB, two passes, one lane; about 50 ms here. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 }

/** The hash of a password in PHC form, so that a later cost can stand beside an older one. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const hash = await run(password, salt, COST)
  const { memory, passes, parallelism } = COST
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${text(salt)}$${text(hash)}`
}

/**
 * Whether the password belongs to the hash. Without a hash the same work is done and the answer is no, so that the
 * time taken does not tell whether an account exists.
 */
export async function verifyPassword(password: string, phc: string | null | undefined): Promise<boolean> {
  const parts = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(phc ?? '')
  if (!parts) {
    await run(password, randomBytes(16), COST)
    return false
  }
  const [, memory, passes, parallelism, salt, expected] = parts
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  const hash = await run(password, Buffer.from(salt!, 'base64'), cost)
  return timingSafeEqual(hash, Buffer.from(expected!, 'base64'))
}

function run(password: string, nonce: Buffer, cost: typeof COST): Promise<Buffer> {
  const parameters: Argon2Parameters = { message: password.normalize('NFKC'), nonce, tagLength: 32, ...cost }
  return derive('argon2id', parameters)
}

function text(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
