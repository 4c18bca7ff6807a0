import { Type } from 'typebox'
import { AUDITORS } from './auditors.ts'
import { Id, Key, Moment, Named, NamedPerson, Nullable } from '../../http/schemas.ts'
import { component } from '../../kernel/components.ts'

/** Who may read the audit trail. */
export const rule = { groups: [AUDITORS] }

/** The person or system that acted. */
export const Doer = component(
  'AuditDoer',
  Type.Object({
    id: Nullable(Type.String({ format: 'uuid', description: 'Null if the system acted by itself' })),
    name: Type.String(),
    registered: Type.Boolean({ description: 'The name comes from a register entry, or the system acted' }),
    post: Nullable(Type.String()),
  }),
)

/** A key with its label. */
export const Word = component('AuditWord', Type.Object({ key: Type.String(), text: Type.String() }))

/** An entry in words. */
export const Entry = component(
  'AuditEntry',
  Type.Object({
    id: Type.String(),
    at: Moment,
    sequence: Nullable(Type.String({ description: 'Number of the link in the chain' })),
    action: Type.String(),
    text: Type.String({ description: 'The act in one sentence' }),
    by: Doer,
    authority: Nullable(Type.String({ description: 'Authority acted on, in words' })),
    for: Nullable(Type.String({ description: 'Absent person that the substitute acted for' })),
    reason: Nullable(Type.String()),
    caseId: Nullable(Id),
    reference: Nullable(Type.String()),
    flow: Nullable(Word),
    desk: Nullable(Word),
    erased: Type.Boolean({ description: 'Details were erased on request' }),
    missing: Type.Boolean({ description: 'Details are missing although no erasure covers them' }),
  }),
)

/** A case in a search result. */
export const FoundCase = component(
  'AuditCase',
  Type.Object({
    id: Id,
    reference: Type.String(),
    flow: Word,
    title: Type.String(),
    status: Named,
    requester: NamedPerson,
    createdAt: Moment,
    endedAt: Nullable(Moment),
    end: Nullable(Type.String({ description: 'Final status, in words' })),
  }),
)

/** Cursor of the next page. */
export const next = Nullable(Type.String({ description: '`cursor` of the entries before these' }))

/** Whether a search has to be narrowed. */
export const narrow = Type.Boolean({ description: 'The search stopped early; `next` continues it' })

const Day = Type.String({ format: 'date', description: 'Time zone Asia/Colombo' })

/** Requested days, both included. */
export const days = { from: Type.Optional(Day), until: Type.Optional(Day) }

/** Conditions on entries. */
export const asked = {
  ...days,
  reference: Type.Optional(Type.String({ minLength: 2, maxLength: 40, description: 'Beginning of a case number' })),
  person: Type.Optional(Id),
  part: Type.Optional(Type.Enum(['acted', 'concerned'])),
  flow: Type.Optional(Key),
  desk: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_.-]{1,100}$' })),
  action: Type.Optional(Type.String({ pattern: '^[a-z-]+\\.[a-z-]+$', maxLength: 60 })),
  text: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
}

/** Conditions on cases. */
export const casesAsked = { reference: asked.reference, person: asked.person, flow: asked.flow, text: asked.text }

/** The requested part of a list. */
export const walk = {
  cursor: Type.Optional(Type.String({ maxLength: 500 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
}
