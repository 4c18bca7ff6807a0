import { decodeNic } from '../../forms/platform/nic.ts'
import { known } from '../platform/kernel/known.ts'
import { checkedAs } from '../platform/model/forms/checked-as.ts'
import type { FieldError } from '../platform/kernel/errors.ts'
import type { RuleInput, Rules } from '../platform/model/deployed/rules.ts'

interface Application {
  nic: string
  programmes: { programme: string }[]
  other_subjects?: { subject: string }[]
}

interface Test {
  programmes: { name: string }[]
  fee: number
}

const applicationIn = ({ data }: RuleInput) => checkedAs<Application>(data)

const testIn = ({ items }: RuleInput) => checkedAs<Test>(known(items.get('/test'), 'the test').data)

const tidy = (name: string) => name.trim().toLowerCase()

/** The places of texts that stand in a list before. */
function repeated(list: readonly string[]): number[] {
  const all = list.map(tidy)
  return all.flatMap((one, at) => (all.indexOf(one) < at ? [at] : []))
}

const rules: Rules = {
  check(input) {
    const { nic, programmes, other_subjects: others = [] } = applicationIn(input)
    const offered = testIn(input).programmes.map(({ name }) => name)
    const wrong: FieldError[] = []
    if (!decodeNic(nic)) wrong.push({ field: '/nic', code: 'aptitude-tests.nic-impossible' })
    for (const [at, { programme }] of programmes.entries())
      if (!offered.includes(programme))
        wrong.push({ field: `/programmes/${at}/programme`, code: 'aptitude-tests.programme-unknown' })
    for (const at of repeated(programmes.map(({ programme }) => programme)))
      wrong.push({ field: `/programmes/${at}/programme`, code: 'aptitude-tests.subject-twice' })
    for (const at of repeated(others.map(({ subject }) => subject)))
      wrong.push({ field: `/other_subjects/${at}/subject`, code: 'aptitude-tests.subject-twice' })
    return wrong
  },

  derive(input) {
    const { nic, programmes } = applicationIn(input)
    const { bornOn, sex } = known(decodeNic(nic), 'what the NIC says')
    return {
      facts: {
        programmes: programmes.map(({ programme }) => programme).join('; '),
        toPay: testIn(input).fee * programmes.length,
        bornOn,
        sex,
      },
      variables: { bookerConfirmed: input.requester.confirmed },
    }
  },
}

export default rules
