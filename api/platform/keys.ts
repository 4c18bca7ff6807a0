import { createHash, createPrivateKey, createPublicKey, hkdfSync, type KeyObject } from 'node:crypto'

/** An Ed25519 key pair; `id` is the beginning of the public key's hash, and says which key made a signature. */
export interface SigningKey {
  id: string
  privateKey: KeyObject
  publicKey: KeyObject
}

/** The key pair of a setting: an Ed25519 private key as PKCS #8, DER, base64. */
export function signingKey(setting: string): SigningKey {
  const privateKey = createPrivateKey({ key: Buffer.from(setting, 'base64'), format: 'der', type: 'pkcs8' })
  const publicKey = createPublicKey(privateKey)
  const der = publicKey.export({ type: 'spki', format: 'der' })
  return { id: createHash('sha256').update(der).digest('hex').slice(0, 16), privateKey, publicKey }
}

/**
 * The key pair that signs access tokens, from the secret in the settings: the same at each node and after each start,
 * and asymmetric, so that whoever checks tokens need not be able to make them.
 */
export function tokenKey(secret: string): SigningKey {
  const seed = Buffer.from(hkdfSync('sha256', secret, '', 'prakriya access tokens', 32))
  // The fixed beginning of every Ed25519 private key in PKCS #8.
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed])
  return signingKey(der.toString('base64'))
}
