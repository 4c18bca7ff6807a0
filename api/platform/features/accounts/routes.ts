import type { App } from '../../http/app.ts'
import type { AccountRouteDependencies } from './account-schemas.ts'
import { signUpRoutes } from './sign-up-routes.ts'
import { passwordRoutes } from './password-routes.ts'
import { studentRoutes } from './student-routes.ts'

/** Sign-up and passwords. */
export function accountRoutes(app: App, deps: AccountRouteDependencies): void {
  signUpRoutes(app, deps)
  passwordRoutes(app, deps)
  studentRoutes(app, deps)
}
