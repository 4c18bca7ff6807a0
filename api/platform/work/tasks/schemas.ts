import { Type } from 'typebox'
import { Id, Moment, Nullable, Who } from '../../http/schemas.ts'
import { component } from '../../kernel/components.ts'

/** What the reader may do with a task now. */
const May = component(
  'TaskRights',
  Type.Object(
    {
      claim: Type.Boolean({ description: 'Also takes back a task that they gave to somebody for an opinion' }),
      release: Type.Boolean(),
      assign: Type.Boolean(),
      reassign: Type.Boolean({ description: 'Takes it from its assignee' }),
      delegate: Type.Boolean(),
      resolve: Type.Boolean(),
      followUp: Type.Boolean(),
      priority: Type.Boolean(),
      due: Type.Boolean(),
      question: Type.Boolean(),
      decide: Type.Boolean(),
      talk: Type.Boolean({ description: 'Reads and writes comments, and appears as present' }),
    },
    { description: 'What you may do now' },
  ),
)

/** A question to the requester, as people who handle the case see it. */
const Question = component(
  'TaskQuestion',
  Type.Object({
    id: Id,
    question: Type.String(),
    askedBy: Who,
    askedAt: Moment,
    answer: Nullable(Type.String()),
    answeredBy: Nullable(Who),
    answeredAt: Nullable(Moment),
  }),
)

/** What a task has beside its form and its case. */
export const taskTalk = {
  may: May,
  looking: Type.Array(Type.Object({ id: Id, name: Type.String(), typing: Type.Boolean() }), {
    description: 'Other people who have it open now',
  }),
  questions: Type.Array(Question, { description: 'Questions to the requester, oldest first' }),
  comments: Type.Integer({ description: 'Number of comments on the case that you may read' }),
}
