import useSWR from 'swr'
import { type Problem, request } from '../client/client.ts'
import type { VerifyDocument } from '../client/operations.generated.ts'

/** An issued document, as people who have its code see it. */
export type VerifiedDocument = VerifyDocument['answer']

/** The answer is in the page's language, so the language is part of the key. */
export const useVerifiedDocument = (code: string | undefined, language: string) =>
  useSWR<VerifiedDocument, Problem>(
    code ? ['/api/public/documents', code, language] : null,
    ([path, wanted]: [string, string, string]) =>
      request<VerifiedDocument>('GET', `${path}/${encodeURIComponent(wanted)}`),
  )
