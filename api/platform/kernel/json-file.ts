import { readFileSync } from 'node:fs'

/** A JSON file as the type that its writer gives it: for files of the product, which nothing else writes. */
export function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(file, 'utf8'))
}
