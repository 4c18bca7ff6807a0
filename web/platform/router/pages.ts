import { lazy, type ComponentType } from 'react'
import type { PageProps } from './page.ts'

type Loader = () => Promise<{ default: ComponentType<PageProps> }>

const generic: Record<string, Loader> = {
  front: () => import('../front/front.tsx'),
  inbox: () => import('../inbox/inbox.tsx'),
  task: () => import('../task/task.tsx'),
  team: () => import('../team/team.tsx'),
  substitutes: () => import('../substitutes/substitutes.tsx'),
  'desks-report': () => import('../team/desks-report.tsx'),
  report: () => import('../report/report.tsx'),
  case: () => import('../case/case.tsx'),
  'case-desk': () => import('../task/case-desk.tsx'),
  cases: () => import('../cases/cases.tsx'),
  start: () => import('../start/start.tsx'),
  register: () => import('../register/register.tsx'),
  registers: () => import('../register/registers-page.tsx'),
  'register-item': () => import('../register/register-item.tsx'),
  'register-import': () => import('../register/import.tsx'),
  'working-calendar': () => import('../register/working-calendar.tsx'),
  people: () => import('../people/people-page.tsx'),
  'people-import': () => import('../people/import-page.tsx'),
  person: () => import('../people/person-page.tsx'),
  groups: () => import('../people/groups-page.tsx'),
  group: () => import('../people/group-page.tsx'),
  posts: () => import('../people/posts-page.tsx'),
  post: () => import('../people/post-page.tsx'),
  studio: () => import('../studio/library.tsx'),
  'studio-flow': () => import('../studio/flow.tsx'),
  'studio-draft': () => import('../studio/draft.tsx'),
  'studio-compare': () => import('../studio/compare.tsx'),
  'studio-heat': () => import('../studio/heat.tsx'),
  'studio-migrate': () => import('../studio/migrate.tsx'),
  audit: () => import('../audit/console.tsx'),
  'audit-case': () => import('../audit/case.tsx'),
  operations: () => import('../operations/operations.tsx'),
  mailbox: () => import('../mailbox/mailbox.tsx'),
  account: () => import('../account/account.tsx'),
  home: () => import('../home/home.tsx'),
  signin: () => import('../session/sign-in.tsx'),
  'sign-up': () => import('../session/sign-up.tsx'),
  'create-account': () => import('../session/create-account.tsx'),
  'forgot-password': () => import('../session/forgot-password.tsx'),
  'set-password': () => import('../session/set-password.tsx'),
  'confirm-email': () => import('../session/confirm-email.tsx'),
  'confirm-booking': () => import('../tracking/confirm-booking.tsx'),
  track: () => import('../tracking/track.tsx'),
  verify: () => import('../verify/verify.tsx'),
  decide: () => import('../decide/decide.tsx'),
  'not-found': () => import('../session/not-found.tsx'),
  'not-built': () => import('../session/not-built.tsx'),
}

const bespoke = import.meta.glob<{ default: ComponentType<PageProps> }>('../../*/*.tsx')

const made = new Map<string, ComponentType<PageProps>>()

const loaderOf = (name: string): Loader | undefined => generic[name] ?? bespoke[`../../${name}.tsx`]

/** Begins to load a page, while its words are still on their way. */
export function beginPage(name: string): void {
  // What fails here fails again where the page is shown, and is told there.
  loaderOf(name)?.().catch(() => undefined)
}

/** The component of a screen's `page`: one of platform's, or `<area>/<component>` for an area's own. Each is its own chunk. */
export function pageOf(name: string): ComponentType<PageProps> | undefined {
  const known = made.get(name)
  if (known) return known
  const loader = loaderOf(name)
  if (!loader) return undefined
  const page = lazy(loader)
  made.set(name, page)
  return page
}
