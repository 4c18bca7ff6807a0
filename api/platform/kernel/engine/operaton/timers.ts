import { type Engine, EngineRefusal } from '../port.ts'
import type { Call } from './call.ts'

interface TimerJob {
  id: string
  jobDefinitionId: string
}

/** Timers of running instances. */
export function timers(call: Call): Pick<Engine, 'fireTimer'> {
  return {
    async fireTimer(instanceId, element) {
      const instance = encodeURIComponent(instanceId)
      const waiting = await call<TimerJob[]>('GET', `/job?processInstanceId=${instance}&timers=true`)
      for (const { id, jobDefinitionId } of waiting) {
        const { activityId } = await call<{ activityId: string }>(
          'GET',
          `/job-definition/${encodeURIComponent(jobDefinitionId)}`,
        )
        if (activityId !== element) continue
        return ran(call, id)
      }
      return false
    },
  }
}

/** False if the engine has run the job itself meanwhile. */
async function ran(call: Call, id: string): Promise<boolean> {
  try {
    await call('POST', `/job/${encodeURIComponent(id)}/execute`, { body: {}, absent: 'nothing-waits' })
    return true
  } catch (error) {
    if (error instanceof EngineRefusal && error.reason === 'nothing-waits') return false
    throw error
  }
}
