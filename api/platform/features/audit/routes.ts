import type { App } from '../../http/app.ts'
import type { AuditConsole } from './context.ts'
import { searchRoutes } from './search-routes.ts'
import { caseRoutes } from './case-routes.ts'
import { reportRoutes } from './report-routes.ts'
import { chainRoutes } from './chain-routes.ts'
import { keptSearchRoutes } from './kept-search-routes.ts'

/** The auditor's console: who did what, when and on which authority, and whether the audit trail was changed. */
export function auditRoutes(app: App, deps: AuditConsole): void {
  searchRoutes(app, deps)
  caseRoutes(app, deps)
  reportRoutes(app, deps)
  chainRoutes(app, deps)
  keptSearchRoutes(app, deps)
}
