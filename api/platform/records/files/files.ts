import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { fileTypeFromBuffer } from 'file-type'
import { type Kysely, sql } from 'kysely'
import sharp from 'sharp'
import { v4 as uuid } from 'uuid'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError, wrongField } from '../../kernel/errors.ts'
import { cleanName } from '../../kernel/formats.ts'
import type { ObjectStore } from './store.ts'

/** A stored file; its content is in the object store. */
export interface StoredFile {
  id: string
  name: string
  contentType: string
  size: number
  public: boolean
  ownerId: string | null
  width: number | null
  height: number | null
  /** Whether a scanner has found it clean. */
  scanned: boolean
}

/** Pictures are stored in three sizes; this is the longer side in pixels. */
const SIZES = { small: 400, medium: 1200 } as const

export type Size = keyof typeof SIZES | 'original'

/** Maximum size of a file, whatever a form permits. */
export const MAX_FILE_BYTES = 20 * 1024 * 1024

const IMAGES = ['image/jpeg', 'image/png', 'image/webp', 'image/gif']
const OFFICE = 'application/vnd.openxmlformats-officedocument'

/** Content types that may be stored, unless a form permits fewer. Nothing that a browser would execute. */
const ACCEPTED = [
  ...IMAGES,
  'application/pdf',
  `${OFFICE}.wordprocessingml.document`,
  `${OFFICE}.spreadsheetml.sheet`,
  'text/plain',
]

/** Maximum number and bytes of a person's files that are not attached to anything. */
const MAX_UNATTACHED = { files: 60, bytes: 200 * 1024 * 1024 }
/** Days until an unattached file is deleted. */
const KEPT_DAYS = 7
/** Expired files deleted with each upload. */
const CLEARED_AT_ONCE = 10

/** Larger pictures are rejected before they are decoded. */
const MAX_PIXELS = 50_000_000

// A decoded picture takes up to 200 MB outside the heap, so process one at a time, on one thread, without a cache.
sharp.cache(false)
sharp.concurrency(1)
let lastPicture: Promise<unknown> = Promise.resolve()

/** Rows and content of files. */
interface FilesContext {
  db: Kysely<DB>
  store: ObjectStore
}

/** An uploaded file. */
interface SentFile {
  name: string
  content: Buffer
  owner: string | null
  /** Content types that the form's field permits; `image/*` stands for all pictures. */
  accept?: readonly string[]
  maxSize?: number
  public?: boolean
  id?: string
}

/**
 * Uploaded files. The content determines the type, not the sender; ids are random. Content is written before the row,
 * so a row always has its content.
 */
export function files(context: FilesContext) {
  const { db } = context
  return {
    find: (id: string) => findFile(db, id),
    findSome: (ids: readonly string[]) => findFiles(db, ids),
    casesOf: (id: string) => casesOf(db, id),
    isPhoto: (id: string) => isPhoto(db, id),
    save: (sent: SentFile) => saveFile(context, sent),
    open: (file: StoredFile, size?: Size) => openFile(context, file, size),
  }
}

async function findFile(db: Kysely<DB>, id: string): Promise<StoredFile | undefined> {
  const row = await db.selectFrom('file').selectAll().where('id', '=', id).executeTakeFirst()
  return row && fileOf(row)
}

async function findFiles(db: Kysely<DB>, ids: readonly string[]): Promise<StoredFile[]> {
  const rows = await db.selectFrom('file').selectAll().where('id', 'in', ids).execute()
  return rows.map((row) => fileOf(row))
}

/** The cases that a file is attached to. */
async function casesOf(db: Kysely<DB>, id: string): Promise<string[]> {
  const rows = await db.selectFrom('case_file').select('case_id').where('file_id', '=', id).execute()
  return rows.map((row) => row.case_id)
}

/** Whether a file is the photo of an active account. */
async function isPhoto(db: Kysely<DB>, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('account')
    .select('id')
    .where('photo_id', '=', id)
    .where('active', '=', true)
    .executeTakeFirst()
  return row !== undefined
}

async function saveFile(context: FilesContext, sent: SentFile): Promise<StoredFile> {
  const { db, store } = context
  const { content, owner, id = uuid() } = sent
  const contentType = await acceptedType(sent)
  await refuseInfected(store, content)
  if (owner !== null) await makeRoom(context, owner, content.length)
  const key = `files/${id}`
  const picture = IMAGES.includes(contentType) ? await storeSizes(store, key, content) : { width: null, height: null }
  await store.put(key, content)
  const row = await db
    .insertInto('file')
    .values({
      id,
      name: nameOf(sent.name),
      content_type: contentType,
      size: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
      storage_key: key,
      owner_id: owner,
      public: sent.public ?? false,
      scanned_at: store.scan ? new Date() : null,
      // Files that come with the system count as attached.
      attached_at: owner === null ? new Date() : null,
      ...picture,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return fileOf(row)
}

/** The content type of a file that may be stored; throws for all others. */
async function acceptedType({ content, accept, maxSize = MAX_FILE_BYTES }: SentFile): Promise<string> {
  if (content.length === 0) throw new BusinessError('platform.file-empty')
  const limit = Math.min(maxSize, MAX_FILE_BYTES)
  if (content.length > limit) throw new BusinessError('platform.file-too-large', { megabytes: limit / 1_048_576 })
  const contentType = await typeOf(content)
  if (!ACCEPTED.includes(contentType) || !fits(contentType, accept))
    throw new BusinessError('platform.file-type-refused', { type: contentType })
  return contentType
}

/** Throws if the scanner finds something, or cannot say. */
async function refuseInfected(store: ObjectStore, content: Buffer): Promise<void> {
  const found = await store.scan?.(content)
  if (found) throw wrongField('/file', 'platform.file-infected', { found })
}

/** Scans a file that was stored before there was a scanner. */
async function scanLate({ db, store }: FilesContext, { id }: StoredFile): Promise<void> {
  await refuseInfected(store, await buffer(store.read(`files/${id}`)))
  await db.updateTable('file').set({ scanned_at: new Date() }).where('id', '=', id).execute()
}

/** The content; pictures in the requested size, other files unchanged. With a scanner, only what it has found clean. */
async function openFile(
  context: FilesContext,
  file: StoredFile,
  size: Size = 'original',
): Promise<{ contentType: string; content: Readable }> {
  const { store } = context
  if (store.scan && !file.scanned) await scanLate(context, file)
  const picture = file.width !== null && size !== 'original'
  const content = store.read(picture ? `files/${file.id}-${size}` : `files/${file.id}`)
  return { content, contentType: picture ? 'image/webp' : file.contentType }
}

/** Deletes old unattached files, anybody's; throws if the person would have too many. */
async function makeRoom({ db, store }: FilesContext, owner: string, size: number): Promise<void> {
  const stale = await sql<{ storage_key: string }>`
    delete from file where id in (
      select id from file where attached_at is null and created_at < now() - make_interval(days => ${KEPT_DAYS})
      order by created_at limit ${CLEARED_AT_ONCE} for update skip locked)
    returning storage_key`.execute(db)
  await removeContent(store, stale.rows)
  const { count, bytes } = await db
    .selectFrom('file')
    .select((eb) => [
      eb.fn.countAll<string>().as('count'),
      eb.fn.coalesce(eb.fn.sum<string>('size'), sql<string>`0`).as('bytes'),
    ])
    .where('owner_id', '=', owner)
    .where('attached_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (Number(count) >= MAX_UNATTACHED.files || Number(bytes) + size > MAX_UNATTACHED.bytes)
    throw new BusinessError('platform.files-too-many', { files: MAX_UNATTACHED.files, days: KEPT_DAYS })
}

/** Deletes those of the files that nothing holds any more: no case, no record, no register entry, and no account as its photo. */
export async function dropUnused({ db, store }: FilesContext, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const { rows } = await db.transaction().execute(async (trx) => {
    // An application that takes a copy at this moment has locked them; look only after it is written.
    await trx.selectFrom('file').select('id').where('id', 'in', ids).orderBy('id').forUpdate().execute()
    return sql<{ storage_key: string }>`
      delete from file f where id = any (${[...ids]}::uuid[])
        and not exists (select from case_file where file_id = f.id)
        and not exists (select from own_record_file where file_id = f.id)
        and not exists (select from register_file where file_id = f.id)
        and not exists (select from account where photo_id = f.id)
      returning storage_key`.execute(trx)
  })
  await removeContent(store, rows)
}

/** Removes the content of deleted files, pictures in all sizes. */
async function removeContent(store: ObjectStore, rows: readonly { storage_key: string }[]): Promise<void> {
  for (const { storage_key: key } of rows)
    for (const one of [key, ...Object.keys(SIZES).map((side) => `${key}-${side}`)]) await store.remove(one)
}

async function storeSizes(
  store: ObjectStore,
  key: string,
  content: Buffer,
): Promise<{ width: number; height: number }> {
  const { width, height, sizes } = await resized(content)
  for (const [size, bytes] of sizes) await store.put(`${key}-${size}`, bytes)
  return { width, height }
}

/** The smaller sizes of a picture, one picture at a time. */
function resized(content: Buffer): ReturnType<typeof resize> {
  const own = lastPicture.then(() => resize(content))
  lastPicture = own.catch(() => undefined)
  return own
}

/** Rotates the picture upright in each size; throws a business error if it cannot be decoded. */
async function resize(content: Buffer) {
  const image = sharp(content, { limitInputPixels: MAX_PIXELS, failOn: 'error' }).rotate()
  try {
    const { width, height } = await image.metadata()
    const sizes: [size: string, bytes: Buffer][] = []
    for (const [size, side] of Object.entries(SIZES)) {
      const fitted = image.clone().resize(side, side, { fit: 'inside', withoutEnlargement: true })
      sizes.push([size, await fitted.webp({ quality: 80 }).toBuffer()])
    }
    return { width, height, sizes }
  } catch (error) {
    throw new BusinessError('platform.file-broken', { reason: error instanceof Error ? error.message : String(error) })
  }
}

async function typeOf(content: Buffer): Promise<string> {
  const found = await fileTypeFromBuffer(content)
  if (found) return found.mime
  return isPlainText(content) ? 'text/plain' : 'application/octet-stream'
}

function isPlainText(content: Buffer): boolean {
  const text = content.toString('utf8')
  // Markup without a signature, for example SVG, is text too; browsers must not get it as such.
  return !/[[\p{Cc}\ufffd]--[\t\n\v\f\r]]/v.test(text) && !/^\s*<[!?a-z]/i.test(text)
}

function fits(type: string, accept: readonly string[] | undefined): boolean {
  return !accept || accept.some((one) => one === type || (one.endsWith('/*') && type.startsWith(one.slice(0, -1))))
}

/** The sender's file name, without path and control characters. */
function nameOf(name: string): string {
  return cleanName((name.split(/[/\\]/).at(-1) ?? '').normalize('NFC')).slice(0, 200) || 'file'
}

function fileOf(row: {
  id: string
  name: string
  content_type: string
  size: string | number
  public: boolean
  owner_id: string | null
  width: number | null
  height: number | null
  scanned_at: Date | null
}): StoredFile {
  return {
    id: row.id,
    name: row.name,
    contentType: row.content_type,
    size: Number(row.size),
    public: row.public,
    ownerId: row.owner_id,
    width: row.width,
    height: row.height,
    scanned: row.scanned_at !== null,
  }
}
