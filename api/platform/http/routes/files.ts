import type { Readable } from 'node:stream'
import { Type } from 'typebox'
import { BusinessError } from '../../errors.ts'
import { FILE_LIMIT, type StoredFile, files } from '../../files/files.ts'
import type { Person } from '../../identity/person.ts'
import type { FieldSchema } from '../../registers/definition.ts'
import { pathOf } from '../../registers/definition.ts'
import type { App, Dependencies } from '../app.ts'
import { personOf } from '../auth.ts'
import { Id, Query, refusals } from '../schemas.ts'

const Bytes = Type.Unsafe<Readable>({ type: 'string', format: 'binary' })
const Sizes = Type.Enum(['small', 'medium', 'original'], {
  default: 'original',
  description: 'Of pictures',
})

/** Files that people attach, and pictures. */
export function fileRoutes(
  app: App,
  {
    db,
    store,
    definitions,
    library,
    visible,
  }: Pick<Dependencies, 'db' | 'store' | 'definitions' | 'library' | 'visible'>,
): void {
  const service = files({ db, store })

  app.post(
    '/api/files',
    {
      config: { rule: 'signed-in', rateLimit: { max: 60, timeWindow: '1 minute' } },
      bodyLimit: FILE_LIMIT + 64 * 1024,
      // The parts are read one by one; the schema is for the document.
      validatorCompiler: () => () => true,
      schema: {
        operationId: 'uploadFile',
        tags: ['files'],
        summary: 'Stores a file; its id then stands in the form that it belongs to',
        description:
          'Named before the file, `form` (a hash) or `register`, with `field` (a JSON pointer), bring the limits of that field.',
        consumes: ['multipart/form-data'],
        body: Type.Object({
          form: Type.Optional(Type.String()),
          register: Type.Optional(Type.String()),
          field: Type.Optional(Type.String()),
          file: Type.Unsafe<unknown>({ type: 'string', format: 'binary' }),
        }),
        response: {
          201: Type.Object({ id: Id, name: Type.String(), contentType: Type.String(), size: Type.Integer() }),
          ...refusals(401, 413, 415, 422),
        },
      },
    },
    async (request, reply) => {
      if (!request.isMultipart()) throw new BusinessError('platform.media-type-unknown')
      const part = await request.file()
      if (!part) throw new BusinessError('platform.file-empty')
      const content = await part.toBuffer()
      if (part.file.truncated) throw new BusinessError('platform.file-too-large', { megabytes: FILE_LIMIT / 1_048_576 })
      const text = (name: string) => {
        const field = part.fields[name]
        return field && !Array.isArray(field) && field.type === 'field' ? String(field.value) : undefined
      }
      const limits = await limitsOf(text('form'), text('register'), text('field'))
      const saved = await service.save({ name: part.filename, content, owner: personOf(request).id, ...limits })
      const { id, name, contentType, size } = saved
      return reply.code(201).header('location', `/api/files/${id}`).send({ id, name, contentType, size })
    },
  )

  app.get(
    '/api/files/:id',
    {
      config: { rule: 'public' },
      schema: {
        operationId: 'getFile',
        tags: ['files'],
        summary:
          'The content of a file that is public, is one’s own, belongs to a case that one may see, or is a colleague’s photo',
        params: Type.Object({ id: Id }),
        querystring: Query({ size: Type.Optional(Sizes) }),
        response: { 200: { content: { '*/*': { schema: Bytes } } }, ...refusals(404) },
      },
    },
    async (request, reply) => {
      const file = await service.find(request.params.id)
      if (!file) throw new BusinessError('platform.not-found')
      const whole = await mayRead(request.person, file)
      if (!whole && !(request.person && (await service.isPhoto(file.id)))) throw new BusinessError('platform.not-found')
      // Of a colleague's photo nobody gets the original, which tells where and with what it was taken.
      const size = whole || request.query.size === 'small' ? request.query.size : 'medium'
      const { content, contentType } = service.open(file, size)
      reply
        .header('cache-control', file.public ? 'public, max-age=86400' : 'private, max-age=300')
        // Whatever a browser makes of it, it stays alone and runs nothing.
        .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
        .header('content-disposition', `inline; filename*=UTF-8''${encodeURIComponent(file.name)}`)
        .type(contentType === 'text/plain' ? 'text/plain; charset=utf-8' : contentType)
      return reply.send(content)
    },
  )

  async function mayRead(person: Person | undefined, file: StoredFile): Promise<boolean> {
    if (file.public) return true
    if (!person) return false
    if (person.seesAll || file.ownerId === person.id) return true
    const cases = await service.casesOf(file.id)
    return cases.length > 0 && (await visible(person, { cases, tasks: [] })).cases.length > 0
  }

  async function limitsOf(form?: string, register?: string, field?: string) {
    if (field === undefined) return {}
    const schema =
      form === undefined ? library.registers.get(register ?? '')?.item : (await definitions.form(form)).schema
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
      ...(accept === undefined ? {} : { accept: [accept].flat() as string[] }),
      ...(typeof maxSize === 'number' ? { maxSize } : {}),
    }
  }
}
