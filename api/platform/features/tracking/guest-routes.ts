import { Type } from 'typebox'
import { holdsService } from '../../work/cases/holds.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { checkGuestCase, submitGuestCase, confirmGuestCase } from './guest-cases.ts'
import type { App } from '../../http/app.ts'
import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Library } from '../../model/library/library.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import type { Rules } from '../../model/deployed/rules.ts'
import type { Cases } from '../../work/cases/service.ts'
import type { Sender } from '../../work/commands/sender.ts'
import type { LinkDependencies } from '../../people/identity/password-links.ts'
import type { Vault } from '../../kernel/keys.ts'
import { guestSessions } from '../../http/guest-session.ts'
import { languageOf } from '../../http/problems.ts'
import { FormData, Id, Idempotent, Key, Moment, Nullable, refusals } from '../../http/schemas.ts'
import { ProofHeader, anonymousWrites } from '../../http/anonymous-writes.ts'
import { Hold, heldSlot } from '../../work/cases/hold-routes.ts'
import { BODY_LIMIT } from './requests.ts'

export interface GuestDependencies {
  db: Kysely<DB>
  library: Library
  definitions: Definitions
  rules: ReadonlyMap<string, Rules>
  cases: Cases
  sender: Pick<Sender, 'deliver'>
  identity?: LinkDependencies['identity']
  vault: Vault
  publicUrl: string
  /** The time; that of the machine by default. */
  clock?: () => Date
}

/** Cases of people who have not signed in. */
export function guestRoutes(app: App, dependencies: GuestDependencies): void {
  guestHoldRoutes(app, dependencies)
  guestCaseRoutes(app, dependencies)
}

/** Slots held while a guest fills in the form. */
function guestHoldRoutes(app: App, { db, library, rules, vault, publicUrl }: GuestDependencies): void {
  const holds = holdsService({ db, library, rules })
  const sessions = guestSessions({ vault, publicUrl })
  const { demandProof } = anonymousWrites({ db, vault })

  app.post(
    '/api/public/holds',
    {
      config: { rule: 'public' },
      bodyLimit: BODY_LIMIT,
      schema: {
        operationId: 'holdSlotAsGuest',
        tags: ['guests'],
        summary: 'Hold the slot in a start form for 15 minutes, for the guest with the cookie',
        description: 'Replaces an earlier hold of the same item; a guest has two at most.',
        headers: ProofHeader,
        body: Type.Object({ flow: Key, data: FormData }, { additionalProperties: false }),
        response: {
          201: Hold,
          ...refusals(404, 409, 413, 422, 428),
        },
      },
    },
    async (request, reply) => {
      await demandProof(request)
      const guest = sessions.begin(request, reply)
      return reply.code(201).send(heldSlot(await holds.hold({ guest }, request.body)))
    },
  )

  app.delete(
    '/api/public/holds/:id',
    {
      config: { rule: 'public' },
      schema: {
        operationId: 'releaseHoldAsGuest',
        tags: ['guests'],
        summary: 'Release your hold',
        params: Type.Object({ id: Id }),
        response: { 204: Type.Null(), ...refusals(404) },
      },
    },
    async (request, reply) => {
      const guest = sessions.of(request)
      if (guest === undefined) throw new BusinessError('platform.not-found')
      await holds.release({ guest }, request.params.id)
      return reply.code(204).send(null)
    },
  )
}

/** Beginning a case without an account, and confirming it with the mailed link. */
function guestCaseRoutes(
  app: App,
  { db, library, definitions, cases, sender, identity, vault, publicUrl }: GuestDependencies,
): void {
  const guests = { db, library, definitions, cases, sender, vault, publicUrl, identity }
  const sessions = guestSessions({ vault, publicUrl })
  const { demandProof } = anonymousWrites({ db, vault })

  app.post(
    '/api/public/bookings/check',
    {
      config: { rule: 'public' },
      bodyLimit: BODY_LIMIT,
      schema: {
        operationId: 'checkCaseAsGuest',
        tags: ['guests'],
        summary: 'Check why a case of a public flow would be refused to a guest; nothing is created',
        description:
          'The owner of the address and NIC is not considered; whether the address is taken is checked when the case is started.',
        headers: ProofHeader,
        body: Type.Object({ flow: Key, data: FormData, account: FormData }, { additionalProperties: false }),
        response: { 204: Type.Null(), ...refusals(404, 409, 413, 422, 428) },
      },
    },
    async (request, reply) => {
      await demandProof(request)
      await checkGuestCase(guests, sessions.of(request), request.body)
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/api/public/bookings',
    {
      config: { rule: 'public' },
      bodyLimit: BODY_LIMIT,
      schema: {
        operationId: 'submitCaseAsGuest',
        tags: ['guests'],
        summary: 'Start a case of a public flow without signing in; a confirmation link is mailed',
        description:
          'Account and case are created together or not at all. `account` is the data of the form `applicant-accounts/temporary-account`. A request repeated within a day with the same Idempotency-Key returns the same case. The answer does not reveal whether the university knows the person; the link goes to the address on record.',
        headers: Type.Intersect([ProofHeader, Idempotent]),
        body: Type.Object(
          {
            flow: Key,
            data: FormData,
            account: FormData,
            understood: Type.Literal(true, { description: 'Confirms that an account is created for them' }),
          },
          { additionalProperties: false },
        ),
        response: {
          201: Type.Object({
            reference: Type.String(),
            reservationId: Nullable(Type.String({ description: 'Shown next to the case number; opens nothing' })),
            trackingSecret: Type.String({ description: 'Together with the case number, opens the case for tracking' }),
            expiresAt: Moment,
            emailedTo: Type.String({ description: 'The given address, masked' }),
          }),
          ...refusals(404, 409, 413, 422, 428),
        },
      },
    },
    async (request, reply) => {
      await demandProof(request)
      const { flow, data, account } = request.body
      const key = request.headers['idempotency-key']
      const asked = { flow, data, account, ...(key === undefined ? {} : { key }) }
      return reply.code(201).send(await submitGuestCase(guests, sessions.of(request), asked, languageOf(request)))
    },
  )

  app.post(
    '/api/public/confirmations',
    {
      config: { rule: 'public' },
      bodyLimit: BODY_LIMIT,
      schema: {
        operationId: 'confirmCaseAsGuest',
        tags: ['guests'],
        summary: 'Confirm a guest’s case with the token of the mailed link; the case then continues',
        description: 'A repeated call with the same token returns the desks that have the case by then.',
        body: Type.Object({ token: Type.String({ maxLength: 200 }) }, { additionalProperties: false }),
        response: {
          200: Type.Object({
            reference: Type.String(),
            repeated: Type.Boolean({ description: 'It was already confirmed' }),
            waitsWith: Type.Array(
              Type.Object({
                name: Type.String(),
                principals: Type.Array(Type.String(), { description: 'Who it is offered to, in words' }),
                dueAt: Nullable(Moment),
              }),
              { description: 'The desks that have it; empty until it has reached the first one' },
            ),
          }),
          ...refusals(410, 413, 422),
        },
      },
    },
    async (request) => confirmGuestCase(guests, request.body.token, languageOf(request)),
  )
}
