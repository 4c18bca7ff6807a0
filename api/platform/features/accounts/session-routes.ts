import type { App } from '../../http/app.ts'
import type { SessionRouteDependencies } from './session-schemas.ts'
import { tokenRoutes } from './token-routes.ts'
import { passkeySignInRoutes } from './passkey-sign-in-routes.ts'
import { tokenKeyRoutes } from './token-key-routes.ts'

/** Sign-in with and without a second factor, refresh, sign-out, and the keys of access tokens. */
export function sessionRoutes(app: App, deps: SessionRouteDependencies): void {
  tokenRoutes(app, deps)
  passkeySignInRoutes(app, deps)
  tokenKeyRoutes(app, deps)
}
