import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'

/** An Ed25519 key pair; `id` is the beginning of the public key's hash and identifies its signatures. */
export interface SigningKey {
  id: string
  privateKey: KeyObject
  publicKey: KeyObject
}

/** The key pair of a setting: an Ed25519 private key as PKCS #8, DER, base64. */
export function signingKey(setting: string): SigningKey {
  const privateKey = createPrivateKey({ key: Buffer.from(setting, 'base64'), format: 'der', type: 'pkcs8' })
  return keyPair(privateKey)
}

/** The pair of a private key, with its id. */
export function keyPair(privateKey: KeyObject): SigningKey {
  const publicKey = createPublicKey(privateKey)
  return { id: keyId(publicKey), privateKey, publicKey }
}

/** SHA-256 of a public key (SPKI, DER), hex, for people who compare two keys. */
export function fingerprintOf(publicKey: KeyObject): string {
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex')
}

/** A public key as PEM. */
export function pemOf({ publicKey }: Pick<SigningKey, 'publicKey'>): string {
  return publicKey.export({ type: 'spki', format: 'pem' }).toString()
}

function keyId(publicKey: KeyObject): string {
  return fingerprintOf(publicKey).slice(0, 16)
}

/** The public keys of a PEM text, by id. Throws if one is not valid. */
export function keysIn(pem: string): Map<string, KeyObject> {
  const texts = pem.match(/-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----/g) ?? []
  return new Map(texts.map((text) => createPublicKey(text)).map((key) => [keyId(key), key]))
}

/** Keys derived from TOKEN_SECRET: the same on every node and after every start. */
export interface Vault {
  /** A key of 32 bytes for one purpose; keys of different purposes are independent. */
  key(purpose: string): Buffer
  /** Encrypts data for storage; it opens only under the same label, for example `totp:<account>`. */
  seal(as: string, plain: Buffer): Buffer
  /** Decrypts data; throws if the label or secret differs, or if the data was changed. */
  open(as: string, sealed: Buffer): Buffer
}

const NONCE_BYTES = 12
const TAG_BYTES = 16

/** The vault of a secret. Each label has its own key (HKDF), so sealed data cannot be swapped. */
export function vault(secret: string): Vault {
  const key = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, '', `prakriya ${purpose}`, 32))
  return {
    key,
    seal(as, plain) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key(`seal ${as}`), nonce, { authTagLength: TAG_BYTES })
      const sealed = Buffer.concat([cipher.update(plain), cipher.final()])
      return Buffer.concat([nonce, sealed, cipher.getAuthTag()])
    },
    open(as, sealed) {
      const decipher = createDecipheriv('aes-256-gcm', key(`seal ${as}`), sealed.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
      decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
      return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()])
    },
  }
}
