import { Type } from 'typebox'
import { Id, Moment, Nullable } from '../../http/schemas.ts'
import { component } from '../../kernel/components.ts'
import { lineStates } from '../../work/rows/run-lines.ts'

const Cents = Type.Integer({ description: 'In cents' })
/** The stored state of a line; `paid` follows from its run. */
export const StoredState = Type.Enum([...lineStates])
const Signature = Type.Enum(['pending', 'signed'])
const counts = Type.Object({
  states: Type.Object(Object.fromEntries(lineStates.map((state) => [state, Type.Integer()]))),
  signed: Type.Integer(),
  questioned: Type.Integer(),
  shared: Type.Integer({ description: 'Included lines with the bank account of another student' }),
  changed: Type.Integer(),
  leftOut: Type.Array(Type.Object({ reason: Type.String(), count: Type.Integer() })),
})

export const Run = component(
  'Run',
  Type.Object({
    scheme: Type.String(),
    month: Type.String(),
    method: Type.Enum(['transfer', 'cheque']),
    paidFrom: Type.String(),
    state: Type.Enum(['open', 'paid', 'void']),
    signing: Type.Boolean(),
    lines: Type.Integer(),
    total: Cents,
    totalInWords: Type.String(),
    returned: Cents,
    cheques: Type.Integer({ description: 'How many of its cheques are numbered' }),
    bankFileAt: Nullable(Moment),
    counts,
    agreed: Type.Array(Type.Object({ desk: Type.String(), name: Type.String(), at: Moment, you: Type.Boolean() }), {
      description: 'Desks that have approved it, in order',
    }),
    may: Type.Object(
      {
        act: Type.Boolean(),
        desk: Nullable(Type.String({ description: 'Your desk, if you may act' })),
        answer: Type.Boolean(),
        sign: Type.Boolean(),
        giveBack: Type.Boolean({ description: 'And settle; once the file for the bank was taken' }),
        bankFile: Type.Boolean(),
        owe: Type.Boolean(),
        numberCheques: Type.Boolean(),
      },
      { description: 'What you may do with its lines now' },
    ),
  }),
)

const Owed = Type.Array(
  Type.Object({
    month: Type.String(),
    state: Type.Enum([...lineStates]),
    reason: Nullable(Type.String({ description: 'A code for people left out; otherwise free text' })),
    amount: Cents,
  }),
  { description: 'The former months whose arrears it pays, and why they were not paid then' },
)

export const Line = component(
  'RunLine',
  Type.Object({
    id: Id,
    name: Type.String(),
    code: Type.String(),
    faculty: Nullable(Type.String()),
    amount: Cents,
    arrears: Cents,
    total: Cents,
    bank: Nullable(Type.String()),
    branch: Nullable(Type.String()),
    account: Nullable(Type.String({ description: 'Last digits of the account number' })),
    cheque: Nullable(Type.String({ description: 'Number of the cheque' })),
    state: Type.Enum([...lineStates, 'paid']),
    reason: Nullable(Type.String({ description: 'A code for people left out; otherwise free text' })),
    questionOpen: Type.Boolean(),
    questionDesk: Nullable(Type.String({ description: 'Desk that asked; null: the run itself' })),
    sharedWith: Type.Array(Type.String(), {
      description: 'Registration numbers of other students with this bank account',
    }),
    signature: Signature,
    mayBeOwed: Type.Boolean({ description: 'Left out by a paid run, for a reason that may be gone' }),
    owedAfterAll: Type.Boolean({ description: 'Left out, and owed: the next run pays it' }),
    owed: Owed,
    changedSince: Type.Array(Type.Object({ name: Type.String(), you: Type.Boolean() }), {
      description: 'Desks that approved it before it changed',
    }),
    hasHistory: Type.Boolean({ description: 'Something but a signature happened to it: see its events' }),
    own: Type.Boolean(),
  }),
)

export const OwnLine = component(
  'OwnRunLine',
  Type.Object({
    id: Id,
    scheme: Type.String(),
    month: Type.String(),
    total: Cents,
    owed: Owed,
    owedAfterAll: Type.Boolean(),
    state: Type.Enum([...lineStates, 'paid']),
    reason: Nullable(Type.String({ description: 'Code of the reason if it is left out' })),
    said: Nullable(Type.String({ description: 'Why it is held, struck or returned, as it was written' })),
    signature: Signature,
    code: Nullable(Type.String({ description: 'Content of the QR code shown at the counter' })),
  }),
)

/** Maximum lines per request. */
export const MAX_LINES = 500

const RefusedLines = Type.Array(
  Type.Object({ line: Id, name: Type.String(), code: Type.String(), message: Type.String() }),
  { description: 'Lines on which it had no effect, with the reason' },
)

export const ActedLines = component('ActedLines', Type.Object({ done: Type.Integer(), refused: RefusedLines }))

export const Signatures = component(
  'Signatures',
  Type.Object({
    signed: Type.Integer(),
    byCode: Type.Array(Type.Object({ name: Type.String(), code: Type.String(), total: Cents }), {
      description: 'Whose lines were signed by their codes',
    }),
    refused: RefusedLines,
  }),
)

export const OwnAward = component(
  'OwnAward',
  Type.Object({
    id: Id,
    title: Type.String(),
    scheme: Nullable(Type.String()),
    from: Nullable(Type.String({ description: 'The first month' })),
    until: Nullable(Type.String({ description: 'The last month' })),
    amount: Nullable(Cents),
    status: Type.String(),
    active: Type.Boolean({ description: 'Whether it is paid' }),
    complete: Type.Boolean({ description: 'Whether all documents are here' }),
    reason: Nullable(Type.String({ description: 'Code of the reason if it is not active' })),
    since: Nullable(Type.String({ format: 'date' })),
  }),
)

export const OwnAccount = component(
  'OwnAccount',
  Type.Object({
    bank: Type.String(),
    branch: Type.String(),
    ending: Type.String({ description: 'The last digits of its number' }),
    status: Type.String(),
    active: Type.Boolean({ description: 'Whether instalments go to it' }),
  }),
)

export const LineEvent = component(
  'RunLineEvent',
  Type.Object({
    kind: Type.String(),
    text: Nullable(Type.String()),
    how: Nullable(Type.String()),
    by: Nullable(Type.String()),
    at: Moment,
  }),
)
