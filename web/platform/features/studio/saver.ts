import type { Table } from '../../kernel/api/studio.ts'

/** How the drawing compares with the server's draft. */
export type Saved =
  | { state: 'saved'; at: string }
  | { state: 'unsaved' | 'saving' }
  /** No answer; the save is retried. */
  | { state: 'failed' }
  /** Refused: somebody else saved since, or holds the draft; `detail` says who and when. */
  | { state: 'refused'; code: string; detail: string }

/** The part of a draft that is saved. */
interface Part {
  bpmn?: string
  dmn?: Table[]
}

interface SaverOptions {
  /** The revision that the first save is based on. */
  revision: number
  save(revision: number, part: Part): Promise<{ revision: number; savedAt: string }>
  tell(saved: Saved): void
}

export type Saver = ReturnType<typeof draftSaver>

const afterChange = 1200
const afterFailure = 5000
/** Statuses after which a retry would be refused too; all others are transient, such as 429. */
const final = [403, 404, 409, 413, 422]

/** Saves a draft a moment after each change, each time on top of the revision that it knows. */
export function draftSaver({ revision: first, save, tell }: SaverOptions) {
  let revision = first
  let waiting: (() => Promise<Part>)[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let sending: Promise<boolean> | undefined
  let refused = false

  async function attempt(reads: (() => Promise<Part>)[]): Promise<boolean> {
    try {
      const parts = await Promise.all(reads.map((read) => read()))
      const part = parts.reduce<Part>((all, one) => ({ ...all, ...one }), {})
      const answer = await save(revision, part)
      revision = answer.revision
      tell(waiting.length > 0 ? { state: 'unsaved' } : { state: 'saved', at: answer.savedAt })
      return true
    } catch (error) {
      const refusal = refusalIn(error)
      if (refusal) {
        refused = true
        tell({ state: 'refused', ...refusal })
        return false
      }
      waiting = [...reads, ...waiting.filter((read) => !reads.includes(read))]
      tell({ state: 'failed' })
      timer = setTimeout(() => void flush(), afterFailure)
      return false
    }
  }

  /** Sends pending changes now. True when everything is on the server. */
  async function flush(): Promise<boolean> {
    clearTimeout(timer)
    // Of several concurrent callers, the first sends what has changed since; the others wait for it too.
    while (sending) await sending
    if (refused) return false
    const reads = waiting
    if (reads.length === 0) return true
    waiting = []
    tell({ state: 'saving' })
    sending = attempt(reads).finally(() => (sending = undefined))
    return sending
  }

  return {
    flush,

    revision: () => revision,

    /** Registers a change; it is read when it is sent, a moment later. */
    change(read: () => Promise<Part>): void {
      // Of the same kind only the latest counts; both kinds may wait at once.
      if (!waiting.includes(read)) waiting.push(read)
      if (!refused) tell({ state: 'unsaved' })
      clearTimeout(timer)
      timer = setTimeout(() => void flush(), afterChange)
    },

    /** Whether unsaved changes would be lost now. */
    isWaiting: () => waiting.length > 0 && !refused,
  }
}

function refusalIn(error: unknown): { code: string; detail: string } | undefined {
  if (!(error instanceof Error) || !('status' in error)) return undefined
  if (typeof error.status !== 'number' || !final.includes(error.status)) return undefined
  return {
    code: 'code' in error && typeof error.code === 'string' ? error.code : 'platform.fault',
    detail: 'detail' in error && typeof error.detail === 'string' ? error.detail : error.message,
  }
}
