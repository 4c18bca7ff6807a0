/**
 * The lists of the inbox: offered and free; held by oneself; held by a colleague; due within two working days; overdue;
 * put off, or waiting for the requester's answer; decided by oneself while the case still runs; decided by oneself.
 */
export const queues = ['open', 'mine', 'group', 'due-soon', 'overdue', 'later', 'waiting', 'done'] as const
export type Queue = (typeof queues)[number]

/** By when it came in, when it is due, when it was put off to, how pressing it is, how much it is about; `-`: the other way round. */
export const sorts = ['created', '-created', 'due', 'follow-up', '-priority', 'amount', '-amount'] as const
export type Sort = (typeof sorts)[number]

/** What somebody asks of a list of tasks. */
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
  /** Days in Colombo on which it came in, both included. */
  from?: string | undefined
  until?: string | undefined
  /** Field of the start form → value. */
  filters?: Readonly<Record<string, string>> | undefined
  /** Part of the reference, the subject, the requester's name or the task's. */
  search?: string | undefined
  /** Only what one has as the substitute of this person. */
  for?: string | undefined
  sort?: Sort | undefined
}
