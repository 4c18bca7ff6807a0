import type { App } from '../../http/app.ts'
import type { TrackingRoutesDependencies } from './context.ts'
import { trackedCaseRoutes } from './tracked-case-routes.ts'
import { signInRoutes } from './sign-in-routes.ts'

/** Following one case with its number and secret, without an account. */
export function trackingRoutes(app: App, deps: TrackingRoutesDependencies): void {
  signInRoutes(app, deps)
  trackedCaseRoutes(app, deps)
}
