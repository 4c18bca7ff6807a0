import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../http/app.ts'
import { clientOf } from '../../http/auth.ts'
import { WEB, sessionAnswers } from '../../http/session-answers.ts'
import { signInThrottle } from '../../http/sign-in-throttle.ts'
import { type Method, type Session, openSession } from '../../people/identity/sessions.ts'
import type { SessionRouteDependencies } from './session-schemas.ts'

/** Responses to a sign-in, whatever its method. */
export function signInAnswers(
  app: App,
  { db, publicUrl, tokens, vault }: Pick<SessionRouteDependencies, 'db' | 'publicUrl' | 'tokens' | 'vault'>,
) {
  const throttle = signInThrottle({ db, vault, publicUrl })
  const answers = sessionAnswers(app, { publicUrl, tokens })
  return {
    throttle,
    answers,

    opened: (request: FastifyRequest, accountId: string, method: Method): Promise<Session> =>
      db.transaction().execute((trx) => openSession(trx, accountId, { method, client: clientOf(request) })),

    /** The response to a completed sign-in; it also marks the browser as known. */
    welcome(request: FastifyRequest, reply: FastifyReply, session: Session, client: string | undefined) {
      if (client === WEB) throttle.remember(request, reply, session.person.id)
      return answers.answer(request, reply, session, client)
    },
  }
}
