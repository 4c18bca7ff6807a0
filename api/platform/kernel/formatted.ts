import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type FormatConfig, format } from 'oxfmt'

const settings = join(resolve(import.meta.dirname, '../../..'), '.oxfmtrc.json')

/** A text formatted as `npm run check` wants it; the name of its file says the language. Throws if it does not parse. */
export async function formatted(file: string, text: string): Promise<string> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own file, which the formatter itself checks
  const { code, errors } = await format(file, text, JSON.parse(readFileSync(settings, 'utf8')) as FormatConfig)
  if (errors.length > 0) throw new Error(`${file} cannot be formatted: ${errors.map((one) => one.message).join('; ')}`)
  return code
}
