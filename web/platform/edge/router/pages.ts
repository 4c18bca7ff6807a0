import { lazy, type ComponentType } from 'react'
import type { PageProps } from '../../kernel/screens/page.ts'
import { loaderOf } from './page-loaders.ts'

const made = new Map<string, ComponentType<PageProps>>()

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
