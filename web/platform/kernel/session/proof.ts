import { solveChallengeWorkers, type Challenge } from 'altcha-lib'
import { Problem, request, withQuery } from '../client/client.ts'

/**
 * Proof of work: the API requires it before it writes for people without an account, so that one write is cheap and a
 * thousand are expensive. Workers compute it, so the page stays responsive. A proof is good for one request.
 */
type Sending<T> = (headers: Record<string, string>) => Promise<T>

/** The server's limit is ten minutes. */
const keeps = 9 * 60_000
/** While somebody guesses passwords of the account, each proof may have to be harder than the last, up to a limit. */
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

/** Starts a proof that will be needed soon, so that nobody waits for it later. */
export function prepareProof(): void {
  if (ready && Date.now() < ready.until) return
  const proof = make()
  ready = { proof, until: Date.now() + keeps }
  // `take` tries again, and reports if that fails too.
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

/** Sends with a proof, and with a harder one if the API asks for it. */
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

/** Sends without a proof first: a sign-in requires one only after failures. Calls `slow` when a proof is required. */
export async function provedIfAsked<T>(send: Sending<T>, slow: () => void): Promise<T> {
  try {
    return await send({})
  } catch (error) {
    if (!wantsProof(error)) throw error
    slow()
    return proved(send, difficultyOf(error))
  }
}
