import type { App } from '../../http/app.ts'
import type { MeRouteDependencies } from './me-schemas.ts'
import { profileRoutes } from './profile-routes.ts'
import { ownSessionRoutes } from './own-session-routes.ts'
import { totpRoutes } from './totp-routes.ts'
import { passkeyRoutes } from './passkey-routes.ts'

/** The reader's own account: profile, preferences, sessions, second factors and stored data. */
export function meRoutes(app: App, deps: MeRouteDependencies): void {
  profileRoutes(app, deps)
  ownSessionRoutes(app, deps)
  totpRoutes(app, deps)
  passkeyRoutes(app, deps)
}
