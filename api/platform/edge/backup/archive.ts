import { createReadStream, createWriteStream } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import { Decrypter, Encrypter } from 'age-encryption'
import tar, { type Pack } from 'tar-stream'
import { isObject } from '../../kernel/objects.ts'

/** Bytes that are read at once. */
const CHUNK = 1024 * 1024
/** How an encrypted file begins (https://age-encryption.org/v1). */
const ENCRYPTED = 'age-encryption.org/v1'

/** An archive that is being written: tar, compressed by Zstandard, and encrypted by age if there is a key. */
export interface ArchiveWriter {
  folder(name: string): Promise<void>
  text(name: string, content: string): Promise<void>
  /**
   * A file as long as it is at the first look: what grows meanwhile is left out, what shrinks is filled with zeros. One
   * that is gone is left out; returns whether it is there.
   */
  file(name: string, path: string): Promise<boolean>
  /** The archive has its name from now on, and is on the disk. */
  finish(): Promise<void>
  /** Removes what is written. */
  abandon(): Promise<void>
}

/** Begins an archive. `key` is a passphrase, or the public key of those who may read it (`age1…`). */
export function writeArchive(path: string, key: string | undefined, signal?: AbortSignal): ArchiveWriter {
  const unfinished = `${path}.unfinished`
  const pack = tar.pack()
  const compress = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } })
  const target = createWriteStream(unfinished, { mode: 0o600, flush: true })
  const written = pipeline(Readable.from(pack), compress, encrypting(key), target)
  // Told by the next entry that is added, or by `finish`.
  let failure: unknown
  written.catch((error: unknown) => {
    failure = error
    pack.destroy(error instanceof Error ? error : new Error(String(error)))
  })
  const add = (header: Parameters<Pack['entry']>[0], content: (into: ReturnType<Pack['entry']>) => Promise<void>) =>
    new Promise<void>((settle, fail) => {
      signal?.throwIfAborted()
      if (failure) return fail(failure)
      const entry = pack.entry(header, (error) => (error ? fail(failure ?? error) : settle()))
      // What goes wrong is told to the callback above.
      entry.on('error', () => undefined)
      content(entry).catch(fail)
    })
  return {
    folder: (name) => add({ name, type: 'directory', mode: 0o700 }, async (into) => void into.end(undefined)),
    text: (name, content) =>
      add({ name, size: Buffer.byteLength(content), mode: 0o600 }, async (into) => void into.end(content)),
    async file(name, from) {
      const handle = await open(from).catch((error: unknown) => {
        if (isObject(error) && error['code'] === 'ENOENT') return undefined
        throw error
      })
      if (!handle) return false
      try {
        const { size } = await handle.stat()
        await add({ name, size, mode: 0o600 }, async (into) => {
          for await (const part of exactly(handle, size)) if (!into.write(part)) await once(into, 'drain')
          into.end(undefined)
        })
      } finally {
        await handle.close()
      }
      return true
    },
    async finish() {
      pack.finalize()
      await written
      await rename(unfinished, path)
    },
    async abandon() {
      pack.destroy(new Error('abandoned'))
      await written.catch(() => undefined)
      await rm(unfinished, { force: true })
    },
  }
}

async function* exactly(handle: FileHandle, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < size;) {
    const wanted = Math.min(CHUNK, size - at)
    const { bytesRead, buffer } = await handle.read({ buffer: Buffer.alloc(wanted), position: at })
    yield bytesRead === 0 ? buffer : buffer.subarray(0, bytesRead)
    at += bytesRead || wanted
  }
}

function encrypting(key: string | undefined) {
  return async function* (source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    if (key === undefined) return yield* source
    const encryption = new Encrypter()
    if (key.startsWith('age1')) encryption.addRecipient(key)
    else encryption.setPassphrase(key)
    yield* chunksOf(await encryption.encrypt(webStream(source)))
  }
}

function decrypting(key: string) {
  return async function* (source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const decryption = new Decrypter()
    if (key.startsWith('AGE-SECRET-KEY-')) decryption.addIdentity(key)
    else decryption.addPassphrase(key)
    yield* chunksOf(await decryption.decrypt(webStream(source)))
  }
}

function webStream(source: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
  })
}

async function* chunksOf(stream: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream) {
    if (!(chunk instanceof Uint8Array)) throw new Error('a stream of bytes has something else')
    yield chunk
  }
}

/** An entry of an archive. */
export interface ArchiveEntry {
  name: string
  isFolder: boolean
  content: AsyncIterable<Uint8Array>
}

/** Reads an archive; each entry has to be read before the next. Throws an Error that says what is wrong with the file. */
export async function readArchive(
  path: string,
  key: string | undefined,
  each: (entry: ArchiveEntry) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  const encrypted = await isEncrypted(path)
  if (encrypted && key === undefined) throw new Error(`${path} is encrypted: set BACKUP_KEY to what opens it.`)
  const extract = tar.extract()
  const fed = pipeline(
    createReadStream(path),
    encrypted && key !== undefined ? decrypting(key) : passing,
    createZstdDecompress(),
    async (source: AsyncIterable<Uint8Array>) => {
      for await (const part of source) if (!extract.write(part)) await once(extract, 'drain')
      extract.end(undefined)
    },
  ).catch((error: unknown) => {
    const cause = error instanceof Error ? error : new Error(String(error))
    const what = encrypted ? 'cannot be opened with this BACKUP_KEY, or is damaged' : 'is damaged, or is no backup'
    const failure = new Error(`${path} ${what}: ${cause.message}`, { cause })
    extract.destroy(failure)
    throw failure
  })
  fed.catch(() => undefined)
  try {
    for await (const entry of extract) {
      signal?.throwIfAborted()
      await each({ name: entry.header.name, isFolder: entry.header.type === 'directory', content: chunksOf(entry) })
      entry.resume()
    }
  } catch (error) {
    extract.destroy()
    throw error
  }
  await fed
}

async function* passing(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* source
}

async function isEncrypted(path: string): Promise<boolean> {
  const handle = await open(path).catch((cause: unknown) => {
    throw new Error(`There is no file ${path}.`, { cause })
  })
  try {
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(ENCRYPTED.length), position: 0 })
    return buffer.subarray(0, bytesRead).toString() === ENCRYPTED
  } finally {
    await handle.close()
  }
}
