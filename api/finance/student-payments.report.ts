import type { Report } from '../platform/model/definitions/report.ts'
import { listStudentPayments } from '../platform/work/rows/student-payments.ts'

const text = (value: string | number | undefined) => (value === undefined ? null : String(value))

const report: Report = {
  async rows({ db, flows: all, titleOf, filter, limit }) {
    const paying = [...all].map(([flow, { manifest }]) => ({ flow, by: manifest.paysWith }))
    const flows = paying.flatMap(({ flow, by }) => (by === 'requester' ? [flow] : []))
    const payees = paying.flatMap(({ flow, by }) => (typeof by === 'object' ? [{ flow, ...by }] : []))
    const { student, from, until } = filter
    const asked = {
      student: text(student),
      from: text(from),
      until: text(until),
      reference: text(filter['reference']),
    }
    const rows = await listStudentPayments(db, { ...asked, flows, payees, limit })
    return rows.map(({ caseId, reference, flow, subject, state, ...row }) => ({
      ...row,
      reference: { id: caseId, text: reference },
      purpose: titleOf(flow, subject),
      state: `finance.payments.state.${state}`,
    }))
  },
}

export default report
