import { Type } from 'typebox'
import { Id, Moment, Nullable } from '../../http/schemas.ts'

/** Progress of a batch. */
export const Progress = Type.Object({
  id: Id,
  state: Type.Enum(['running', 'stopped', 'done']),
  total: Type.Integer(),
  done: Type.Integer(),
  refused: Type.Integer(),
  by: Type.String(),
  createdAt: Moment,
  endedAt: Nullable(Moment),
})
