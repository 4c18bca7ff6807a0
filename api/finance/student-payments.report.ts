import type { Report } from '../platform/model/definitions/report.ts'
import { wordsOf } from '../platform/model/library/words.ts'
import { listStudentPayments } from '../platform/work/rows/student-payments.ts'

const text = (value: string | number | undefined) => (value === undefined ? null : String(value))

const report: Report = {
  async rows({ db, library, language, filter: { student, from, until }, limit }) {
    const words = wordsOf(library, language)
    const flows = [...library.flows].flatMap(([key, { manifest }]) => (manifest.paysWith === 'requester' ? [key] : []))
    const asked = { student: text(student), from: text(from), until: text(until) }
    const rows = await listStudentPayments(db, { ...asked, flows, limit })
    return rows.map(({ caseId, reference, flow, subject, state, ...row }) => {
      const manifest = library.flows.get(flow)?.manifest
      return {
        ...row,
        reference: { id: caseId, text: reference },
        purpose: manifest
          ? [...new Set([words.flowTitle(manifest), words.caseTitle(manifest, subject)])].join(': ')
          : flow,
        state: `finance.payments.state.${state}`,
      }
    })
  },
}

export default report
