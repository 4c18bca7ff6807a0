import { Type } from 'typebox'
import { comparedParts } from './difference.ts'
import { Id, Moment, Named, Nullable } from '../../http/schemas.ts'
import { component } from '../../kernel/components.ts'
import { Doer, Word } from './schemas.ts'

const Field = component(
  'AuditField',
  Type.Object({
    field: Type.String({ description: 'JSON pointer' }),
    label: Type.String(),
    value: Type.String(),
    sensitive: Type.Boolean(),
  }),
)

/** One event of a case. */
export const Step = component(
  'AuditStep',
  Type.Object({
    at: Moment,
    kind: Type.String(),
    text: Type.String(),
    by: Nullable(Doer),
    authority: Nullable(Type.String()),
    for: Nullable(Type.String()),
    reason: Nullable(Type.String()),
    element: Nullable(Type.String()),
  }),
)

const NamedValue = component('NamedValue', Type.Object({ name: Type.String(), value: Type.String() }))

/** A case as it was at a moment. */
export const CaseThen = component(
  'AuditCaseThen',
  Type.Object({
    id: Id,
    reference: Type.String(),
    flow: Word,
    title: Type.String(),
    requester: Doer,
    at: Moment,
    createdAt: Moment,
    endedAt: Nullable(Moment),
    end: Nullable(Type.String({ description: 'Final status, in words' })),
    state: Type.Enum(['running', 'ended']),
    statuses: Type.Array(Type.Object({ list: Type.String(), status: Named })),
    data: Type.Array(Field),
    tasks: Type.Array(
      Type.Object({
        id: Type.String(),
        desk: Type.String(),
        name: Type.String(),
        state: Type.Enum(['open', 'held', 'decided', 'gone']),
        roles: Type.Array(Type.String()),
        since: Moment,
        dueAt: Nullable(Moment),
        holder: Nullable(Type.String()),
        decidedBy: Nullable(Type.String()),
        decidedAt: Nullable(Moment),
        outcome: Nullable(Type.String()),
      }),
    ),
    path: Type.Object({
      definitionId: Type.String(),
      visited: Type.Array(
        Type.Object({ element: Type.String(), startedAt: Moment, endedAt: Nullable(Moment), canceled: Type.Boolean() }),
      ),
      present: Type.Array(Type.String()),
    }),
    elements: Type.Array(
      Type.Object({
        element: Type.String(),
        name: Type.String(),
        passes: Type.Integer(),
        milliseconds: Type.Integer(),
      }),
    ),
    submissions: Type.Array(
      Type.Object({
        id: Id,
        at: Moment,
        form: Type.String(),
        title: Type.String(),
        by: Doer,
        authority: Nullable(Type.String()),
        for: Nullable(Type.String()),
        void: Nullable(Type.String({ description: 'Why it had no effect' })),
        fields: Type.Array(Field),
        changes: Nullable(
          Type.Array(
            Type.Object({
              field: Type.String(),
              label: Type.String(),
              before: Nullable(Type.String()),
              after: Nullable(Type.String()),
            }),
            { description: 'Compared with the previous submission of the same form; null for the first' },
          ),
        ),
      }),
    ),
    decisions: Nullable(
      Type.Array(
        Type.Object({
          at: Moment,
          element: Nullable(Type.String()),
          name: Type.String(),
          rows: Type.Array(
            Type.Object({
              inputs: Type.Array(NamedValue),
              outputs: Type.Array(NamedValue),
              rule: Nullable(Type.String()),
            }),
          ),
        }),
        { description: 'Null while the engine, which keeps them, is not available' },
      ),
    ),
    versions: Type.Object({
      model: Type.Object({
        definitionId: Type.String(),
        version: Type.Integer(),
        deployedAt: Moment,
        hash: Type.String(),
      }),
      forms: Type.Array(Type.Object({ key: Type.String(), title: Type.String(), hash: Type.String() })),
    }),
    mails: Type.Array(
      Type.Object({ at: Moment, recipient: Type.String(), subject: Type.String(), sentAt: Nullable(Moment) }),
    ),
    documents: Type.Array(
      Type.Object({ number: Type.String(), kind: Type.String(), issuedAt: Moment, ended: Type.Boolean() }),
    ),
    readers: Type.Array(
      Type.Object({
        at: Moment,
        by: Doer,
        authority: Nullable(Type.String()),
        fields: Type.Array(Type.String()),
      }),
    ),
    unlike: Type.Array(
      Type.Object({
        part: Type.Enum([...comparedParts]),
        id: Nullable(Type.String({ description: 'Id within the part; null for the whole part' })),
        how: Type.Enum(['differs', 'missing', 'unsealed', 'erased']),
        sealed: Nullable(Type.String({ description: 'Value in the audit trail, where it can be read' })),
        text: Type.String(),
      }),
      { description: 'Parts of the current case that differ from the sealed record, or were never sealed' },
    ),
  }),
)
