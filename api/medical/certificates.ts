import type { Transaction } from 'kysely'
import type { DB } from '../platform/kernel/db/database.generated.ts'
import { findItemWith } from '../platform/work/rows/items.ts'

/** The register of issued certificates, which says who was unfit from when until when, and never why. */
export const CERTIFICATES = 'medical/certificate'

/** The document of a certificate. */
export const CERTIFICATE = 'medical/certificate'

/** The valid certificate of a case. */
export const findCertificate = (trx: Transaction<DB>, reference: string): Promise<string | undefined> =>
  findItemWith(trx, CERTIFICATES, { field: 'case_reference', value: reference, status: 'Valid' })
