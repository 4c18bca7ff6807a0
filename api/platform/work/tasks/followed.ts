import type { FastifyRequest } from 'fastify'
import { follow } from '../cases/follow.ts'
import type { TaskSummary } from './task-rows.ts'

/** The answer of an act; the lines of the request name the case from here on. */
export function followed(request: FastifyRequest, task: TaskSummary): TaskSummary {
  follow(request, task.caseId)
  return task
}
