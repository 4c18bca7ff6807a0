/** The permission group whose roles read the audit trail. */
export const AUDITORS = 'AuditView'

/**
 * The role that heads internal audit: keeps checkpoints outside the system, and must confirm every erasure of details.
 */
export const CHIEF_AUDITOR = 'Deputy Internal Auditor'
