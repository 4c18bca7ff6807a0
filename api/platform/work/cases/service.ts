import { actOnCase } from './act.ts'
import { beginForGuest } from './begin-for-guest.ts'
import { beginForEntry, beginInBatch } from './begin-in-batch.ts'
import { deliverBegun } from './begin.ts'
import { type CasesContext, findCase } from './context.ts'
import { besideForm } from './beside.ts'
import { checkAnswer, checkKnown, correctCase } from './correction.ts'
import { earlierCases } from './earlier.ts'
import { givenByCase } from './linked.ts'
import { listCases } from './list.ts'
import { caseDocument, caseHistory, casePath, caseVariables, visibleCases } from './look-up.ts'
import { unavailableFor } from './picked.ts'
import { readCase } from './read.ts'
import { submitCases } from './submit-many.ts'
import { submitCase } from './submit.ts'
import { withdrawCase } from './withdraw.ts'

export type Cases = ReturnType<typeof casesService>

/**
 * Begins, withdraws and reads cases. A change and its command to the engine are one transaction, so an engine outage
 * rejects nothing.
 */
export function casesService({
  clock = () => new Date(),
  ...given
}: Omit<CasesContext, 'clock'> & Partial<Pick<CasesContext, 'clock'>>) {
  const context: CasesContext = { ...given, clock }
  const of =
    <Given extends unknown[], Answer>(useCase: (context: CasesContext, ...given: Given) => Answer) =>
    (...values: Given): Answer =>
      useCase(context, ...values)
  return {
    submit: of(submitCase),
    submitMany: of(submitCases),
    beginForGuest: of(beginForGuest),
    beginInBatch: of(beginInBatch),
    beginForEntry: of(beginForEntry),
    deliver: of(deliverBegun),
    unavailable: of(unavailableFor),
    beside: of(besideForm),
    withdraw: of(withdrawCase),
    act: of(actOnCase),
    get: of(readCase),
    list: of(listCases),
    checkAnswer: of(checkAnswer),
    checkKnown: of(checkKnown),
    correct: of(correctCase),
    history: of(caseHistory),
    earlier: of(earlierCases),
    given: of(givenByCase),
    document: of(caseDocument),
    path: of(casePath),
    variables: of(caseVariables),
    visible: of(visibleCases),
    /** Throws 404 for a case that this person may not see. */
    check: of(findCase),
  }
}
