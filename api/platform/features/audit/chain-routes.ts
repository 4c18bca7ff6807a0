import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { notAsSigned } from './signed-head.ts'
import { auditLines, headerOf, publicKeysOf, linkRangeOf } from './export.ts'
import { compareLookups, nothingWrong } from './lookups.ts'
import { daysOf, noteExport } from './search.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { keysIn } from '../../kernel/keys.ts'
import type { App } from '../../http/app.ts'
import { personOf } from '../../http/auth.ts'
import { Nullable, Query, fileOf, refusals } from '../../http/schemas.ts'
import { NOTHING, earliest, harms } from './chain-findings.ts'
import { examine } from './chain-examination.ts'
import type { AuditConsole } from './context.ts'
import { rule, days } from './schemas.ts'

/** Maximum links checked in a request; longer stretches are checked as a file. */
const MAX_CHECKED_LINKS = 100_000

/** Result of checking a period. */
const ChainVerdict = Type.Object({
  links: Type.Integer(),
  from: Nullable(Type.String({ description: 'Number of the first link' })),
  to: Nullable(Type.String({ description: 'Number of the last link' })),
  erased: Type.Integer({ description: 'Entries whose details were erased on request' }),
  missing: Type.Integer({ description: 'Entries whose details are missing although no erasure covers them' }),
  checkpoints: Type.Integer(),
  vouched: Nullable(Type.String({ description: 'Number of the last link that a signature covers' })),
  unvouched: Type.Integer({ description: 'Entries after the last signature' }),
  search: Type.Object(
    {
      missing: Type.Integer(),
      altered: Type.Integer(),
      extra: Type.Integer(),
      first: Nullable(
        Type.Object({
          sequence: Nullable(Type.String({ description: 'Null if the entry has no number' })),
          entryId: Type.String(),
          harm: Type.Enum(['missing', 'altered', 'extra']),
        }),
      ),
    },
    { description: 'Rows of the search index that are missing, surplus or different from the entries' },
  ),
  first: Nullable(
    Type.Object({
      harm: Type.Enum([...harms]),
      sequence: Type.String(),
      entryId: Nullable(Type.String()),
      text: Type.String(),
    }),
  ),
})

/** Checking the audit trail, and exporting it. */
export function chainRoutes(app: App, deps: AuditConsole): void {
  const { db } = deps
  /** The published keys, and problems that are known without reading the links. */
  const knownOf = async () => {
    const { pems, wrong } = await publicKeysOf(db, deps.auditKey, deps.auditMemory)
    return { keys: pems, broken: (await notAsSigned(db, deps.auditMemory)) ?? wrong }
  }

  app.get(
    '/api/audit/chain',
    {
      config: { rule },
      schema: {
        operationId: 'verifyAudit',
        tags: ['audit'],
        summary:
          'Verify the chain over a range of days, link by link, and report the first fault, including rewritten links',
        querystring: Query(days),
        response: {
          200: ChainVerdict,
          ...refusals(401, 403, 422),
        },
      },
    },
    async (request) => {
      const { broken, keys } = await knownOf()
      const stretch = await linkRangeOf(db, daysOf(request.query))
      if (!stretch) return { ...NOTHING, first: broken ?? null, search: nothingWrong }
      if (BigInt(stretch.to) - BigInt(stretch.from) >= BigInt(MAX_CHECKED_LINKS)) {
        if (broken) return { ...NOTHING, first: broken, search: nothingWrong }
        throw new BusinessError('platform.audit-stretch-too-long', { most: MAX_CHECKED_LINKS.toLocaleString('en') })
      }
      const verdict = await examine(() => auditLines(db, stretch), keysIn(keys.join('')), stretch)
      const { from, until } = request.query
      const lookups = await compareLookups(db, { ...stretch, whole: from === undefined && until === undefined })
      return { ...verdict, first: earliest(verdict, broken, stretch.head), search: lookups }
    },
  )

  app.get(
    '/api/audit/export',
    {
      config: { rule },
      schema: {
        operationId: 'exportAuditChain',
        tags: ['audit'],
        summary:
          'Export the chain over a range of days with its entries, one per line, for `npm run audit:verify -- FILE`; known faults are stated',
        querystring: Query({
          ...days,
          registers: Type.Optional(
            Type.Boolean({ description: 'Also include entries about register items; this is recorded' }),
          ),
        }),
        produces: ['application/x-ndjson'],
        response: { 200: fileOf('application/x-ndjson'), ...refusals(401, 403) },
      },
    },
    async (request, reply) => {
      const { registers = false, ...span } = request.query
      const { broken } = await knownOf()
      const stretch = await linkRangeOf(db, daysOf(span))
      const places = stretch && { from: stretch.from, to: stretch.to }
      const action = registers ? 'audit.registers-exported' : 'audit.chain-exported'
      await noteExport(deps, personOf(request), action, { days: span, ...places, registers })
      const lines = async function* () {
        yield `${JSON.stringify(headerOf(stretch, deps.auditKey, broken))}\n`
        if (stretch) for await (const line of auditLines(db, stretch, { registers })) yield `${JSON.stringify(line)}\n`
      }
      return reply
        .type('application/x-ndjson')
        .header(
          'content-disposition',
          `attachment; filename="audit-${broken ? 'not-whole-' : ''}${stretch?.from ?? 0}-${stretch?.to ?? 0}.jsonl"`,
        )
        .send(Readable.from(lines(), { objectMode: false }))
    },
  )

  app.get(
    '/api/audit/key',
    {
      config: { rule },
      schema: {
        operationId: 'getAuditKey',
        tags: ['audit'],
        summary: 'List all public keys that have signed the chain, the current one first, as PEM',
        produces: ['application/x-pem-file'],
        response: { 200: fileOf('application/x-pem-file'), ...refusals(401, 403) },
      },
    },
    async (_request, reply) =>
      reply
        .type('application/x-pem-file')
        .header('content-disposition', 'attachment; filename="audit-key.pem"')
        .send(Readable.from((await knownOf()).keys)),
  )
}
