import type { App } from '../../http/app.ts'
import type { RegisterRouteDependencies } from './schemas.ts'
import { descriptionRoutes } from './description-routes.ts'
import { itemRoutes } from './item-routes.ts'
import { importRoutes } from './import-routes.ts'

/** Registers and their entries. */
export function registerRoutes(app: App, deps: RegisterRouteDependencies): void {
  descriptionRoutes(app, deps)
  itemRoutes(app, deps)
  importRoutes(app, deps)
}
