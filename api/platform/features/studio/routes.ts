import type { App } from '../../http/app.ts'
import type { StudioDependencies } from './context.ts'
import { modelRoutes } from './model-routes.ts'
import { draftRoutes } from './draft-routes.ts'
import { releaseRoutes } from './release-routes.ts'
import { secondOwnerRoutes } from './second-owner-routes.ts'

/** The studio for process owners: models, drafts, checks, deployment and rollback. */
export function studioRoutes(app: App, dependencies: StudioDependencies): void {
  modelRoutes(app, dependencies)
  draftRoutes(app, dependencies)
  releaseRoutes(app, dependencies)
  secondOwnerRoutes(app, dependencies)
}
