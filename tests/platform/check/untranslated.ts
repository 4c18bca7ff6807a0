import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { placeholderTitles, type Placeholders } from '../../../forms/platform/placeholders.ts'

type Counts = Record<string, number>

/** The number of texts per area that may be in English only; a new translation lowers it. */
const file = 'tests/platform/check/untranslated.json'

/** How many texts of each area Sinhala and Tamil readers see in English, both languages together. */
function untranslated(root: string): Counts {
  const read = <T>(path: string): T => JSON.parse(readFileSync(join(root, path), 'utf8')) as T
  const lacking = (english: object, others: object[]) =>
    others.reduce((sum, other) => sum + Object.keys(english).filter((key) => !Object.hasOwn(other, key)).length, 0)
  const counts: Counts = {}
  for (const path of globSync('forms/*/texts{,.staff}.en.json', { cwd: root }).toSorted()) {
    const area = path.split('/')[1]!
    const others = ['si', 'ta'].map((language) => path.replace(/en\.json$/, `${language}.json`))
    const texts = others.map((one) => (existsSync(join(root, one)) ? read<object>(one) : {}))
    counts[area] = (counts[area] ?? 0) + lacking(read(path), texts)
  }
  const placeholders = read<Placeholders>('forms/platform/placeholders.json')
  counts['placeholders'] = lacking(
    placeholderTitles(placeholders, 'en'),
    (['si', 'ta'] as const).map((language) => placeholderTitles(placeholders, language)),
  )
  return counts
}

/** One sentence for each Sinhala or Tamil text without an English one: nothing shows it. */
function stale(root: string): string[] {
  const keysOf = (path: string) => Object.keys(JSON.parse(readFileSync(join(root, path), 'utf8')) as object)
  return globSync('forms/*/texts{,.staff}.{si,ta}.json', { cwd: root })
    .toSorted()
    .flatMap((path) => {
      const english = new Set(keysOf(path.replace(/(si|ta)\.json$/, 'en.json')))
      const gone = keysOf(path).filter((key) => !english.has(key))
      return gone.map((key) => `${path}: ${key} has no English text beside it: delete it`)
    })
}

/**
 * One sentence for each area in which more texts fall back to English than before, and for each stale text; prints the
 * counts.
 */
export function checkUntranslated(root: string): string[] {
  const counts = untranslated(root)
  const allowed = JSON.parse(readFileSync(join(root, file), 'utf8')) as Counts
  const some = Object.entries(counts).filter(([, count]) => count > 0)
  const told = some.map(([area, count]) => `${area} ${count}`).join(', ')
  console.log(`  untranslated texts, Sinhala and Tamil together: ${told || 'none'}`)
  const more = Object.entries(counts).flatMap(([area, count]) => {
    const most = allowed[area] ?? 0
    const texts = area === 'placeholders' ? 'forms/platform/placeholders.json' : `forms/${area}/texts*`
    return count > most
      ? [`${area} has ${count} texts without Sinhala or Tamil, ${most} are allowed: translate what is new in ${texts}`]
      : count < most
        ? [`${area} has ${count} texts without Sinhala or Tamil: lower its ${most} in ${file}`]
        : []
  })
  return [...more, ...stale(root)]
}
