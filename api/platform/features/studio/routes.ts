import type { App } from '../../http/app.ts'
import type { StudioDependencies } from './context.ts'
import { modelRoutes } from './model-routes.ts'
import { draftRoutes } from './draft-routes.ts'
import { releaseRoutes } from './release-routes.ts'
import { secondOwnerRoutes } from './second-owner-routes.ts'

/** Process owners at their models: what there is, the draft, what is wrong with it, deploying and taking back. */
export function studioRoutes(app: App, dependencies: StudioDependencies): void {
  modelRoutes(app, dependencies)
  draftRoutes(app, dependencies)
  releaseRoutes(app, dependencies)
  secondOwnerRoutes(app, dependencies)
}
