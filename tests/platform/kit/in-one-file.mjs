import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const root = join(import.meta.dirname, '../../..')

/** The imports of tests from packages with hundreds of files. */
const names = {
  kysely: ['kysely', 'kysely/migration'],
  typebox: ['typebox', ...['compile', 'error', 'format', 'guard', 'schema', 'system', 'type', 'value'].map(of)],
}

function of(part) {
  return `typebox/${part}`
}

/**
 * Bundles packages with hundreds of files into a few, as jest's `moduleNameMapper`: jest reads, resolves and links
 * every file of a package again for each test file.
 */
export async function inOneFile() {
  const versions = Object.keys(names).map((name) => `${name}-${versionOf(name)}`)
  const folder = join(root, '.data/tests', versions.join('-'))
  const files = Object.fromEntries(
    Object.values(names)
      .flat()
      .map((name) => [name, `${name.replace('/', '-')}.mjs`]),
  )
  if (!existsSync(folder)) await putTogether(folder, files)
  return Object.fromEntries(Object.entries(files).map(([name, file]) => [`^${name}$`, join(folder, file)]))
}

const versionOf = (name) => JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')).version

/** Renamed only when complete: another run may read it meanwhile. */
async function putTogether(folder, files) {
  const making = `${folder}.${process.pid}`
  const entries = Object.entries(files).map(([name, file]) => [
    file.replace('.mjs', ''),
    fileURLToPath(import.meta.resolve(name)),
  ])
  await build({
    configFile: false,
    root,
    logLevel: 'error',
    build: {
      outDir: making,
      minify: false,
      target: 'esnext',
      lib: { entry: Object.fromEntries(entries), formats: ['es'], fileName: (_, name) => `${name}.mjs` },
      rolldownOptions: { external: [/^node:/], output: { chunkFileNames: '[name]-[hash].mjs' } },
    },
  })
  mkdirSync(dirname(folder), { recursive: true })
  if (existsSync(folder)) rmSync(making, { recursive: true })
  else renameSync(making, folder)
}
