import type { Engine } from '../port.ts'
import type { Call, Request } from './call.ts'
import { typed } from './variables.ts'

/** Results that workers report. */
export function externalTasks(
  call: Call,
): Pick<Engine, 'completeExternalTask' | 'failExternalTask' | 'raiseExternalTaskError' | 'extendExternalTaskLock'> {
  return {
    async completeExternalTask({ id, workerId, variables }) {
      await endExternalTask(call, id, 'complete', { workerId, variables: typed(variables) }, { commandId: id })
    },

    async failExternalTask({ id, workerId, message, details, retries, retryTimeout }) {
      await endExternalTask(call, id, 'failure', {
        workerId,
        errorMessage: message,
        errorDetails: details,
        retries,
        retryTimeout,
      })
    },

    async raiseExternalTaskError({ id, workerId, code, message, variables = {} }) {
      const body = { workerId, errorCode: code, errorMessage: message, variables: typed(variables) }
      await endExternalTask(call, id, 'bpmnError', body, { commandId: id })
    },

    async extendExternalTaskLock({ id, workerId, duration }) {
      await endExternalTask(call, id, 'extendLock', { workerId, newDuration: duration })
    },
  }
}

/** Ends an external task with its own id as command id, so that a lost response can be checked later. */
export async function endExternalTask(
  call: Call,
  id: string,
  act: string,
  body: object,
  command?: Request['command'],
): Promise<void> {
  await call('POST', `/external-task/${encodeURIComponent(id)}/${act}`, { body, command, absent: 'external-task-gone' })
}
