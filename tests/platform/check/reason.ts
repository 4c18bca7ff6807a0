import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { UnusableFile } from '../../../api/platform/flows/library.ts'

/**
 * Why something could not be read, in one line: which file is missing or broken, and what to do where that is known. Any
 * other error is a fault of the check itself and is told with its stack.
 */
export function reasonOf(error: unknown, root: string): string {
  const { code, path, url, cause, stack } = error as NodeJS.ErrnoException & { url?: string; cause?: Error }
  const missing = code === 'ENOENT' ? path : code === 'ERR_MODULE_NOT_FOUND' && url ? fileURLToPath(url) : undefined
  if (missing !== undefined) {
    const advice = /\.generated\.\w+$/.test(missing) ? ': run npm run generate' : ''
    return `${relative(root, missing)} is missing${advice}`
  }
  if (!(error instanceof UnusableFile)) return stack ?? String(error)
  if (cause && 'code' in cause) return reasonOf(cause, root)
  const said = error.message.replaceAll(`${root}/`, '')
  return cause ? `${said}: ${cause.message.replace(/\s*\n\s*/g, ' ')}` : said
}
