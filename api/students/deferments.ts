/** The register of deferred academic years. */
export const DEFERMENTS = 'students/request-deferment'
