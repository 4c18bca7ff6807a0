import { type Answer, send } from '../platform/kit/people.ts'
import { stack } from '../platform/kit/stack.ts'
import { passwordOf } from './keycloak.ts'

/** A browser without pages: follows redirects and fills in Keycloak's form, so that each step can be checked. */
export function traveller() {
  const jars = new Map<string, Map<string, string>>()

  async function visit(address: string, form?: Record<string, string>): Promise<Response> {
    const { host } = new URL(address)
    const jar = jars.get(host) ?? new Map<string, string>()
    jars.set(host, jar)
    const response = await fetch(address, {
      redirect: 'manual',
      method: form ? 'POST' : 'GET',
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form ? { body: new URLSearchParams(form) } : {}),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!
      if (/Max-Age=0|Expires=Thu, 01 Jan 1970/i.test(cookie)) jar.delete(name!)
      else jar.set(name!, value!)
    }
    return response
  }

  const ourCookies = () => jars.get(new URL(stack().url).host) ?? new Map<string, string>()
  const cookieHeader = () => ({ cookie: [...ourCookies()].map(([name, value]) => `${name}=${value}`).join('; ') })

  /** Goes to Keycloak; returns its answer: the form, or a redirect if it knows the browser. */
  async function leaves(to = '/dashboard'): Promise<Response> {
    const start = await visit(`${stack().url}/api/auth/oidc/start?to=${encodeURIComponent(to)}`)
    return visit(start.headers.get('location')!)
  }

  return {
    visit,
    leaves,

    /** Fills in the form and sends it; returns Keycloak's answer. */
    async fillsIn(form: Response, username: string, password = passwordOf(username)): Promise<Response> {
      const action = /action="([^"]+)"/.exec(await form.text())![1]!.replaceAll('&amp;', '&')
      return visit(action, { username, password, credentialId: '' })
    },

    /** The whole sign-in; returns the product's last answer. */
    async signsIn(username: string, to?: string): Promise<Response> {
      const back = await this.fillsIn(await leaves(to), username)
      return visit(back.headers.get('location')!)
    },

    /** Exchanges the cookie for an access token, as our pages do. */
    async refreshes(): Promise<Answer> {
      const body = new URLSearchParams({ grant_type: 'refresh_token', client_id: 'web' })
      const answer = await fetch(`${stack().url}/api/auth/token`, { method: 'POST', headers: cookieHeader(), body })
      for (const cookie of answer.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!
        ourCookies().set(name!, value!)
      }
      return { status: answer.status, headers: answer.headers, body: await answer.json() }
    },

    /** The access token of the first refresh, which shows that a session is open. */
    async token(): Promise<string> {
      const { status, body } = await this.refreshes()
      if (status !== 200) throw new Error(`no session: ${status} ${JSON.stringify(body)}`)
      return body.access_token
    },

    signsOut: () => send('POST', '/api/auth/logout', { headers: cookieHeader() }),

    /** Deletes the product's cookies; Keycloak's cookies stay. */
    forgetsUs: () => ourCookies().clear(),
  }
}
