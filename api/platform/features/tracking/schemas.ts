import { Type } from 'typebox'
import { FormData, Id, Key, Moment, Named, Nullable } from '../../http/schemas.ts'
import { Case } from '../../work/cases/schemas.ts'
import { component } from '../../kernel/components.ts'

/** A case, for a person who follows it without signing in. */
export const TrackedCase = component(
  'TrackedCase',
  Type.Object({
    reference: Type.String(),
    flow: Key,
    flowTitle: Type.String(),
    title: Type.String(),
    subject: FormData,
    status: Named,
    statuses: Type.Record(Type.String(), Named),
    state: Type.Enum(['starting', 'running', 'ended', 'failed']),
    data: FormData,
    facts: FormData,
    createdAt: Moment,
    endedAt: Nullable(Moment),
    endReason: Nullable(Type.String()),
    withdrawable: Type.Boolean(),
    acts: Case.properties.acts,
    documents: Case.properties.documents,
    form: Type.Object({ key: Key, hash: Type.String() }, { description: 'The start form' }),
    confirmUntil: Nullable(Type.String({ format: 'date-time', description: 'The mailed link expires then' })),
    waitsWith: Type.Array(
      Type.Object({
        name: Type.String(),
        principals: Type.Array(Type.String(), { description: 'Who it is offered to, in words; empty: the requester' }),
        since: Moment,
        dueAt: Nullable(Moment),
      }),
    ),
    tasks: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        dueAt: Nullable(Moment),
        form: Nullable(Type.Object({ key: Key, hash: Type.String() })),
      }),
      { description: 'What waits for the requester' },
    ),
    decisions: Type.Array(
      Type.Object({ task: Type.String(), outcome: Named, reason: Nullable(Type.String()), at: Moment }),
    ),
    questions: Type.Array(
      Type.Object({
        id: Id,
        question: Type.String(),
        askedAt: Moment,
        answer: Nullable(Type.String()),
        answeredAt: Nullable(Moment),
        open: Type.Boolean(),
      }),
      { description: 'Question from a desk' },
    ),
    history: Type.Array(Type.Object({ at: Moment, text: Type.String() })),
  }),
)
