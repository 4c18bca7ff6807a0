import { Type } from 'typebox'
import type { App } from '../../http/app.ts'
import { personOf } from '../../http/auth.ts'
import { languageOf } from '../../http/problems.ts'
import { Id, PageOf, Query, Reason, fileOf, paging, refusals } from '../../http/schemas.ts'
import { SheetAnswer, SheetFormat, sendPaper, sendSheet, sheetTypes } from '../../http/sheets.ts'
import { actOnLine, actOnLines, actsOnMany, giveBackLine, lineActs, oweLine, settleReturned } from './acts.ts'
import type { MailDependencies } from '../../records/mail/mail.ts'
import type { RunDependencies } from './context.ts'
import { ActedLines, Line, LineEvent, MAX_LINES, Run, StoredState } from './schemas.ts'
import { numberCheques } from './cheques.ts'
import { lineHistory, listLines, readRun } from './service.ts'
import { runPaper, runPapers } from './papers.ts'
import { runSheet, runSheets } from './sheets.ts'
import { signingRoutes } from './signing-routes.ts'

const OfCase = Type.Object({ id: Id })
const OfLine = Type.Object({ id: Id, line: Id })
const yes = Type.Optional(Type.Boolean())

/** The run of a case: its lines, and acts on single lines. */
export function runRoutes(app: App, deps: RunDependencies & MailDependencies): void {
  readingRoutes(app, deps)
  actRoutes(app, deps)
  chequeRoutes(app, deps)
  signingRoutes(app, deps)
}

function readingRoutes(app: App, deps: RunDependencies): void {
  const tags = ['runs']
  app.get(
    '/api/cases/:id/run',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'getRun',
        tags,
        summary: 'Get what a case pays in one run, and the states of its lines',
        params: OfCase,
        response: { 200: Run, ...refusals(401, 404) },
      },
    },
    async (request) => readRun(deps, personOf(request), request.params.id, languageOf(request)),
  )

  app.get(
    '/api/cases/:id/run/lines',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'listRunLines',
        tags,
        summary: 'List the lines of a run by name',
        params: OfCase,
        querystring: Query({
          ...paging,
          state: Type.Optional(StoredState),
          signature: Type.Optional(Type.Enum(['pending', 'signed'])),
          questioned: yes,
          changed: yes,
          search: Type.Optional(Type.String({ maxLength: 200, description: 'Searches name and registration number' })),
        }),
        response: { 200: PageOf(Line), ...refusals(401, 404) },
      },
    },
    async (request) =>
      listLines(deps, personOf(request), { caseId: request.params.id, ...request.query }, languageOf(request)),
  )

  app.get(
    '/api/cases/:id/run/lines/:line/events',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'listRunLineEvents',
        tags,
        summary: 'List what was done with a line, oldest first',
        params: OfLine,
        response: { 200: Type.Object({ items: Type.Array(LineEvent) }), ...refusals(401, 404) },
      },
    },
    async (request) => ({
      items: await lineHistory(deps, personOf(request), request.params.id, request.params.line),
    }),
  )

  app.get(
    '/api/cases/:id/run/export',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'exportRun',
        tags,
        summary: 'Download the lines, the bank file or the annexure, as CSV or XLSX',
        params: OfCase,
        querystring: Query({ sheet: Type.Enum([...runSheets]), format: SheetFormat }),
        produces: [...sheetTypes],
        response: { 200: SheetAnswer, ...refusals(401, 404) },
      },
    },
    async (request, reply) => {
      const wanted = { caseId: request.params.id, ...request.query }
      return sendSheet(reply, await runSheet(deps, personOf(request), wanted, languageOf(request)))
    },
  )

  app.get(
    '/api/cases/:id/run/paper',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'printRun',
        tags,
        summary: 'Print the sheet to sign, the annexure per faculty and bank, or the list of cheques',
        params: OfCase,
        querystring: Query({ paper: Type.Enum([...runPapers]) }),
        produces: ['application/pdf'],
        response: { 200: fileOf('application/pdf'), ...refusals(401, 404) },
      },
    },
    async (request, reply) => {
      const wanted = { caseId: request.params.id, ...request.query }
      return sendPaper(reply, await runPaper(deps, personOf(request), wanted, languageOf(request)))
    },
  )
}

/** The six digits of a cheque's number. */
const Cheque = Type.String({ pattern: '^[0-9]{6}$' })

function chequeRoutes(app: App, deps: RunDependencies): void {
  app.post(
    '/api/cases/:id/run/cheques',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'numberRunCheques',
        tags: ['runs'],
        summary: 'Number the cheques of a paid run from the first number, by name',
        params: OfCase,
        body: Type.Object(
          {
            first: Cheque,
            torn: Type.Optional(
              Type.Array(Cheque, { maxItems: 100, description: 'Leaves between the first and the last that are torn' }),
            ),
          },
          { additionalProperties: false },
        ),
        response: { 200: Run, ...refusals(401, 403, 404, 409, 422) },
      },
    },
    async (request) => {
      const { id } = request.params
      await numberCheques(deps, personOf(request), { caseId: id, torn: [], ...request.body })
      return readRun(deps, personOf(request), id, languageOf(request))
    },
  )
}

function actRoutes(app: App, deps: RunDependencies & MailDependencies): void {
  app.post(
    '/api/cases/:id/run/lines/:line/acts',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'actOnRunLine',
        tags: ['runs'],
        summary: 'Query, answer, hold, release or strike a line while a desk decides about its run',
        params: OfLine,
        body: Type.Object({ act: Type.Enum([...lineActs]), text: Reason }, { additionalProperties: false }),
        response: { 200: Run, ...refusals(401, 403, 404, 409) },
      },
    },
    async (request) => {
      const { id, line } = request.params
      await actOnLine(deps, personOf(request), { caseId: id, line, ...request.body })
      return readRun(deps, personOf(request), id, languageOf(request))
    },
  )

  app.post(
    '/api/cases/:id/run/acts',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'actOnRunLines',
        tags: ['runs'],
        summary: 'Hold back, release or strike many lines with one reason, while a desk decides about their run',
        params: OfCase,
        body: Type.Object(
          {
            act: Type.Enum([...actsOnMany]),
            text: Reason,
            lines: Type.Array(Id, { minItems: 1, maxItems: MAX_LINES }),
          },
          { additionalProperties: false },
        ),
        response: { 200: ActedLines, ...refusals(401, 403, 404, 409) },
      },
    },
    async (request) => {
      const wanted = { caseId: request.params.id, ...request.body }
      return actOnLines(deps, personOf(request), wanted, languageOf(request))
    },
  )

  app.post(
    '/api/cases/:id/run/lines/:line/return',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'returnRunLine',
        tags: ['runs'],
        summary: 'Record that the bank returned a payment; the next run of the scheme pays it again',
        params: OfLine,
        body: Type.Object(
          { reason: Reason, bankReference: Type.String({ minLength: 1, maxLength: 60, pattern: '\\S' }) },
          { additionalProperties: false },
        ),
        response: { 200: Run, ...refusals(401, 403, 404, 409) },
      },
    },
    async (request) => {
      const { id, line } = request.params
      await giveBackLine(deps, personOf(request), { caseId: id, line, ...request.body })
      return readRun(deps, personOf(request), id, languageOf(request))
    },
  )

  const because = Type.Object({ reason: Reason }, { additionalProperties: false })
  app.post(
    '/api/cases/:id/run/lines/:line/settle',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'settleRunLine',
        tags: ['runs'],
        summary: 'Record that a payment which was entered as returned was made after all',
        params: OfLine,
        body: because,
        response: { 200: Run, ...refusals(401, 403, 404, 409) },
      },
    },
    async (request) => {
      const { id, line } = request.params
      await settleReturned(deps, personOf(request), { caseId: id, line, ...request.body })
      return readRun(deps, personOf(request), id, languageOf(request))
    },
  )

  app.post(
    '/api/cases/:id/run/lines/:line/owe',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'oweRunLine',
        tags: ['runs'],
        summary: 'Record that a month which a paid run left out is owed after all; the next run of the scheme pays it',
        params: OfLine,
        body: because,
        response: { 200: Run, ...refusals(401, 403, 404, 409) },
      },
    },
    async (request) => {
      const { id, line } = request.params
      await oweLine(deps, personOf(request), { caseId: id, line, ...request.body })
      return readRun(deps, personOf(request), id, languageOf(request))
    },
  )
}
