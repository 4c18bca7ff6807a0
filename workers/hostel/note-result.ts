import Type from 'typebox'
import { dayAway, dayInColombo, endOfDay } from '../../api/platform/kernel/colombo.ts'
import { known } from '../../api/platform/kernel/known.ts'
import { textAt } from '../../api/platform/model/definitions/register.ts'
import { worker } from '../platform/worker.ts'

const points = Type.Integer({ minimum: 0, maximum: 100 })

/** Notes whether the student is eligible, why, the points of each criterion with their sum, and the days to appeal. */
export default worker({
  input: Type.Object({
    eligibility: Type.String(),
    special_accepted: Type.Boolean(),
    distancePoints: points,
    incomePoints: points,
    priorityPoints: points,
  }),
  output: Type.Object({ eligible: Type.Boolean(), appealEnds: Type.String({ format: 'date-time' }) }),
  async run({ registers, variables, submission, submissions, facts, now }) {
    const { eligibility, special_accepted: special, distancePoints, incomePoints, priorityPoints } = variables
    const id = known(textAt(submission, '/intake'), 'the intake')
    // A change that nobody has approved yet does not count; what was certified before this field has what it got then.
    const { data } = await registers.item('hostel/intake', id)
    const certified = await registers.certified('hostel/intake', id)
    const days = Number(certified?.['appeal_days'] ?? data['appeal_days'])
    const last = dayAway(dayInColombo(now), days)
    await facts({
      ...{ eligibility, special, appealUntil: days > 0 ? last : null },
      points: distancePoints + incomePoints + priorityPoints,
      pointsDistance: distancePoints,
      pointsIncome: incomePoints,
      pointsPriority: priorityPoints,
      appealed: submissions.some(({ formKey }) => formKey === 'hostel/appeal-decision'),
    })
    return { eligible: eligibility.startsWith('Eligible'), appealEnds: endOfDay(last) }
  },
})
