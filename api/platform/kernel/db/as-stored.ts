import type { JsonObject } from './database.generated.ts'

/** A record as jsonb returns it: dates are texts, and members that are undefined are gone. */
export function asStored(record: object): JsonObject {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the JSON of a record is an object
  return JSON.parse(JSON.stringify(record)) as JsonObject
}
