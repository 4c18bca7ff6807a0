/** The permission group whose roles read the audit. */
export const AUDITORS = 'AuditView'

/** The role that heads the internal audit: keeps checkpoints elsewhere, and is the second pair of eyes where details are erased. */
export const CHIEF_AUDITOR = 'Deputy Internal Auditor'
