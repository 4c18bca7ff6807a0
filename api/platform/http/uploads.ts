import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { BusinessError } from '../kernel/errors.ts'
import { MAX_FILE_BYTES, type StoredFile, files } from '../records/files/files.ts'
import { type FieldSchema, pathOf } from '../model/definitions/register.ts'
import type { Kysely } from 'kysely'
import type { DB } from '../kernel/db/database.generated.ts'
import type { ObjectStore } from '../records/files/store.ts'
import type { Definitions } from '../model/deployed/definitions.ts'
import { formOfHash } from '../model/deployed/forms.ts'
import type { Library } from '../model/library/library.ts'
import { Id } from './schemas.ts'
import { component } from '../kernel/components.ts'

/** Maximum size of a multipart request with a file. */
export const UPLOAD_LIMIT = MAX_FILE_BYTES + 64 * 1024
export const UPLOAD_DESCRIPTION =
  'Named before the file, `form` (a hash) or `register`, with `field` (a JSON pointer), bring the limits of that field.'

/** The parts of a multipart request. They are streamed; the schema is only for the OpenAPI document. */
export const Upload = Type.Object({
  form: Type.Optional(Type.String()),
  register: Type.Optional(Type.String()),
  field: Type.Optional(Type.String()),
  file: Type.Unsafe<unknown>({ type: 'string', format: 'binary' }),
})
export const Uploaded = component(
  'UploadedFile',
  Type.Object({
    id: Id,
    name: Type.String(),
    contentType: Type.String(),
    size: Type.Integer(),
  }),
)

/** Stores the file of a request for its owner, within the limits of its form field. */
export function uploads({
  db,
  store,
  definitions,
  library,
}: {
  db: Kysely<DB>
  store: ObjectStore
  definitions: Definitions
  library: Library
}) {
  const service = files({ db, store })

  async function limitsOf(form?: string, register?: string, field?: string) {
    if (field === undefined) return {}
    const schema =
      form === undefined
        ? library.registers.get(register ?? '')?.item
        : (await formOfHash({ library, definitions }, form)).schema
    const found = pathOf(field).reduce<FieldSchema | undefined>(
      (at, name) => at?.properties?.[name] ?? (/^\d+$/.test(name) ? at?.items : undefined),
      schema,
    )
    const own = found?.['x-widget'] === undefined ? found?.items : found
    if (!own)
      throw new BusinessError('platform.form-invalid', {}, [{ field: '/field', code: 'platform.field-unknown' }])
    const accept = own['x-accept']
    const maxSize = own['x-max-size']
    return {
      ...(accept === undefined ? {} : { accept: [accept].flat() }),
      ...(typeof maxSize === 'number' ? { maxSize } : {}),
    }
  }

  return async (request: FastifyRequest, owner: string): Promise<StoredFile> => {
    if (!request.isMultipart()) throw new BusinessError('platform.media-type-unknown')
    const part = await understood(() => request.file())
    if (!part) throw new BusinessError('platform.file-empty')
    const content = await understood(() => part.toBuffer())
    if (part.file.truncated)
      throw new BusinessError('platform.file-too-large', { megabytes: MAX_FILE_BYTES / 1_048_576 })
    const text = (name: string) => {
      const field = part.fields[name]
      return field && !Array.isArray(field) && field.type === 'field' ? String(field.value) : undefined
    }
    const limits = await limitsOf(text('form'), text('register'), text('field'))
    return service.save({ name: part.filename, content, owner, ...limits })
  }
}

/** Reads multipart parts. The parser's errors have no status, but they are the client's fault. */
async function understood<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof Error) || 'statusCode' in error) throw error
    // The parser is created with the boundary, and throws if it is missing, empty or too long.
    const code = /Boundary|needle/.test(error.message) ? 'platform.multipart-unbounded' : 'platform.multipart-broken'
    throw new BusinessError('platform.request-invalid', {}, [{ field: '', code }])
  }
}
