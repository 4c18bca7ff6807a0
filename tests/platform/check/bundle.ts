import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

interface Chunk {
  file: string
  imports?: string[]
}

type Manifest = Record<string, Chunk>

/**
 * What each route loads before the page is idle, as keys of the build's manifest: the entry, the texts (of the largest
 * language), the shell and the page. Without what loads on a click (dialogs, calendar, diagram); the browser test
 * measures the same from network traffic.
 */
const words = (part: string) => `../virtual:words/ta${part}`
const shared = ['index.html', words(''), 'node_modules/antd/es/locale/ta_IN.js']
const routes = [
  {
    route: '/all_resoures',
    limit: 260,
    loads: [
      words('/open.resource-reservation'),
      'platform/edge/shell/public-shell.tsx',
      'resource-reservation/all-resources.tsx',
    ],
  },
  {
    route: '/public/home',
    limit: 260,
    loads: [
      words('/open.platform.home'),
      words('/open.public'),
      words('/open.resource-reservation'),
      'platform/edge/shell/public-shell.tsx',
      'platform/features/home/home.tsx',
    ],
  },
  {
    route: '/inbox',
    limit: 320,
    loads: [
      words('/staff.platform'),
      words('/menu'),
      'platform/kernel/screens/staff-screens.ts',
      'platform/edge/shell/staff-shell.tsx',
      'platform/work/inbox/inbox.tsx',
    ],
  },
]

/** Kilobytes of gzipped script that each measured route loads before it is idle. */
export function bundleSizes(root: string): { route: string; kilobytes: number; limit: number }[] {
  const dist = join(root, 'web/dist')
  const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Manifest
  const sizes = new Map<string, number>()
  const sizeOf = (file: string) => {
    const known = sizes.get(file) ?? gzipSync(readFileSync(join(dist, file))).length
    sizes.set(file, known)
    return known
  }
  return routes.map(({ route, limit, loads }) => {
    const files = new Set([...shared, ...loads].flatMap((key) => [...filesOf(manifest, key)]))
    const bytes = [...files].filter((file) => file.endsWith('.js')).reduce((sum, file) => sum + sizeOf(file), 0)
    return { route, kilobytes: Math.ceil(bytes / 1024), limit }
  })
}

/** One sentence for each route whose scripts exceed their limit. */
export function checkBundles(root: string): string[] {
  return bundleSizes(root)
    .filter(({ kilobytes, limit }) => kilobytes > limit)
    .map(
      ({ route, kilobytes, limit }) =>
        `${route} loads ${kilobytes} KB of script (gzip) before it is idle; at most ${limit} KB are allowed`,
    )
}

function filesOf(manifest: Manifest, key: string, seen = new Set<string>(), files = new Set<string>()): Set<string> {
  if (seen.has(key)) return files
  seen.add(key)
  // Packages may be in another folder than the build.
  const chunk = manifest[key] ?? manifest[Object.keys(manifest).find((one) => one.endsWith(`/${key}`)) ?? '']
  if (!chunk) throw new Error(`the build has no chunk for ${key}; the list of what routes load is out of date`)
  files.add(chunk.file)
  for (const each of chunk.imports ?? []) filesOf(manifest, each, seen, files)
  return files
}
