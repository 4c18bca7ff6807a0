/** A National Identity Card's number: nine digits and X or V, or twelve digits. The format `nic` of forms is this rule. */
export const NIC = /^(?:[0-9]{9}[xXvV]|[0-9]{12})$/

/** Whether this is the number of an identity card. */
export const isNic = (typed: unknown): typed is string => typeof typed === 'string' && NIC.test(typed)

/** The number as the registers keep it: `991234567v` and `991234567V` are one person's. */
export const tidyNic = (nic: string): string => nic.trim().toUpperCase()
