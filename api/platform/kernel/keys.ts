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

/** An Ed25519 key pair; `id` is the beginning of the public key's hash, and says which key made a signature. */
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

/** SHA-256 of a public key (SPKI, DER), hex: for people who compare two of them. */
export function fingerprintOf(publicKey: KeyObject): string {
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex')
}

/** A public key as text. */
export function pemOf({ publicKey }: Pick<SigningKey, 'publicKey'>): string {
  return publicKey.export({ type: 'spki', format: 'pem' }).toString()
}

/** What a public key is called by. */
function keyId(publicKey: KeyObject): string {
  return fingerprintOf(publicKey).slice(0, 16)
}

/** The public keys of a PEM text, which may hold several, by their ids. Throws where one is none. */
export function keysIn(pem: string): Map<string, KeyObject> {
  const texts = pem.match(/-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----/g) ?? []
  return new Map(texts.map((text) => createPublicKey(text)).map((key) => [keyId(key), key]))
}

/** What is derived from the secret in the settings: the same at each node and after each start. */
export interface Vault {
  /** A key of 32 bytes for one purpose; those of different purposes tell nothing of each other. */
  key(purpose: string): Buffer
  /** Seals something to be stored; it opens only as what it was sealed as, such as `totp:<account>`. */
  seal(as: string, plain: Buffer): Buffer
  /** Opens what was sealed as this; throws when it was sealed as something else, with another secret, or changed. */
  open(as: string, sealed: Buffer): Buffer
}

const NONCE = 12
const TAG = 16

/** Makes the vault of a secret. Each sealed thing has a key of its own (HKDF), so it cannot be put in another's place. */
export function vault(secret: string): Vault {
  const key = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, '', `prakriya ${purpose}`, 32))
  return {
    key,
    seal(as, plain) {
      const nonce = randomBytes(NONCE)
      const cipher = createCipheriv('aes-256-gcm', key(`seal ${as}`), nonce, { authTagLength: TAG })
      const sealed = Buffer.concat([cipher.update(plain), cipher.final()])
      return Buffer.concat([nonce, sealed, cipher.getAuthTag()])
    },
    open(as, sealed) {
      const decipher = createDecipheriv('aes-256-gcm', key(`seal ${as}`), sealed.subarray(0, NONCE), {
        authTagLength: TAG,
      })
      decipher.setAuthTag(sealed.subarray(-TAG))
      return Buffer.concat([decipher.update(sealed.subarray(NONCE, -TAG)), decipher.final()])
    },
  }
}
