import * as client from 'openid-client'
import { BusinessError } from '../../kernel/errors.ts'
import { type ServerContext, identityServerDown, discoveryOptions } from './oidc-connection.ts'
import { known } from '../../kernel/known.ts'

async function adminCall(server: ServerContext, method: string, path: string, body?: unknown): Promise<Response> {
  const { issuer } = server
  const base = issuer.replace('/realms/', '/admin/realms/')
  try {
    return await fetch(`${base}${path}`, {
      method,
      redirect: 'error',
      headers: { authorization: `Bearer ${await adminAccess(server)}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      // The identity server waits ten seconds for its own mail server.
      signal: AbortSignal.timeout(15_000),
    })
  } catch (cause) {
    throw cause instanceof BusinessError ? cause : identityServerDown(server, cause)
  }
}

async function adminAccess(server: ServerContext): Promise<string> {
  const { issuer, admin } = server
  if (server.adminToken && server.adminToken.until > Date.now()) return server.adminToken.token
  const { clientId, clientSecret } = known(admin, 'the client that may manage users')
  const config = await client.discovery(
    new URL(issuer),
    clientId,
    undefined,
    client.ClientSecretPost(clientSecret),
    discoveryOptions(server),
  )
  const tokens = await client.clientCredentialsGrant(config)
  server.adminToken = { token: tokens.access_token, until: Date.now() + ((tokens.expiresIn() ?? 60) - 30) * 1000 }
  return server.adminToken.token
}

async function idOf(server: ServerContext, email: string): Promise<string> {
  const { name } = server
  const answer = await adminCall(server, 'GET', `/users?exact=true&email=${encodeURIComponent(email)}`)
  if (!answer.ok) throw identityServerDown(server, new Error(`its list of users answers ${answer.status}`))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what Keycloak answers to a search for users
  const [user, ...more] = (await answer.json()) as { id: string }[]
  if (!user || more.length > 0) throw new BusinessError('platform.identity-unknown', { name })
  return user.id
}

/** Makes the identity server mail a link to set the account's password. */
export async function mailPasswordLink(
  server: ServerContext,
  { subject, email }: { subject: string | null; email: string },
): Promise<void> {
  const { admin, name, log } = server
  if (!admin) throw new BusinessError('platform.identity-server-only', { name })
  const id = subject ?? (await idOf(server, email))
  const answer = await adminCall(server, 'PUT', `/users/${encodeURIComponent(id)}/execute-actions-email`, [
    'UPDATE_PASSWORD',
  ])
  if (answer.status === 204) return
  log.warn({ status: answer.status, answer: await answer.text() }, 'the identity server failed to mail a link')
  if (answer.status === 404) throw new BusinessError('platform.identity-unknown', { name })
  throw new BusinessError('platform.identity-mail-failed', { name })
}
