import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { UnusableFile } from '../../../api/platform/model/library/library.ts'

/**
 * Why something could not be read, in one line: which file is missing or broken, and what to do if known. Any other
 * error is a fault of the check itself and is reported with its stack.
 */
export function reasonOf(error: unknown, root: string): string {
  if (error instanceof UnusableFile) return error.message.replaceAll(`${root}/`, '')
  const { code, url, stack } = error as NodeJS.ErrnoException & { url?: string }
  const file = code === 'ERR_MODULE_NOT_FOUND' && url ? relative(root, fileURLToPath(url)) : ''
  return file.includes('.generated.') ? `${file} is missing: run npm run generate` : (stack ?? String(error))
}
