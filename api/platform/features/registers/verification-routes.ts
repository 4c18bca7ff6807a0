import { Type } from 'typebox'
import { findVerified } from '../../records/documents/verification.ts'
import { findVerifiedEntry } from '../../records/documents/entry-paper.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { App } from '../../http/app.ts'
import { languageOf } from '../../http/problems.ts'
import { Moment, Nullable, refusals } from '../../http/schemas.ts'
import type { PublicRouteDependencies } from './public-schemas.ts'

/** Whether a document is genuine. */
export function verificationRoutes(app: App, { db, library }: PublicRouteDependencies): void {
  app.get(
    '/api/public/documents/:code',
    {
      config: { rule: 'public' },
      schema: {
        operationId: 'verifyDocument',
        tags: ['public'],
        summary: 'Verify an issued document by its code; no other data of its case is returned',
        params: Type.Object({ code: Type.String({ minLength: 1, maxLength: 60 }) }),
        response: {
          200: Type.Object({
            title: Type.String(),
            number: Type.String(),
            holder: Type.String(),
            issuedAt: Moment,
            signedBy: Type.Array(Type.String(), { description: 'Desks that have signed it' }),
            state: Type.Enum(['valid', 'withdrawn', 'replaced', 'not-yet', 'reported', 'expired']),
            endedAt: Nullable(Moment),
            sha256: Nullable(
              Type.String({
                pattern: '^[0-9a-f]{64}$',
                description: 'Hash of the issued file; null for papers of register items, which have no single file',
              }),
            ),
          }),
          ...refusals(404),
        },
      },
    },
    async (request, reply) => {
      const code = request.params.code.replaceAll(/[\s-]/g, '').toLowerCase()
      const found = (await findVerified(db, code)) ?? (await findVerifiedEntry(db, library, code))
      if (!found) throw new BusinessError('platform.document-unknown')
      const language = languageOf(request)
      const { kind, titles = {}, issuedAt, endedAt, signedBy, ...rest } = found
      reply.header('cache-control', 'no-store')
      return {
        ...rest,
        title: titles[language] ?? library.text(library.documents.get(kind)?.title ?? kind, {}, language),
        signedBy: signedBy.map((title) => library.text(title, {}, language)),
        issuedAt: issuedAt.toISOString(),
        endedAt: endedAt?.toISOString() ?? null,
      }
    },
  )
}
