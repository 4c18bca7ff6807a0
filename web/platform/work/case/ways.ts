import { answerQuestion, documentOf, doAct, withdrawCase } from '../../kernel/api/cases.ts'

/** What the requester does with a case: signed in, or with the secret of a case that is followed without an account. */
export interface Ways {
  act(name: string, data: unknown): Promise<void>
  withdraw(reason: string): Promise<void>
  document(id: string): Promise<Blob>
  /** Answers a question of a desk. */
  answer(question: string, words: string): Promise<void>
}

/** Of somebody who is signed in. */
export const signedInWays = (caseId: string): Ways => ({
  act: (name, data) => doAct(caseId, name, data),
  withdraw: (reason) => withdrawCase(caseId, reason),
  document: (id) => documentOf(caseId, id),
  answer: (question, words) => answerQuestion(caseId, question, words),
})
