import { solveChallengeWorkers, type Challenge } from 'altcha-lib'
import { Problem, request, withQuery } from '../client/client.ts'

/**
 * Proof of work: what the API asks of strangers before it writes something for them, so that writing a thousand times
 * is dear and once is cheap. It is made by workers, so the page stays usable; a proof is good for one request.
 */
type Sending<T> = (headers: Record<string, string>) => Promise<T>

/** The server's limit is ten minutes. */
const keeps = 9 * 60_000
/** While somebody else guesses at the same account, each proof may be asked for a little harder, up to a limit. */
const triesAtMost = 8

let ready: { proof: Promise<string>; until: number } | undefined

async function make(difficulty?: number): Promise<string> {
  const challenge = await request<Challenge>('GET', withQuery('/api/public/proof', { difficulty }))
  const solution = await solveChallengeWorkers({
    challenge,
    concurrency: Math.min(4, navigator.hardwareConcurrency),
    createWorker: () => new Worker(new URL('./proof.worker.ts', import.meta.url), { type: 'module' }),
  })
  if (!solution) throw new Error('the proof of work took too long')
  return btoa(JSON.stringify({ challenge, solution }))
}

/** Begins a proof that will be needed soon, so that nobody waits for it later. */
export function prepareProof(): void {
  if (ready && Date.now() < ready.until) return
  const proof = make()
  ready = { proof, until: Date.now() + keeps }
  // Whoever needs it will try anew, and tell if that fails too.
  proof.catch(() => (ready = undefined))
}

function take(difficulty?: number): Promise<string> {
  const prepared = ready && Date.now() < ready.until && difficulty === undefined ? ready.proof : undefined
  ready = undefined
  return prepared?.catch(() => make()) ?? make(difficulty)
}

const wantsProof = (error: unknown): error is Problem =>
  error instanceof Problem && ['platform.proof-wanted', 'platform.proof-refused'].includes(error.code)

const difficultyOf = ({ more }: Problem) => (typeof more['difficulty'] === 'number' ? more['difficulty'] : undefined)

/** Sends with a proof, and with a harder one where the API asks for that. */
export async function proved<T>(send: Sending<T>, difficulty?: number): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await send({ 'x-proof': await take(difficulty) })
    } catch (error) {
      if (!wantsProof(error) || tries === triesAtMost) throw error
      difficulty = difficultyOf(error)
    }
  }
}

/** Sends without a proof first: signing in costs one only after failures. `slow` is called when it does. */
export async function provedIfAsked<T>(send: Sending<T>, slow: () => void): Promise<T> {
  try {
    return await send({})
  } catch (error) {
    if (!wantsProof(error)) throw error
    slow()
    return proved(send, difficultyOf(error))
  }
}
