import type { App } from '../../http/app.ts'
import type { PublicRouteDependencies } from './public-schemas.ts'
import { publicItemRoutes } from './public-item-routes.ts'
import { publicCalendarRoutes } from './public-calendar-routes.ts'
import { verificationRoutes } from './verification-routes.ts'

/** What everybody sees without signing in. */
export function publicRoutes(app: App, deps: PublicRouteDependencies): void {
  publicItemRoutes(app, deps)
  publicCalendarRoutes(app, deps)
  verificationRoutes(app, deps)
}
