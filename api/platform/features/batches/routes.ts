import { Type } from 'typebox'
import {
  type BatchDependencies,
  exportMembers,
  listMembers,
  openBatch,
  readBatch,
  stopBatch,
  memberStates,
} from './service.ts'
import type { App } from '../../http/app.ts'
import { personOf } from '../../http/auth.ts'
import { languageOf } from '../../http/problems.ts'
import { Id, Nullable, Query, refusals } from '../../http/schemas.ts'
import { SheetAnswer, SheetFormat, sendSheet, sheetTypes } from '../../http/sheets.ts'
import { component } from '../../kernel/components.ts'
import { FlowName, flowOf, Progress } from './schemas.ts'

const Of = Type.Object({ ...FlowName, item: Id })
const MemberState = Type.Optional(Type.Enum([...memberStates, 'not-done']))

const Batch = component(
  'Batch',
  Type.Object({
    title: Type.String({ description: 'Text key of the flow' }),
    counts: Type.Object(Object.fromEntries(memberStates.map((one) => [one, Type.Integer()])), {
      description: 'Number of people in each state',
    }),
    mayOpen: Type.Boolean(),
    latest: Nullable(Progress),
  }),
)

const Members = component(
  'BatchMemberPage',
  Type.Object({
    total: Type.Integer(),
    members: Type.Array(
      Type.Object({
        id: Id,
        title: Type.String(),
        code: Nullable(Type.String()),
        state: Type.Enum([...memberStates]),
        status: Nullable(Type.String()),
        case: Nullable(Type.Object({ id: Id, reference: Type.String() })),
        message: Nullable(
          Type.String({ description: 'Why they are left out, or the newest batch opened no case for them' }),
        ),
      }),
      { description: 'The first hundred; the file has all' },
    ),
  }),
)

/** Opens a flow for everybody that a register entry is meant for. */
export function batchRoutes(app: App, deps: BatchDependencies): void {
  app.get(
    '/api/batches/:area/:flow/:item',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'getBatch',
        tags: ['batches'],
        summary: 'Get the state of an item’s cases and the progress of its newest batch',
        params: Of,
        response: { 200: Batch, ...refusals(401, 404) },
      },
    },
    async (request) => readBatch(deps, personOf(request), flowOf(request.params), request.params.item),
  )

  app.get(
    '/api/batches/:area/:flow/:item/members',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'listBatchMembers',
        tags: ['batches'],
        summary: 'List the people a case can be opened for, those excluded and why, and the progress of each',
        params: Of,
        querystring: Query({ state: MemberState }),
        response: { 200: Members, ...refusals(401, 404) },
      },
    },
    async (request) => {
      const { params, query } = request
      return listMembers(deps, personOf(request), flowOf(params), params.item, query.state, languageOf(request))
    },
  )

  app.get(
    '/api/batches/:area/:flow/:item/export',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'exportBatchMembers',
        tags: ['batches'],
        summary: 'Download the whole list as CSV or XLSX',
        params: Of,
        querystring: Query({ format: SheetFormat, state: MemberState }),
        produces: [...sheetTypes],
        response: { 200: SheetAnswer, ...refusals(401, 404) },
      },
    },
    async (request, reply) => {
      const { params, query } = request
      const file = await exportMembers(deps, personOf(request), flowOf(params), params.item, query, languageOf(request))
      return sendSheet(reply, file)
    },
  )

  app.post(
    '/api/batches/:area/:flow/:item',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'openBatch',
        tags: ['batches'],
        summary: 'Open cases for everybody eligible, in the background',
        params: Of,
        response: { 202: Batch, ...refusals(401, 403, 404, 409) },
      },
    },
    async (request, reply) => {
      const { params } = request
      return reply.code(202).send(await openBatch(deps, personOf(request), flowOf(params), params.item))
    },
  )

  app.post(
    '/api/batches/:area/:flow/:item/stop',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'stopBatch',
        tags: ['batches'],
        summary: 'Stop the running batch; people not yet reached get no case',
        params: Of,
        response: { 200: Batch, ...refusals(401, 403, 404) },
      },
    },
    async (request) => stopBatch(deps, personOf(request), flowOf(request.params), request.params.item),
  )
}
