/** A diagram or a decision table as a downloadable file. */
export const modelFile = (xml: string) => new Blob([xml], { type: 'application/xml' })
