import { isDeepStrictEqual } from 'node:util'
import type { Transaction } from 'kysely'
import { dayInColombo } from '../../kernel/colombo.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Library } from '../../model/library/library.ts'
import type { Manifest } from '../../model/definitions/manifest.ts'
import { findOwnEntry } from '../../people/identity/accounts.ts'
import { getCaseContent, saveCaseContent } from '../rows/cases.ts'
import { isListed } from '../rows/listings.ts'

/** Per name of `listed` in the manifest, whether the requester's entry is listed in the present month. */
export async function findListed(
  trx: Transaction<DB>,
  { registers }: Pick<Library, 'registers'>,
  { manifest: { listed = {} }, requesterId, now }: { manifest: Manifest; requesterId: string; now: Date },
): Promise<Record<string, boolean>> {
  if (Object.keys(listed).length === 0) return {}
  const entry = await findOwnEntry(trx, requesterId)
  const month = dayInColombo(now.getTime()).slice(0, 7)
  const found: Record<string, boolean> = {}
  for (const [name, listing] of Object.entries(listed))
    found[name] = entry !== undefined && (await isListed(trx, listing, { person: entry.id, registers, month }))
  return found
}

/** Finds the same for a running case, which the caller has locked, and notes it as facts if it has changed. */
export async function noteListed(
  trx: Transaction<DB>,
  library: Pick<Library, 'registers'>,
  { manifest, caseId, ...asked }: { manifest: Manifest; caseId: string; requesterId: string; now: Date },
): Promise<Record<string, boolean>> {
  if (!manifest.listed) return {}
  const { facts } = await getCaseContent(trx, caseId)
  const listed = await findListed(trx, library, { manifest, ...asked })
  const noted = { ...facts, ...listed }
  if (!isDeepStrictEqual(noted, facts)) await saveCaseContent(trx, caseId, { facts: noted })
  return listed
}
