import { answerQuestion, documentOf, doAct, withdrawCase } from '../../kernel/api/cases.ts'

/** The requester's acts on a case: signed in, or with the secret of a case tracked without an account. */
export interface Ways {
  act(name: string, data: unknown): Promise<void>
  withdraw(reason: string): Promise<void>
  document(id: string): Promise<Blob>
  answer(question: string, words: string): Promise<void>
}

/** For signed-in people. */
export const signedInWays = (caseId: string): Ways => ({
  act: (name, data) => doAct(caseId, name, data),
  withdraw: (reason) => withdrawCase(caseId, reason),
  document: (id) => documentOf(caseId, id),
  answer: (question, words) => answerQuestion(caseId, question, words),
})
