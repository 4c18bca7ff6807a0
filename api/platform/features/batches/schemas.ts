import { Type } from 'typebox'
import { Id, Moment, Nullable } from '../../http/schemas.ts'

const Name = Type.String({ pattern: '^[a-z][a-z0-9-]*$', maxLength: 60 })
const Words = Type.String({ maxLength: 200 })

/** The flow in an address. */
export const FlowName = { area: Name, flow: Name }
export const Of = Type.Object(FlowName)
export const flowOf = ({ area, flow }: { area: string; flow: string }) => `${area}/${flow}`

/** Largest choice: two thousand ids. */
export const CHOICE_LIMIT = 128 * 1024

/** Up to so many items, by their ids. */
export const ids = (most: number, description: string) =>
  Type.Optional(Type.Array(Id, { minItems: 1, maxItems: most, uniqueItems: true, description }))

/** How a list chooses items, beside their ids. */
export const listed = {
  search: Type.Optional(Words),
  status: Type.Optional(Type.String({ maxLength: 60 })),
  filters: Type.Optional(Type.Record(Type.String({ maxLength: 60 }), Words)),
}

export const LeftOut = Type.Array(Type.Object({ id: Id, title: Type.String(), message: Type.String() }), {
  description: 'The first hundred items that are left out, and why',
})

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
