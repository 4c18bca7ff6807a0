import { argon2Sync, randomBytes } from 'node:crypto'

/** At the lowest cost: most tests are not about guessing. */
export function cheapHash(password: string): string {
  const nonce = randomBytes(16)
  const hash = argon2Sync('argon2id', { message: password, nonce, tagLength: 32, memory: 8, passes: 1, parallelism: 1 })
  const [salt, tag] = [nonce, hash].map((bytes) => bytes.toString('base64').replace(/=+$/, ''))
  return `$argon2id$v=19$m=8,t=1,p=1$${salt}$${tag}`
}
