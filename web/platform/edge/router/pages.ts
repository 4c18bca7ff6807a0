import { lazy, type ComponentType } from 'react'
import type { PageProps } from '../../kernel/screens/page.ts'

type Loader = () => Promise<{ default: ComponentType<PageProps> }>

const generic: Record<string, Loader> = {
  front: () => import('../../features/home/front.tsx'),
  inbox: () => import('../../work/inbox/inbox.tsx'),
  task: () => import('../../work/task/task.tsx'),
  team: () => import('../../features/team/team.tsx'),
  substitutes: () => import('../../people/substitutes/substitutes.tsx'),
  'desks-report': () => import('../../features/team/desks-report.tsx'),
  report: () => import('../../features/report/report.tsx'),
  case: () => import('../../work/case/case.tsx'),
  'case-desk': () => import('../../work/task/case-desk.tsx'),
  cases: () => import('../../work/case/cases.tsx'),
  'own-record': () => import('../../work/own-record/own-record.tsx'),
  start: () => import('../../work/start/start.tsx'),
  catalogue: () => import('../../work/start/catalogue.tsx'),
  'open-items': () => import('../../work/start/open-items.tsx'),
  apply: () => import('../../work/start/apply.tsx'),
  register: () => import('../../work/register/register.tsx'),
  registers: () => import('../../work/register/registers-page.tsx'),
  'register-item': () => import('../../work/register/register-item.tsx'),
  'register-import': () => import('../../work/register/import.tsx'),
  'own-run-lines': () => import('../../work/run/own-lines.tsx'),
  'working-calendar': () => import('../../work/register/working-calendar.tsx'),
  people: () => import('../../people/people/people-page.tsx'),
  'people-import': () => import('../../people/people/import-page.tsx'),
  person: () => import('../../people/people/person-page.tsx'),
  groups: () => import('../../people/people/groups-page.tsx'),
  group: () => import('../../people/people/group-page.tsx'),
  posts: () => import('../../people/people/posts-page.tsx'),
  post: () => import('../../people/people/post-page.tsx'),
  studio: () => import('../../features/studio/library.tsx'),
  'studio-flow': () => import('../../features/studio/flow.tsx'),
  'studio-draft': () => import('../../features/studio/draft.tsx'),
  'studio-compare': () => import('../../features/studio/compare.tsx'),
  'studio-heat': () => import('../../features/studio/heat.tsx'),
  'studio-migrate': () => import('../../features/studio/migrate.tsx'),
  audit: () => import('../../features/audit/console.tsx'),
  'audit-case': () => import('../../features/audit/case.tsx'),
  operations: () => import('../../features/operations/operations.tsx'),
  mailbox: () => import('../../features/mailbox/mailbox.tsx'),
  account: () => import('../../people/account/account.tsx'),
  home: () => import('../../features/home/home.tsx'),
  signin: () => import('../../people/session/sign-in.tsx'),
  'sign-up': () => import('../../people/session/sign-up.tsx'),
  'create-account': () => import('../../people/session/create-account.tsx'),
  'forgot-password': () => import('../../people/session/forgot-password.tsx'),
  'set-password': () => import('../../people/session/set-password.tsx'),
  'confirm-email': () => import('../../people/session/confirm-email.tsx'),
  'confirm-booking': () => import('../../features/tracking/confirm-booking.tsx'),
  track: () => import('../../features/tracking/track.tsx'),
  verify: () => import('../../features/verify/verify.tsx'),
  answer: () => import('../../features/answer/answer.tsx'),
  decide: () => import('../../features/decide/decide.tsx'),
  'not-found': () => import('../../people/session/not-found.tsx'),
  'not-built': () => import('../../people/session/not-built.tsx'),
}

const bespoke = import.meta.glob<{ default: ComponentType<PageProps> }>('../../../*/*.tsx')

const made = new Map<string, ComponentType<PageProps>>()

const loaderOf = (name: string): Loader | undefined => generic[name] ?? bespoke[`../../../${name}.tsx`]

/** Loads a page while its texts still load; it then renders at once. An error occurs again, and is shown, then. */
export async function beginPage(name: string): Promise<void> {
  const page = await loaderOf(name)?.().catch(() => undefined)
  if (page && !made.has(name)) made.set(name, page.default)
}

/**
 * The component of a screen's `page`: a platform page, or `<area>/<component>` for an area's own. Each is its own
 * chunk.
 */
export function pageOf(name: string): ComponentType<PageProps> | undefined {
  const known = made.get(name)
  if (known) return known
  const loader = loaderOf(name)
  if (!loader) return undefined
  const page = lazy(loader)
  made.set(name, page)
  return page
}
