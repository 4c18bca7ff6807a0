/** The code of a paper that everybody can verify, if what was scanned is one, or the address of one. */
export const verifiableIn = (scanned: string): string | undefined =>
  /^(?:https?:\/\/\S+\/verify\/)?([0-9A-Za-z]{16,64})$/.exec(scanned)?.[1]
