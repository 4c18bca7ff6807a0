import type { App } from '../../http/app.ts'
import type { PeopleRouteDependencies } from './people-schemas.ts'
import { personRoutes } from './person-routes.ts'
import { personSecurityRoutes } from './person-security-routes.ts'
import { roleRoutes } from './role-routes.ts'

/** People administration: accounts and their roles. */
export function peopleRoutes(app: App, deps: PeopleRouteDependencies): void {
  personRoutes(app, deps)
  personSecurityRoutes(app, deps)
  roleRoutes(app, deps)
}
