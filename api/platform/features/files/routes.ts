import { Type } from 'typebox'
import { mayReadInComments } from '../../work/comments/service.ts'
import { readingInRegisters } from '../../work/registers/files.ts'
import { audit } from '../../kernel/audit/audit.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { type StoredFile, files } from '../../records/files/files.ts'
import type { Person } from '../../people/persons/person.ts'
import type { App } from '../../http/app.ts'
import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { ObjectStore } from '../../records/files/store.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import type { Library } from '../../model/library/library.ts'
import type { Visible } from '../../http/visible.ts'
import { personOf } from '../../http/auth.ts'
import { Bytes, Id, Ids, Query, refusals } from '../../http/schemas.ts'
import { UPLOAD_DESCRIPTION, UPLOAD_LIMIT, Upload, Uploaded, uploads } from '../../http/uploads.ts'

const Sizes = Type.Enum(['small', 'medium', 'original'], {
  default: 'original',
  description: 'Dimensions, for pictures only',
})

/** File uploads and pictures. */
export function fileRoutes(
  app: App,
  {
    db,
    store,
    definitions,
    library,
    visible,
  }: { db: Kysely<DB>; store: ObjectStore; definitions: Definitions; library: Library; visible: Visible },
): void {
  const service = files({ db, store })
  const receive = uploads({ db, store, definitions, library })

  app.post(
    '/api/files',
    {
      config: { rule: 'signed-in', rateLimit: { max: 60, timeWindow: '1 minute' } },
      bodyLimit: UPLOAD_LIMIT,
      // The parts are streamed; the schema is only for the OpenAPI document.
      validatorCompiler: () => () => true,
      schema: {
        operationId: 'uploadFile',
        tags: ['files'],
        summary: 'Upload a file; put its id into the form that it belongs to',
        description: UPLOAD_DESCRIPTION,
        consumes: ['multipart/form-data'],
        body: Upload,
        response: {
          201: Uploaded,
          ...refusals(401, 404, 413, 415, 422, 503),
        },
      },
    },
    async (request, reply) => {
      const saved = await receive(request, personOf(request).id)
      const { id, name, contentType, size } = saved
      return reply.code(201).header('location', `/api/files/${id}`).send({ id, name, contentType, size })
    },
  )

  app.get(
    '/api/files',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'listFiles',
        tags: ['files'],
        summary: 'Names, types and sizes of those of these files that you may download',
        querystring: Query({ ids: Ids }),
        response: { 200: Type.Object({ items: Type.Array(Uploaded) }), ...refusals(401) },
      },
    },
    async (request) => {
      const found = await service.findSome(request.query.ids.split(','))
      const items = []
      for (const file of found)
        if (await mayRead(request.person, file))
          items.push({ id: file.id, name: file.name, contentType: file.contentType, size: file.size })
      return { items }
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
          'Download a file that is public, your own, part of a case or a register entry that you may see, or a colleague’s photo',
        params: Type.Object({ id: Id }),
        querystring: Query({ size: Type.Optional(Sizes) }),
        response: { 200: { content: { '*/*': { schema: Bytes } } }, ...refusals(404, 422, 503) },
      },
    },
    async (request, reply) => {
      const file = await service.find(request.params.id)
      if (!file) throw new BusinessError('platform.not-found')
      const whole = await mayRead(request.person, file)
      if (!whole && !(request.person && (await service.isPhoto(file.id)))) throw new BusinessError('platform.not-found')
      // The original of a colleague's photo is withheld, because its metadata shows where and how it was taken.
      const size = whole || request.query.size === 'small' ? request.query.size : 'medium'
      const { content, contentType } = await service.open(file, size)
      if (whole) await noteSensitiveRead(request.person, file)
      reply
        .header('cache-control', file.public ? 'public, max-age=86400' : 'private, max-age=300')
        // Isolates the file and blocks scripts, whatever the browser takes it for.
        .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
        .header('content-disposition', `inline; filename*=UTF-8''${encodeURIComponent(file.name)}`)
        .type(contentType === 'text/plain' ? 'text/plain; charset=utf-8' : contentType)
      return reply.send(content)
    },
  )

  /** Keeps a record of who opens a file of a sensitive field of a register entry, also if a case would show it to them. */
  async function noteSensitiveRead(person: Person | undefined, file: StoredFile): Promise<void> {
    if (!person || file.public || file.ownerId === person.id) return
    const note = (await readingInRegisters({ db, library }, person, file.id))?.note
    if (note) await db.transaction().execute((trx) => audit(trx).record(note))
  }

  async function mayRead(person: Person | undefined, file: StoredFile): Promise<boolean> {
    if (file.public) return true
    if (!person) return false
    if (person.seesAll || file.ownerId === person.id) return true
    const cases = await service.casesOf(file.id)
    if (cases.length > 0 && (await visible(person, { cases, tasks: [] })).cases.length > 0) return true
    if (await readingInRegisters({ db, library }, person, file.id)) return true
    return mayReadInComments({ db, library, definitions }, person, file.id)
  }
}
