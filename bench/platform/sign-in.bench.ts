import { hashPassword, verifyPassword } from '../../api/platform/people/identity/password.ts'
import { PASSWORD, send } from '../../tests/platform/kit/people.ts'
import type { Bench } from '../main.ts'
import { percentile, rounded, sized } from './results.ts'

const PEOPLE = [
  'admin',
  'registrar',
  'finance',
  'hod.music',
  'hod.ballet',
  'dean.music',
  'student.nuwan',
  'student.selvi',
]
const WARM_UP = sized(20, 1)
const ROUNDS = sized(200, 2)

/**
 * Ours: from sending name and password until the tokens arrive, one sign-in after the other. Baseline: argon2id over
 * the same password with the same parameters, in this process. They alternate. The rest of a sign-in is a dozen short
 * statements: throttle, account with grants and factors, session, token, audit, cleanup. The bound: it takes at most
 * three quarters of another hash.
 */
const bench: Bench = {
  title: 'sign-in: name and password to tokens, against bare argon2id with the same parameters',
  async run(say) {
    const hash = await hashPassword(PASSWORD)
    const bare = () => timed(() => verifyPassword(PASSWORD, hash))
    let sent = 0
    const ours = () =>
      timed(async () => {
        const n = sent++
        const body = new URLSearchParams({
          grant_type: 'password',
          username: PEOPLE[n % PEOPLE.length]!,
          password: PASSWORD,
        })
        const headers = { 'x-forwarded-for': `10.0.${n >> 6}.${n & 63}` }
        const { status } = await send('POST', '/api/auth/token', { body, headers })
        if (status !== 200) throw new Error(`a sign-in was answered ${status}`)
      })
    const times = { ours: [] as number[], bare: [] as number[] }
    for (let n = 0; n < WARM_UP + ROUNDS; n += 1) {
      const [a, b] = [await ours(), await bare()]
      if (n < WARM_UP) continue
      times.ours.push(a)
      times.bare.push(b)
    }
    say(`${ROUNDS} of each`)
    const figures = Object.fromEntries(
      [0.5, 0.95].flatMap((share) => {
        const [a, b] = [percentile(times.ours, share), percentile(times.bare, share)]
        const name = `p${share * 100}`
        return [
          [`ours ${name} ms`, rounded(a)],
          [`bare ${name} ms`, rounded(b)],
          [`ours to bare ${name}`, rounded(a / b)],
        ]
      }),
    )
    return { figures, promises: [{ figure: 'ours to bare p50', atMost: 1.75 }] }
  },
}
export default bench

async function timed(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await act()
  return performance.now() - began
}
