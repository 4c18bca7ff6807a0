import Type from 'typebox'
import { worker } from '../platform/worker.ts'
import { releaseDocuments } from './release-documents.ts'
import { releaseUnused } from './release-seats.ts'

/** Of a registration that ends without one: its documents wait for an upload again, and its places are given back. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  async run(context) {
    await releaseDocuments(context)
    await releaseUnused(context)
    return {}
  },
})
