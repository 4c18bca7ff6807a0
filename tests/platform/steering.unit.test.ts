import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { artifact } from '../../api/platform/model/definitions/artifact.ts'
import { type Flow, loadLibrary } from '../../api/platform/model/library/library.ts'
import { problemsOf, steeredIn, undecidedIn } from '../../api/platform/model/bpmn/checking/repository-models.ts'

const library = loadLibrary(join(import.meta.dirname, '../..'))
const booking = library.flows.get('resource-reservation/resource-booking')!
const DESKS = 'resource-reservation/booking-desks.dmn'

/** The flow with other text in its diagram or in one of its tables. */
function changed(flow: Flow, file: string, from: string | RegExp, to: string): Flow {
  const other = (content: string) => {
    const made = content.replace(from, to)
    expect(made).not.toBe(content)
    return made
  }
  if (file === 'bpmn') return { ...flow, bpmn: artifact('bpmn', flow.bpmn.key, other(flow.bpmn.content)) }
  const dmn = flow.dmn.map((one) => (one.key === file ? artifact('dmn', one.key, other(one.content)) : one))
  return { ...flow, dmn }
}

const reasons = async (flow: Flow) => (await problemsOf(flow, library)).map(({ reason }) => reason)
/** The booking with another default row than the whole chain. */
const byDefault = (output: string) =>
  changed(booking, DESKS, /(?<=<outputEntry id="default_desks"[^>]*><text>)[^<]*/, output)
/** The same without a floor: then two owners may confirm that nobody decides. */
const withoutFloor = ({ manifest: { floor: _floor, ...manifest }, ...flow }: Flow): Flow => ({ ...flow, manifest })

const choice = 'it asks for “AR”, “HOD”, “MA”, “Registrar”, “VC”, “recommender”, and “nobody” is written for no desk'
const fourth = '“Desks of a booking”, row 4, Desks: '

describe('an output that routes a case is one that the diagram asks for', () => {
  test.each([
    ['a desk that there is not', '"Gardener"', 'the diagram does not ask for “Gardener”'],
    ['one among others', '"HOD, Gardener"', 'the diagram does not ask for “Gardener”'],
    ['a desk in other letters', '"hod"', 'the diagram does not ask for “hod”'],
    ['a desk within a longer word', '"HODs"', 'the diagram does not ask for “HODs”'],
    ['another separator', '"HOD; MA"', 'the diagram does not ask for “HOD; MA”'],
    ['a comma too much', '"HOD,"', 'a name is missing in “HOD,”'],
    ['no name', '""', 'a name is missing in “”'],
    ['nobody beside somebody', '"nobody, HOD"', 'the diagram does not ask for “nobody”'],
    ['what another variable says', 'lastWord', 'lastWord is no fixed text of those that the diagram asks for'],
    ['a number', '7', '7 is no fixed text of those that the diagram asks for'],
  ])('%s is refused with row and column', async (_what, output, reason) => {
    expect(await reasons(byDefault(output))).toEqual([`${fourth}${reason}; ${choice}`])
  })

  test('spaces do not matter, nor does the order', async () => {
    expect(await reasons(byDefault('"VC ,HOD,  MA"'))).toEqual([])
  })

  test('the diagram decides: an output it no longer asks for is refused in the table', async () => {
    const found = await reasons(changed(booking, 'bpmn', 'contains(desks, "HOD")', 'contains(desks, "Head")'))
    expect(found).toEqual(
      expect.arrayContaining([expect.stringContaining('row 4, Desks: the diagram does not ask for “HOD”')]),
    )
  })

  test('the studio shows it beside the table, at its row', async () => {
    expect(await steeredIn(byDefault('"Gardener"'), library)).toEqual([
      expect.objectContaining({ rule: 'rule_default', words: expect.stringContaining('“Gardener”') }),
    ])
  })
})

describe('a case does not bypass the decision that its flow requires', () => {
  const reaches = 'a case comes to “Confirm the slot” though nobody has decided as the flow needs it'

  test('by a row without a decision', async () => {
    expect(await reasons(byDefault('"nobody"'))).toEqual([`${fourth}with “nobody” ${reaches}`])
  })

  test('by inputs without a row', async () => {
    const gap = changed(booking, DESKS, /<rule id="rule_default">[^]*?<\/rule>/, '')
    expect(await reasons(gap)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(`^“Desks of a booking”: No row applies where .*, and then ${reaches}`),
      ]),
    )
  })

  test('by a diagram without a deciding desk, though no table routes it', async () => {
    const renewal = library.flows.get('year-renewals/year-renewal')!
    const found = await reasons(changed(renewal, 'bpmn', /renewal-approval/g, 'year-update'))
    expect(found).toContain('a case comes here though nobody has decided as the flow needs it')
  })

  test('unless a gateway asks whether a desk has answered', async () => {
    const request = library.flows.get('students/student-request')!
    expect(await reasons(request)).toEqual([])
    const asksOne = changed(request, 'bpmn', 'userTask_approveRequestByHead_outcome = "approve" or ', '')
    expect(await reasons(asksOne)).toEqual([])
    const asksNothing = changed(
      request,
      'bpmn',
      'userTask_approveRequestByHead_outcome = "approve" or ',
      'byHead = false or ',
    )
    expect(await reasons(asksNothing)).toContain('a case comes here though nobody has decided as the flow needs it')
  })

  test('a desk outside the agreement may have answered before a correction', async () => {
    const request = library.flows.get('students/student-request')!
    const { userTask_approveRequestByHead: _head, ...by } = request.manifest.agreement!.by
    const agreement = { ...request.manifest.agreement!, by }
    expect(await reasons({ ...request, manifest: { ...request.manifest, agreement } })).toContain(
      'a case comes here though nobody has decided as the flow needs it',
    )
  })

  test('and may if somebody else decides later', async () => {
    const vouchers = library.flows.get('vouchers/payment-voucher')!
    const nobody = changed(vouchers, 'vouchers/voucher-desks.dmn', '"Registrar approves"', '"nobody"')
    expect([await reasons(nobody), await undecidedIn(nobody, library)]).toEqual([[], []])
  })

  test('and the requirement names existing topics, forms and answers', async () => {
    const floor = [{ before: ['resource-reservation.dance'], decided: { 'resource-reservation/refund': ['approve'] } }]
    expect(await reasons({ ...booking, manifest: { ...booking.manifest, floor } })).toEqual(
      expect.arrayContaining([
        'there is no topic resource-reservation.dance (floor)',
        'resource-reservation/refund has no outcome approve (floor)',
      ]),
    )
  })
})

describe('if the flow requires no decision', () => {
  test('a row that needs no decision requires two owners, and says so in words', async () => {
    const nobody = withoutFloor(byDefault('"nobody"'))
    expect(await reasons(nobody)).toEqual([])
    expect(await undecidedIn(nobody, library)).toEqual([
      { element: 'businessRuleTask_bookingDesks', reason: `${fourth}with “nobody” nobody decides on the case` },
    ])
    expect(await undecidedIn(withoutFloor(booking), library)).toEqual([])
  })

  test('a gap is still refused, because nobody declared it deliberate', async () => {
    const gap = withoutFloor(changed(booking, DESKS, /<rule id="rule_default">[^]*?<\/rule>/, ''))
    expect(await reasons(gap)).toEqual(
      expect.arrayContaining([expect.stringContaining('and then nobody decides on the case; add a row for it')]),
    )
  })
})
