import Type from 'typebox'
import { worker } from '../platform/worker.ts'

const points = Type.Integer({ minimum: 0, maximum: 100 })

/** Notes whether the student is eligible, why, and the points of each criterion with their sum. */
export default worker({
  input: Type.Object({
    eligibility: Type.String(),
    special_accepted: Type.Boolean(),
    distancePoints: points,
    incomePoints: points,
    priorityPoints: points,
  }),
  output: Type.Object({ eligible: Type.Boolean() }),
  async run({ variables, submissions, facts }) {
    const { eligibility, special_accepted: special, distancePoints, incomePoints, priorityPoints } = variables
    await facts({
      ...{ eligibility, special },
      points: distancePoints + incomePoints + priorityPoints,
      pointsDistance: distancePoints,
      pointsIncome: incomePoints,
      pointsPriority: priorityPoints,
      appealed: submissions.some(({ formKey }) => formKey === 'hostel/appeal-decision'),
    })
    return { eligible: eligibility.startsWith('Eligible') }
  },
})
