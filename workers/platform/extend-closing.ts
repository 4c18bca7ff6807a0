import Type from 'typebox'
import { endOfDay } from '../../api/platform/kernel/colombo.ts'
import { lookUp } from '../../api/platform/model/definitions/named.ts'
import { worker } from './worker.ts'
import { saveCaseContent } from '../../api/platform/work/rows/cases.ts'
import { findAnyItem } from '../../api/platform/work/rows/items.ts'

/**
 * Checks whether the last day for requests is later than when the case began. If it is, `closesAt` becomes the end of
 * that day, and the texts for people say so.
 */
export default worker({
  input: Type.Object({ closesAt: Type.String({ format: 'date-time' }) }),
  output: Type.Object({ closesAt: Type.String({ format: 'date-time' }), extended: Type.Boolean() }),
  async run({ variables: { closesAt }, trx, library, submission, case: { id, flow, subject } }) {
    const manifest = library.flows.get(flow)?.manifest
    if (!manifest?.open) throw new Error(`${flow} has no last day`)
    const pointer = manifest.open.until
    const until = await lookUp(pointer, submission, (item) => findAnyItem(trx, item))
    if (typeof until !== 'string' || Date.parse(endOfDay(until)) <= Date.parse(closesAt))
      return { closesAt, extended: false }
    const names = Object.entries(manifest.subject ?? {}).flatMap(([name, told]) => (told === pointer ? [name] : []))
    await saveCaseContent(trx, id, {
      subject: { ...subject, ...Object.fromEntries(names.map((name) => [name, until])) },
    })
    return { closesAt: endOfDay(until), extended: true }
  },
})
