import type { App } from '../../http/app.ts'
import type { Cases } from '../cases/service.ts'
import { taskHandingRoutes } from './handing-routes.ts'
import { taskQuestionRoutes } from './question-routes.ts'
import type { QuestionsDependencies } from './questions.ts'
import { taskUrgencyRoutes } from './urgency-routes.ts'

/** Acts on a task other than its decision: handing it on, putting it off, asking about it. */
export function taskActRoutes(app: App, deps: QuestionsDependencies & { cases: Cases }): void {
  taskHandingRoutes(app, deps)
  taskUrgencyRoutes(app, deps)
  taskQuestionRoutes(app, deps)
}
