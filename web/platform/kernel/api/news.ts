import type { ListNews } from '../client/operations.generated.ts'
import { useRead } from './read.ts'

/** What the start page tells, newest first. */
export const useNews = () => useRead<ListNews['answer']>('/api/news')
