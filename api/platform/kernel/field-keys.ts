import { known } from './known.ts'
import { vault } from './keys.ts'

/** Keys of encrypted fields. The first encrypts; all decrypt, so that what earlier keys sealed stays readable. */
export interface FieldKeys {
  /** Names of the keys. */
  ids: readonly string[]
  /** By name, what tells two secrets apart and gives neither away. */
  fingerprints: ReadonlyMap<string, string>
  /** Encrypts a text under a label such as `medical/patient <id>`; it opens only under the same label. */
  seal(as: string, plain: string): { keyId: string; sealed: Buffer }
  /** Throws if the key is unknown, the label differs, or the data was changed. */
  open(as: string, keyId: string, sealed: Buffer): string
}

/** The form of the setting: `<id>:<secret>`, separated by spaces, the newest first. */
export const FIELD_KEYS_PATTERN = '^[a-z0-9-]{1,20}:\\S{32,}( [a-z0-9-]{1,20}:\\S{32,})*$'

/** The keys of the setting FIELD_KEYS. */
export function fieldKeys(setting: string): FieldKeys {
  const keys = setting.split(' ').map((one) => {
    const [id = '', ...secret] = one.split(':')
    return [id, vault(secret.join(':'))] as const
  })
  const byId = new Map(keys)
  if (byId.size < keys.length) throw new Error('FIELD_KEYS names a key twice: give each a name of its own')
  const [keyId, newest] = known(keys[0], 'the newest field key')
  return {
    ids: [...byId.keys()],
    fingerprints: new Map(keys.map(([id, key]) => [id, key.key('fingerprint').toString('hex')])),
    seal: (as, plain) => ({ keyId, sealed: newest.seal(`fields ${as}`, Buffer.from(plain)) }),
    open: (as, id, sealed) => {
      const key = byId.get(id)
      if (!key) throw new Error(`the field key ${id} is missing in FIELD_KEYS`)
      return key.open(`fields ${as}`, sealed).toString()
    },
  }
}
