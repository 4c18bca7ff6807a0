import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { MAX_ON_SHEETS } from '../../../../forms/platform/sheets.ts'
import type { App } from '../../http/app.ts'
import { personOf } from '../../http/auth.ts'
import { Id, Query, fileOf, refusals, RegisterName } from '../../http/schemas.ts'
import type { PaperDependencies } from '../../work/registers/paper.ts'
import { registerPapers } from '../../work/registers/papers.ts'
import type { RegisterRouteDependencies } from './schemas.ts'

/** Papers of register entries, such as cards. */
export function paperRoutes(app: App, deps: RegisterRouteDependencies & PaperDependencies): void {
  const papers = registerPapers(deps)
  const keyOf = ({ area, name }: { area: string; name: string }) => `${area}/${name}`
  const params = Type.Object({ ...RegisterName, id: Id })

  app.get(
    '/api/registers/:area/:name/items/:id/paper.pdf',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'printItem',
        tags: ['registers'],
        summary: 'Get an item as the paper that its register declares; recorded in the audit trail',
        params,
        produces: ['application/pdf'],
        response: { 200: fileOf('application/pdf'), ...refusals(401, 404) },
      },
    },
    async (request, reply) => {
      const { id } = request.params
      const { name, pdf } = await papers.print(personOf(request), { register: keyOf(request.params), id })
      return reply
        .type('application/pdf')
        .header('content-disposition', `inline; filename*=UTF-8''${encodeURIComponent(name)}.pdf`)
        .send(Readable.from([pdf]))
    },
  )

  app.post(
    '/api/registers/:area/:name/sheet.pdf',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'printItems',
        tags: ['registers'],
        summary: 'Get the papers of several items on sheets; each is recorded in the audit trail',
        params: Type.Object(RegisterName),
        body: Type.Object({ items: Type.Array(Id, { minItems: 1, maxItems: MAX_ON_SHEETS, uniqueItems: true }) }),
        produces: ['application/pdf'],
        response: { 200: fileOf('application/pdf'), ...refusals(401, 404, 422) },
      },
    },
    async (request, reply) => {
      const wanted = { register: keyOf(request.params), ids: request.body.items }
      const { name, pdf } = await papers.printSheets(personOf(request), wanted)
      return reply
        .type('application/pdf')
        .header('content-disposition', `inline; filename*=UTF-8''${encodeURIComponent(name)}.pdf`)
        .send(Readable.from([pdf]))
    },
  )

  app.get(
    '/api/registers/:area/:name/items/:id/paper.svg',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'drawItem',
        tags: ['registers'],
        summary: 'Get one side of the paper of an item as a picture',
        params,
        querystring: Query({
          side: Type.Enum(['front', 'back']),
          version: Type.Optional(
            Type.Integer({ description: 'Of the item, so that browsers ask again once it has changed' }),
          ),
        }),
        produces: ['image/svg+xml'],
        response: { 200: fileOf('image/svg+xml'), ...refusals(401, 404) },
      },
    },
    async (request, reply) => {
      const { id } = request.params
      const { side } = request.query
      const drawing = await papers.draw(personOf(request), { register: keyOf(request.params), id, side })
      return reply
        .type('image/svg+xml')
        .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox")
        .send(Readable.from([drawing]))
    },
  )
}
