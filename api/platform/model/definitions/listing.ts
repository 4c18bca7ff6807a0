/** The entries in use of a register that each name a person's entry, for a period of months that may be open. */
export interface Listing {
  register: string
  /** The field that names the person's entry. */
  person: string
  /** First and last month, both included; of a day its month counts. */
  from?: string
  until?: string
}
