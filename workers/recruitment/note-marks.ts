import Type from 'typebox'
import { isObject } from '../../api/platform/kernel/objects.ts'
import { known } from '../../api/platform/kernel/known.ts'
import { worker } from '../platform/worker.ts'

/** Notes the average of the panel's marks, by which applicants for a vacancy are compared. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  async run({ facts, submissions }) {
    const sheet = submissions.findLast(({ formKey }) => formKey === 'recruitment/panel-marks')
    const rows: unknown = known(sheet, 'the marks of the panel').data['marks']
    const marks = Array.isArray(rows) ? rows.map((row) => Number(isObject(row) ? row['marks'] : Number.NaN)) : []
    const average = marks.reduce((sum, each) => sum + each, 0) / marks.length
    if (!Number.isFinite(average)) throw new Error('the panel has given no marks')
    await facts({ marks: Math.round(average * 10) / 10 })
    return {}
  },
})
