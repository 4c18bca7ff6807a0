import type { FastifyRequest } from 'fastify'
import { logCase } from '../cases/follow.ts'
import type { TaskSummary } from './task-rows.ts'

/** The response to an act; the log lines of this request name the case from here on. */
export function followed(request: FastifyRequest, task: TaskSummary): TaskSummary {
  logCase(request, task.caseId)
  return task
}
