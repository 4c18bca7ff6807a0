import { lazy, type ComponentType } from 'react'
import type { PageProps } from './page.ts'

type Loader = () => Promise<{ default: ComponentType<PageProps> }>

const generic: Record<string, Loader> = {
  front: () => import('../front/front.tsx'),
  inbox: () => import('../inbox/inbox.tsx'),
  task: () => import('../task/task.tsx'),
  case: () => import('../case/case.tsx'),
  cases: () => import('../cases/cases.tsx'),
  start: () => import('../start/start.tsx'),
  register: () => import('../register/register.tsx'),
  'register-item': () => import('../register/register-item.tsx'),
  mailbox: () => import('../mailbox/mailbox.tsx'),
  account: () => import('../account/account.tsx'),
  signin: () => import('../session/sign-in.tsx'),
  'not-found': () => import('../session/not-found.tsx'),
  'not-built': () => import('../session/not-built.tsx'),
}

const bespoke = import.meta.glob<{ default: ComponentType<PageProps> }>('../../*/*.tsx')

const made = new Map<string, ComponentType<PageProps>>()

/** The component of a screen's `page`: one of platform's, or `<area>/<component>` for an area's own. Each is its own chunk. */
export function pageOf(name: string): ComponentType<PageProps> | undefined {
  const known = made.get(name)
  if (known) return known
  const loader = generic[name] ?? bespoke[`../../${name}.tsx`]
  if (!loader) return undefined
  const page = lazy(loader)
  made.set(name, page)
  return page
}
