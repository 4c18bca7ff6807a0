import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { BASE, partOf } from './platform/kernel/texts/parts.ts'
import { known } from './platform/kernel/known.ts'
import { parsed } from './platform/kernel/client/json.ts'

type Words = Record<string, string>

const name = 'virtual:words'

/**
 * Serves the texts of `forms` in parts, so that a page loads only those it shows. `virtual:words/<language>` has the
 * texts of every page and loads the other parts, `virtual:words/<language>/<part>`. Missing translations are in
 * English, so one language is enough.
 */
export function words(forms: string): Plugin {
  return {
    name: 'words',
    resolveId: (id) => (id.startsWith(`${name}/`) ? id : undefined),
    load(id) {
      if (!id.startsWith(`${name}/`)) return null
      for (const file of globSync('*/{texts*,screens}.json', { cwd: forms })) this.addWatchFile(join(forms, file))
      const [, language, part = BASE] = id.split('/')
      const parts = partsOf(forms, known(language, 'the language of the texts'))
      const own = `export default ${JSON.stringify(parts.get(part))}`
      const others = [...parts.keys()].filter((one) => one !== BASE)
      const sources = others.map((one) => `'${one}': () => import('${id}/${one}')`)
      return { code: part === BASE ? `${own}\nexport const parts = {${sources.join()}}` : own, moduleType: 'js' }
    },
  }
}

/** The parts of all texts in a language; missing translations are in English. */
function partsOf(forms: string, language: string): Map<string, Words> {
  const parts = new Map<string, Words>()
  const put = (part: string, key: string, text: string) => {
    const held = parts.get(part) ?? {}
    held[key] = text
    parts.set(part, held)
  }
  const menu = new Set(
    globSync('*/screens.json', { cwd: forms })
      .flatMap((file) => read<{ title: string; menu?: { group: string } }[]>(join(forms, file)))
      .flatMap((screen) => (screen.menu ? [screen.title, screen.menu.group] : [])),
  )
  for (const file of globSync('*/texts{,.staff}.en.json', { cwd: forms }).toSorted()) {
    const path = join(forms, file)
    const staff = file.endsWith('.staff.en.json')
    const own = read<Words>(path.replace(/en\.json$/, `${language}.json`), {})
    for (const [key, english] of Object.entries(read<Words>(path))) {
      const part = partOf(key, staff ? 'staff' : 'open')
      if (part === undefined) continue
      const text = own[key] ?? english
      put(part, key, text)
      if (menu.has(key)) put('menu', key, text)
    }
  }
  return parts
}

function read<T>(path: string, otherwise?: T): T {
  if (otherwise !== undefined && !existsSync(path)) return otherwise
  return parsed<T>(readFileSync(path, 'utf8'))
}
