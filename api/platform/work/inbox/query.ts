/**
 * The queues of the inbox: offered and free; held by oneself; held by a colleague; due within two working days;
 * overdue; put off or waiting for the requester's answer; decided by oneself while the case runs; decided by oneself.
 */
export const queues = ['open', 'mine', 'group', 'due-soon', 'overdue', 'later', 'waiting', 'done'] as const
export type Queue = (typeof queues)[number]

/** By creation, due date, follow-up date, priority or amount; `-` reverses the order. */
export const sorts = ['created', '-created', 'due', 'follow-up', '-priority', 'amount', '-amount'] as const
export type Sort = (typeof sorts)[number]

/** A query for a list of tasks. */
export interface Wanted {
  queue?: Queue | undefined
  flow?: string | undefined
  status?: string | undefined
  desk?: string | undefined
  /** Account of the requester. */
  requester?: string | undefined
  /** Id of the faculty that the case belongs to. */
  faculty?: string | undefined
  /** In cents, both included. */
  amountFrom?: number | undefined
  amountTo?: number | undefined
  /** Days in Colombo on which the task was created, both included. */
  from?: string | undefined
  until?: string | undefined
  /** Field of the start form → value. */
  filters?: Readonly<Record<string, string>> | undefined
  /** Part of the case number, the subject, the requester's name or the task's name. */
  search?: string | undefined
  /** Only the tasks that the reader has as the substitute of this person. */
  for?: string | undefined
  sort?: Sort | undefined
}
