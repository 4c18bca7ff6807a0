import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Takes settings from `.env` in a folder, if there is one; what the environment sets already stays. */
export function readEnvFile(folder: string): void {
  const file = join(folder, '.env')
  if (existsSync(file)) process.loadEnvFile(file)
}
