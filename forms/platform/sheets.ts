/** Maximum papers in one file: twenty sheets of ten cards. */
export const MAX_ON_SHEETS = 200
