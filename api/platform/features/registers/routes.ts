import type { App } from '../../http/app.ts'
import type { ItemRouteDependencies } from './schemas.ts'
import { descriptionRoutes } from './description-routes.ts'
import { itemRoutes } from './item-routes.ts'
import type { PaperDependencies } from '../../work/registers/paper.ts'
import { paperRoutes } from './paper-routes.ts'
import { newsRoutes } from './news-routes.ts'
import { owedRoutes } from './owed-routes.ts'
import { scannedRoutes } from './scanned-routes.ts'
import { stockRoutes } from './stock-routes.ts'
import { importRoutes } from './import-routes.ts'

/** Registers and their entries. */
export function registerRoutes(app: App, deps: ItemRouteDependencies & PaperDependencies): void {
  descriptionRoutes(app, deps)
  itemRoutes(app, deps)
  importRoutes(app, deps)
  paperRoutes(app, deps)
  newsRoutes(app, deps)
  owedRoutes(app, deps)
  scannedRoutes(app, deps)
  stockRoutes(app, deps)
}
