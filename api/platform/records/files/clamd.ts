import { connect } from 'node:net'
import { BusinessError } from '../../kernel/errors.ts'

/** Bytes per chunk; clamd takes any size below its `StreamMaxLength`. */
const CHUNK = 64 * 1024
/** Milliseconds without an answer after which the scanner counts as away. */
const PATIENCE_MS = 30_000

/** Finds viruses: the name of the one in a file, or null. Throws if it cannot say. */
export type Scanner = (content: Buffer) => Promise<string | null>

/**
 * A clamd at `tcp://host:port`, by its INSTREAM command: chunks with their length before them, an empty one at the end.
 * Anything but a clear answer counts as none, so that only what was scanned passes.
 */
export function clamd(url: string): Scanner {
  const { hostname, port } = new URL(url)
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  return async (content) => {
    const answer = await ask({ host, port: Number(port) }, content).catch((cause: unknown) => {
      throw away(cause)
    })
    if (answer === 'stream: OK') return null
    const found = /^stream: (.+) FOUND$/.exec(answer)?.[1]
    if (found !== undefined) return found
    throw away(new Error(`clamd answered: ${answer}`))
  }
}

const away = (cause: unknown) => Object.assign(new BusinessError('platform.scanner-away'), { cause })

/** The answer to the content of one file. */
function ask(at: { host: string; port: number }, content: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(at)
    let answer = ''
    socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error('clamd did not answer in time')))
    socket.setEncoding('utf8')
    socket.on('data', (part: string) => (answer += part))
    socket.on('error', reject)
    // It may refuse and close before it has read everything; then the answer counts.
    socket.on('close', () => {
      if (answer.endsWith('\0')) resolve(answer.slice(0, -1))
      else reject(new Error('clamd closed the connection without an answer'))
    })
    socket.on('end', () => socket.end())
    socket.write('zINSTREAM\0')
    for (let from = 0; from < content.length; from += CHUNK) {
      const chunk = content.subarray(from, from + CHUNK)
      socket.write(lengthOf(chunk.length))
      socket.write(chunk)
    }
    socket.write(lengthOf(0))
  })
}

function lengthOf(bytes: number): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes)
  return length
}
