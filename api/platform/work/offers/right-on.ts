import { type Person, rightOfAll, steadsFor } from '../../people/persons/person.ts'
import type { TaskRow } from '../rows/tasks.ts'

/** The right by which a person acts on a task, and in whose stead. */
export interface Right {
  /** The principal that gives the right, or the role that sees everything. */
  actedAs: string
  /** The absent person they act for. */
  standsFor: { id: string; name: string } | null
}

/**
 * The right by which a person acts on a task with these candidates: their own first, then that of an absent person,
 * then a role that sees everything. A substitute also has what the absent person holds, and what was claimed for them.
 */
export function rightOn(
  person: Person,
  task: Pick<TaskRow, 'flow' | 'amount' | 'state' | 'assignee_id' | 'held_for'>,
  candidates: readonly string[],
): Right | undefined {
  const steads = steadsFor(person, task, candidates)
  const holder = task.assignee_id === person.id ? task.held_for : task.assignee_id
  const held = task.state === 'open' ? undefined : steads.find(({ absent }) => absent.id === holder)
  const own = held ? undefined : candidates.find((principal) => person.principals.includes(principal))
  if (own !== undefined) return { actedAs: own, standsFor: null }
  const stead = held ?? steads[0]
  if (stead) return { actedAs: stead.through, standsFor: stead.absent }
  return person.seesAll ? { actedAs: rightOfAll(person.grants), standsFor: null } : undefined
}
