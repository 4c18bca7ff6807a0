import useSWR from 'swr'
import { type Problem, request } from '../client/client.ts'
import type { VerifyDocument } from '../client/operations.generated.ts'

/** What an issued document is, as whoever has its code may know. */
export type VerifiedDocument = VerifyDocument['answer']

/** It speaks the language of the page, so each language is read by itself. */
export const useVerifiedDocument = (code: string | undefined, language: string) =>
  useSWR<VerifiedDocument, Problem>(code ? ['/api/public/documents', code, language] : null, () =>
    request<VerifiedDocument>('GET', `/api/public/documents/${encodeURIComponent(code!)}`),
  )
