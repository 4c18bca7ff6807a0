import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { dictionary } from '@zxcvbn-ts/language-common'
import { BusinessError } from '../../kernel/errors.ts'

const derive = promisify(argon2)

/** OWASP's minimum for argon2id: 19 MiB, two passes, one lane; about 50 ms here. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 }

/** The university's rule: at least 8 characters, with an upper-case letter, a lower-case letter and a digit. */
const RULE = /^(?=[\s\S]*\p{Lu})(?=[\s\S]*\p{Ll})(?=[\s\S]*\p{Nd})[\s\S]{8,}$/u
/** Longer passwords cost more to hash and are no safer. */
const MAX_LENGTH = 200
/** About 50,000 common passwords, in lower case. */
const COMMON = new Set(dictionary['passwords-common'])
/** Shorter parts of a name occur in good passwords by chance. */
const MIN_NAME_PART_LENGTH = 4
/** Characters that must remain without the person's own names. */
const MIN_LENGTH_WITHOUT_NAMES = 8

/**
 * Throws for a new password that breaks the rule, is among the most common ones, or is little more than the names and
 * addresses in `about`; the error is at the field.
 */
export function expectGoodPassword(password: string, about: readonly string[], field = '/password'): void {
  const plain = password.normalize('NFKC')
  if (plain.length > MAX_LENGTH) throw refusal('platform.check-maxLength', { limit: MAX_LENGTH })
  if (!RULE.test(plain)) throw refusal('platform.password-rule')
  const small = plain.toLowerCase()
  // Also check without digits or punctuation at the end, which people add to satisfy a rule.
  if (COMMON.has(small) || COMMON.has(small.replace(/[^\p{L}]+$/u, ''))) throw refusal('platform.password-common')
  const rest = partsOf(about).reduce((left, part) => left.replaceAll(part, ''), small)
  if (rest !== small && rest.length < MIN_LENGTH_WITHOUT_NAMES) throw refusal('platform.password-personal')

  function refusal(code: string, values = {}): BusinessError {
    return new BusinessError('platform.form-invalid', {}, [{ field, code, values }])
  }
}

/** Longest first, so that a short part does not split a longer one. */
function partsOf(about: readonly string[]): string[] {
  const words = about.flatMap((one) => {
    const whole = one.normalize('NFKC').toLowerCase()
    return [whole, ...whole.split(/[^\p{L}\p{M}\p{N}]+/u)]
  })
  return [...new Set(words)].filter((word) => word.length >= MIN_NAME_PART_LENGTH).sort((a, b) => b.length - a.length)
}

/** The hash of a password in PHC format, which includes the cost, so that it can change later. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const hash = await run(password, salt, COST)
  const { memory, passes, parallelism } = COST
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${text(salt)}$${text(hash)}`
}

/**
 * Whether the password matches the hash. Without a hash it does the same work and returns false, so that timing does
 * not reveal an account.
 */
export async function verifyPassword(password: string, phc: string | null | undefined): Promise<boolean> {
  const [, memory, passes, parallelism, salt, expected] =
    /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(phc ?? '') ?? []
  if (salt === undefined || expected === undefined) {
    await run(password, randomBytes(16), COST)
    return false
  }
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  const hash = await run(password, Buffer.from(salt, 'base64'), cost)
  return timingSafeEqual(hash, Buffer.from(expected, 'base64'))
}

function run(password: string, nonce: Buffer, cost: typeof COST): Promise<Buffer> {
  const parameters: Argon2Parameters = { message: password.normalize('NFKC'), nonce, tagLength: 32, ...cost }
  return derive('argon2id', parameters)
}

function text(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
