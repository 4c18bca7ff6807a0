import { usePages } from './read.ts'
import type { Mail } from '../client/types.ts'

/** The emails of the signed-in person, in a demonstration without a mail server. */
export const useMailbox = () => usePages<Mail>('/api/mailbox')
