import type { GetDemo } from '../client/operations.generated.ts'
import { useRead } from './read.ts'

/** The people of the demonstration; undefined outside a demonstration. */
export const useDemo = (): GetDemo['answer'] | undefined => useRead<GetDemo['answer']>('/api/demo').data
