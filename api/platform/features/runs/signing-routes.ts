import { Type } from 'typebox'
import type { App } from '../../http/app.ts'
import { personOf } from '../../http/auth.ts'
import { languageOf } from '../../http/problems.ts'
import { Id, refusals } from '../../http/schemas.ts'
import { CaseRow } from '../../work/cases/schemas.ts'
import type { RunDependencies } from './context.ts'
import { ownApplications, ownAwards } from './own-awards.ts'
import { MAX_LINES, OwnAccount, OwnAward, OwnLine, Signatures } from './schemas.ts'
import { ownLines, signLines, signOwnLine } from './signing.ts'

/**
 * Students' own awards and instalments, and signatures: in the student's account, by code at the counter, or from the
 * printed sheet.
 */
export function signingRoutes(app: App, deps: RunDependencies): void {
  const tags = ['runs']
  const OwnLines = Type.Object({ items: Type.Array(OwnLine) })
  app.post(
    '/api/cases/:id/run/signatures',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'signRunLines',
        tags,
        summary: 'Record signatures, by codes of students at the counter or lines of the printed sheet',
        params: Type.Object({ id: Id }),
        body: Type.Object(
          {
            lines: Type.Optional(Type.Array(Id, { maxItems: MAX_LINES })),
            codes: Type.Optional(Type.Array(Type.String({ pattern: '^[0-9a-f]{32}$' }), { maxItems: MAX_LINES })),
          },
          // Never both: a signature says how it was made.
          { additionalProperties: false, minProperties: 1, maxProperties: 1 },
        ),
        response: { 200: Signatures, ...refusals(401, 403, 404, 409) },
      },
    },
    async (request) => {
      const { lines = [], codes = [] } = request.body
      const wanted = { caseId: request.params.id, lines, codes }
      return signLines(deps, personOf(request), wanted, languageOf(request))
    },
  )

  app.get(
    '/api/me/run-lines',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'listOwnRunLines',
        tags,
        summary: 'List your instalments, newest first',
        response: { 200: OwnLines, ...refusals(401) },
      },
    },
    async (request) => ({ items: await ownLines(deps, personOf(request)) }),
  )

  app.get(
    '/api/me/awards',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'listOwnAwards',
        tags,
        summary:
          'List what you applied for and were awarded in all schemes that are paid by the month, and to which account',
        response: {
          200: Type.Object({
            applications: Type.Array(CaseRow),
            awards: Type.Array(OwnAward),
            accounts: Type.Array(OwnAccount),
          }),
          ...refusals(401),
        },
      },
    },
    async (request) => {
      const person = personOf(request)
      const applications = await ownApplications(deps, person, languageOf(request))
      return { applications, ...(await ownAwards(deps, person)) }
    },
  )

  app.post(
    '/api/me/run-lines/:line/sign',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'signOwnRunLine',
        tags,
        summary: 'Sign for your instalment',
        params: Type.Object({ line: Id }),
        response: { 200: OwnLines, ...refusals(401, 404, 409) },
      },
    },
    async (request) => ({ items: await signOwnLine(deps, personOf(request), request.params.line) }),
  )
}
