import { hostileModels } from '../platform/fixtures/hostile-models.ts'
import { as } from '../platform/kit/people.ts'
import { until } from '../platform/kit/poll.ts'

/** Each name in the hostile models, and this flow's counterpart. */
const ownNames: readonly (readonly [string, string])[] = [
  ['id="loan"', 'id="resignation"'],
  ['bpmnElement="loan"', 'bpmnElement="resignation"'],
  ['"instruments/approval"', '"resignations/check"'],
  ['"instruments/request"', '"resignations/resignation"'],
  ['"instruments/answer"', '"resignations/resignation"'],
  ['"instruments.lend"', '"platform.issue-document"'],
  ['>instruments.mail.told<', '>resignations.mail.left<'],
  ['value="lent"', 'value="submitted"'],
  ['calledElement="loan"', 'calledElement="resignation"'],
  ['calledElement="inspection"', 'calledElement="resource-booking"'],
  ['${csv.list(value)}', '${csv.list(employeeKind)}'],
  ['<dmn:text>value</dmn:text>', '<dmn:text>employeeKind</dmn:text>'],
]

/** A test model or table with the names of this flow. */
export const asOurs = (text: string) => ownNames.reduce((made, [theirs, ours]) => made.replaceAll(theirs, ours), text)

/**
 * Every hostile model with the names of this flow; without the one for an unassigned role, because here all are
 * assigned.
 */
export const hostileHere = hostileModels
  .filter(({ given }) => !given?.held)
  .map(({ name, xml, element, reason, given }) => ({
    name,
    bpmn: asOurs(xml),
    dmn: (given?.decisions ?? []).map((table) => ({ key: 'resignations/rate.dmn', content: asOurs(table) })),
    element: element === 'loan' ? 'resignation' : element,
    reason: new RegExp(reason.source.replace('instruments\\/approval', 'resignations\\/check')),
  }))

/** Checks models as alternating owners, because of the limit per person and minute. */
export async function checksInTurn() {
  const owners = await Promise.all(['owner.flows', 'admin', 'sa'].map((name) => as(name)))
  let asked = 0
  return (body: unknown) =>
    until(
      'somebody may ask again',
      async () => {
        const owner = owners[asked++ % owners.length]!
        const answer = await owner.send('POST', '/api/studio/models/resignation/check', body)
        return answer.status !== 429 && answer
      },
      { seconds: 70 },
    )
}
