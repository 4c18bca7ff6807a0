import { createElement, lazy, Suspense, use, useLayoutEffect, type ComponentType, type ReactNode } from 'react'
import { Redirect, useLocation, useSearch } from 'wouter'
import { Problem } from '../../kernel/client/client.ts'
import { BareShell } from '../shell/bare-shell.tsx'
import { startSession, useSession } from '../../kernel/session/session.ts'
import { Failure } from '../../kernel/states/failure.tsx'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { hasText, useTexts, loadMenuTexts, wantStaffTexts, loadWords } from '../../kernel/texts/texts.ts'
import type { Me } from '../../kernel/client/types.ts'
import type { Match } from '../../kernel/screens/match.ts'
import { mayOpen } from '../../../../forms/platform/may-open.ts'
import { isBare, keysOf, loadPublicShell } from './ahead.ts'
import { beginPage, pageOf } from './pages.ts'
import { matchScreen, wantStaffScreens } from '../../kernel/screens/screens.ts'

const StaffShell = lazy(async () => {
  const [shell] = await Promise.all([
    import('../shell/staff-shell.tsx'),
    wantStaffTexts(),
    loadMenuTexts(),
    wantStaffScreens(),
  ])
  return shell
})
const OfflineInbox = lazy(async () => {
  const [page] = await Promise.all([import('../../work/inbox/offline-inbox.tsx'), wantStaffTexts()])
  return page
})
let PublicShell: ComponentType<{ children: ReactNode }> = lazy(loadPublicShell)
const NotAllowed = lazy(() => import('../../people/session/not-allowed.tsx'))

/**
 * Loads all that a public page needs before its first render: shell, page and, once `texts` are there, its words. It
 * then appears in one piece, without the delay that React puts between a skeleton and what replaces it.
 */
export async function publicScreen(match: Match, path: string, texts: Promise<void>): Promise<void> {
  const { page } = match.screen
  const [shell] = await Promise.all([
    isBare(path) ? undefined : loadPublicShell(),
    beginPage(page),
    texts.then(() => wordsOf(match, page)),
  ])
  if (shell) PublicShell = shell.default
}

/** Shows the screen of the address; an unknown address redirects to /session/404, which names it. */
export function Routes() {
  const [path] = useLocation()
  const search = useSearch()
  const match = matchScreen(path)
  if (!match) return <Redirect to="/session/404" replace state={{ from: path }} />
  // The target checks access itself. A redirect that is not public redirects only people who may open it.
  if (match.screen.page === 'redirect' && match.screen.guard === 'public')
    return <Onward match={match} search={search} />
  return <Guarded match={match} path={path} />
}

/** Redirects to the screen's `to`, or to its `visitor` (if any) for visitors whose session has not just expired. */
function Onward({ match, search }: { match: Match; search: string }) {
  const session = useSession()
  const visitor = match.screen.parameters?.['visitor'] !== undefined
  if (visitor && session.state === 'starting' && session.problem === undefined) return <Coming />
  const out = visitor && session.state === 'out' && !session.expired
  return <Redirect to={leadsTo(match, search, out ? 'visitor' : 'to') ?? '/dashboard'} replace />
}

/** The target of a redirect screen, with the query of the address. */
function leadsTo({ screen, params }: Match, search: string, parameter: 'to' | 'visitor' = 'to'): string | undefined {
  const to = screen.page === 'redirect' ? screen.parameters?.[parameter] : undefined
  if (typeof to !== 'string') return undefined
  const place = to.replaceAll(/\{(\w+)\}/g, (_, hole: string) => encodeURIComponent(params[hole] ?? ''))
  return search ? `${place}${place.includes('?') ? '&' : '?'}${search}` : place
}

function Guarded({ match, path }: { match: Match; path: string }) {
  const session = useSession()
  const search = useSearch()
  const { t } = useTexts()
  const { screen } = match

  // A layout effect, so that a page can then replace this title with a more specific one in its own effect.
  useLayoutEffect(() => {
    // Titles of pages behind the sign-in load with the staff shell.
    if (hasText(screen.title)) document.title = t('platform.page-title', { title: t(screen.title) })
  }, [t, screen.title])

  if (screen.guard === 'public') {
    const page = <Page match={match} path={path} />
    if (isBare(path)) return <BareShell>{page}</BareShell>
    return (
      <Suspense fallback={<Coming />}>
        <PublicShell>{page}</PublicShell>
      </Suspense>
    )
  }
  if (session.state === 'starting') {
    const { problem } = session
    const trouble = problem !== undefined && <Trouble error={problem} onRetry={() => void startSession(true)} />
    const unreachable = problem instanceof Problem && problem.status === 0
    return (
      <BareShell>
        {unreachable && screen.page === 'inbox' ? (
          <Later>
            <OfflineInbox otherwise={trouble} />
          </Later>
        ) : (
          trouble
        )}
      </BareShell>
    )
  }
  if (session.state === 'out') {
    const target = search ? `${path}?${search}` : path
    const to =
      path === '/dashboard' && !session.expired ? '/session/signin' : `/session/signin?to=${encodeURIComponent(target)}`
    return <Redirect to={to} replace state={{ expired: session.expired }} />
  }
  // Until the second factor is set up, the API answers no other page.
  if (session.me.secondFactor.wanted && path !== '/myprofile') return <Redirect to="/myprofile" replace />
  const to = mayOpen(session.me, screen) ? leadsTo(match, search) : undefined
  if (to) return <Redirect to={to} replace />
  return (
    <Suspense fallback={<Coming />}>
      <StaffShell>
        <Allowed match={match} path={path} me={session.me} />
      </StaffShell>
    </Suspense>
  )
}

/** Within the shell, which loads who may open a screen. */
function Allowed({ match, path, me }: { match: Match; path: string; me: Me }) {
  if (mayOpen(me, match.screen)) return <Page match={match} path={path} />
  return (
    <Later>
      <NotAllowed />
    </Later>
  )
}

function Page({ match, path }: { match: Match; path: string }) {
  const { screen, params } = match
  const name = screen.built ? screen.page : 'not-built'
  const found = pageOf(name)
  if (!found) throw new Error(`${screen.route} names the page ${screen.page}, which is not there`)
  return (
    <Failure at={path}>
      <Later>
        <Worded match={match} page={name}>
          {createElement(found, {
            // Two screens with the same page component share no state.
            key: screen.route,
            params: withId(params, screen.parameters?.['hole']),
            parameters: screen.parameters ?? {},
            title: screen.title,
          })}
        </Worded>
      </Later>
    </Failure>
  )
}

/** The parts of an address; pages find the id under `id`, whatever the sources call that part. */
function withId(params: Match['params'], hole: unknown): Match['params'] {
  const id = typeof hole === 'string' ? params[hole] : undefined
  return id === undefined ? params : { ...params, id }
}

/** Shows a page once its words are loaded. */
function Worded({ match, page, children }: { match: Match; page: string; children: ReactNode }) {
  const words = wordsOf(match, page)
  if (words) {
    void beginPage(page)
    use(words)
  }
  return children
}

/** Loads the texts that a page is known to use; other texts load on demand. Undefined if all are loaded. */
const wordsOf = (match: Match, page: string): Promise<void> | undefined => loadWords(keysOf(match, page), page)

const Later = ({ children }: { children: ReactNode }) => <Suspense fallback={<Lines />}>{children}</Suspense>

/** While the page's shell loads. */
const Coming = () => (
  <BareShell>
    <Lines />
  </BareShell>
)

const Lines = () => (
  <div style={{ padding: 32, maxWidth: 640 }}>
    <Skeleton lines={6} />
  </div>
)
