/** A diagram or a decision table as a file to keep. */
export const modelFile = (xml: string) => new Blob([xml], { type: 'application/xml' })
