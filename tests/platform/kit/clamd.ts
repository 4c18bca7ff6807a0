import { type AddressInfo, createServer } from 'node:net'

const EICAR = 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE'

/** A clamd that knows one virus: the test file that every scanner knows. Its streams end at `limit` bytes. */
export async function fakeClamd(
  limit = 1_000_000,
): Promise<{ url: string; scanned(): number; close(): Promise<void> }> {
  let scanned = 0
  const server = createServer((socket) => {
    let received = Buffer.alloc(0)
    socket.on('error', () => socket.destroy())
    socket.on('data', (part) => {
      received = Buffer.concat([received, part])
      const answer = answerTo(received, limit)
      if (answer === undefined) return
      scanned += 1
      socket.end(`${answer}\0`)
      received = Buffer.alloc(0)
    })
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  return {
    url: `tcp://127.0.0.1:${port}`,
    scanned: () => scanned,
    close: () => new Promise((done) => server.close(() => done())),
  }
}

/** Undefined while the stream has not ended. */
function answerTo(received: Buffer, limit: number): string | undefined {
  const command = 'zINSTREAM\0'
  if (received.length < command.length) return undefined
  if (received.subarray(0, command.length).toString() !== command) return 'UNKNOWN COMMAND'
  const chunks: Buffer[] = []
  let size = 0
  for (let at = command.length; at + 4 <= received.length;) {
    const length = received.readUInt32BE(at)
    at += 4
    if (length === 0) return Buffer.concat(chunks).includes(EICAR) ? 'stream: Eicar-Test-Signature FOUND' : 'stream: OK'
    size += length
    if (size > limit) return 'INSTREAM size limit exceeded. ERROR'
    chunks.push(received.subarray(at, at + length))
    at += length
  }
  return undefined
}
