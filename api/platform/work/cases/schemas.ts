import { Type } from 'typebox'
import { FormData, Id, Moment, Named, NamedPerson, Nullable, Who } from '../../http/schemas.ts'
import { component } from '../../kernel/components.ts'

const WaitingTask = component(
  'WaitingTask',
  Type.Object({
    taskId: Type.String(),
    desk: Type.String(),
    name: Type.String(),
    principals: Type.Array(Type.String(), { description: 'Who it is offered to, in words' }),
    assignee: Nullable(Who),
    since: Moment,
    dueAt: Nullable(Moment),
  }),
)

const Submission = component(
  'Submission',
  Type.Object({
    id: Id,
    formKey: Type.String(),
    formHash: Type.String(),
    data: FormData,
    by: Who,
    for: Nullable(Who),
    actedAs: Nullable(Type.String()),
    at: Moment,
    effect: Type.Enum(['pending', 'done', 'void']),
    voidReason: Nullable(Type.String()),
    taskId: Nullable(Type.String()),
    desk: Nullable(Type.String()),
    outcome: Nullable(Type.String()),
    act: Nullable(Type.String({ description: 'Name of the act, if the requester used one' })),
  }),
)

export const CaseRow = component(
  'CaseSummary',
  Type.Object({
    id: Id,
    reference: Type.String(),
    flow: Type.String(),
    flowTitle: Type.String(),
    title: Type.String({ description: 'One line that identifies the case to people' }),
    subject: FormData,
    status: Named,
    statuses: Type.Record(Type.String(), Named),
    state: Type.Enum(['starting', 'running', 'ended', 'failed']),
    requester: NamedPerson,
    scope: Type.Record(Type.String(), Type.String()),
    facts: FormData,
    createdAt: Moment,
    endedAt: Nullable(Moment),
    endReason: Nullable(Type.String()),
    waitsWith: Type.Array(WaitingTask),
    version: Type.Integer(),
  }),
)

const CaseQuestion = component(
  'CaseQuestion',
  Type.Object({
    id: Id,
    task: Type.String({ description: 'Name of the desk that asked' }),
    question: Type.String(),
    askedBy: Who,
    askedAt: Moment,
    answer: Nullable(Type.String()),
    answeredAt: Nullable(Moment),
    open: Type.Boolean({ description: 'Waiting for an answer' }),
  }),
)

export const UnavailableEntries = Type.Array(
  Type.Object({
    ...{ field: Type.String(), item: Id, why: Type.String() },
    suits: Type.Boolean({ description: 'It can be named, and suits best' }),
    title: Nullable(Type.String({ description: 'Title of one that suits' })),
  }),
  { description: 'Register entries that fields of the form cannot name now, or that suit best, with the reason' },
)

const CaseAct = component(
  'CaseAct',
  Type.Object({
    name: Type.String(),
    title: Type.String(),
    confirm: Nullable(Type.String({ description: 'Question shown before it is sent' })),
    form: Type.String(),
    formHash: Type.String(),
    unavailable: UnavailableEntries,
  }),
)

/** The name of a case among those that follow from another. */
export const LinkName = Type.String({ pattern: '^[a-z][a-z-]*$', maxLength: 60 })

const LinkedCase = component(
  'LinkedCase',
  Type.Object({
    id: Nullable(Type.String({ format: 'uuid', description: 'Null if you may not see it' })),
    reference: Type.String(),
    flowTitle: Type.String(),
    status: Named,
    createdAt: Moment,
    endsToo: Type.Boolean({
      description: 'It still runs, and ends if the case that it follows from does not take place',
    }),
  }),
)

export const Case = component(
  'Case',
  Type.Object({
    ...CaseRow.properties,
    processDefinitionId: Type.String(),
    data: Type.Record(Type.String(), Type.Unknown(), {
      description: 'Current data: the start form with all later changes',
    }),
    sentBy: Nullable(Who),
    withdrawable: Type.Boolean(),
    acts: Type.Array(CaseAct, { description: 'Acts that you may use now' }),
    shows: Type.Array(
      Type.Object({
        name: Type.String(),
        schema: FormData,
        facts: Type.Array(Type.String(), { description: 'Names of the facts that belong to it' }),
        items: Type.Union([Type.Array(Type.Object({ id: Id, data: FormData })), Type.Null()], {
          description: 'Null while the status of the case shows none',
        }),
      }),
      { description: 'Entries of registers as they are now' },
    ),
    follows: Nullable(LinkedCase),
    linked: Type.Array(LinkedCase, { description: 'Cases that follow from it, oldest first' }),
    offers: Type.Array(
      Type.Object({
        name: Type.String(),
        flow: Type.String(),
        title: Type.String({ description: 'Label of its button' }),
        page: Type.String({ description: 'Path of the page that begins it, with its fields filled in' }),
      }),
      { description: 'Cases of other flows that you may begin from it now' },
    ),
    questions: Type.Array(CaseQuestion, { description: 'Questions to the requester, oldest first' }),
    mailed: Type.Array(
      Type.Object({
        name: Type.String(),
        question: Type.String(),
        askedAt: Moment,
        closesAt: Moment,
        outcome: Nullable(Named),
        data: Nullable(FormData),
        formHash: Type.String({ description: 'The form that `data` conforms to' }),
        answeredAt: Nullable(Moment),
        void: Type.Boolean({ description: 'The answer came too late and does not count' }),
      }),
      { description: 'Questions to people without an account, who answer by a mailed link; oldest first' },
    ),
    submissions: Type.Array(Submission),
    files: Type.Array(
      Type.Object({
        id: Id,
        name: Type.String(),
        contentType: Type.String(),
        size: Type.Integer(),
        path: Type.String(),
        submissionId: Nullable(Id),
      }),
    ),
    documents: Type.Array(
      Type.Object({
        id: Id,
        kind: Type.String(),
        number: Type.String(),
        issuedAt: Moment,
        endedAt: Type.Union([Moment, Type.Null()], { description: 'Time when it ceased to be valid' }),
      }),
      { description: 'Documents issued under a number' },
    ),
  }),
)

export const CaseId = Type.Object({ id: Id })
