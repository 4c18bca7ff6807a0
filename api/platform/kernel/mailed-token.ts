import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { v4 as uuid } from 'uuid'

const ID_BYTES = 16
const SECRET_BYTES = 32

/** The secret part of a mailed link: an id and 256 random bits. Only the hash is stored. */
export interface MailedToken {
  id: string
  token: string
  hash: Buffer
}

/** Makes a token for an address; the hash covers the address, so a change of address invalidates the link. */
export function newMailedToken(address: string): MailedToken {
  const id = uuid()
  const secret = randomBytes(SECRET_BYTES)
  const token = Buffer.concat([Buffer.from(id.replaceAll('-', ''), 'hex'), secret]).toString('base64url')
  return { id, token, hash: hashOf(secret, address) }
}

/** The id in a token, and whether it is the token of this hash and address; undefined if it is no token. */
export function readMailedToken(
  token: string,
): { id: string; isOf(hash: Buffer, address: string): boolean } | undefined {
  const bytes = /^[\w-]{64}$/.test(token) ? Buffer.from(token, 'base64url') : Buffer.alloc(0)
  if (bytes.length !== ID_BYTES + SECRET_BYTES) return undefined
  const secret = bytes.subarray(ID_BYTES)
  return {
    id: bytes.subarray(0, ID_BYTES).toString('hex'),
    isOf: (hash, address) => timingSafeEqual(hash, hashOf(secret, address)),
  }
}

function hashOf(secret: Buffer, address: string): Buffer {
  return createHash('sha256').update(secret).update(address.toLowerCase()).digest()
}
