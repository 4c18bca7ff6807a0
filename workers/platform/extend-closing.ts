import Type from 'typebox'
import { endOfDay } from '../../api/platform/kernel/colombo.ts'
import { caseRepository } from '../../api/platform/work/rows/cases.ts'
import { itemRepository } from '../../api/platform/work/rows/items.ts'
import { lookUp } from '../../api/platform/work/cases/routing.ts'
import { worker } from './worker.ts'

/**
 * Looks whether the last day on which something can be asked for lies later than when the case began: then `closesAt` is
 * the end of that day, and what people read of it says so.
 */
export default worker({
  input: Type.Object({ closesAt: Type.String({ format: 'date-time' }) }),
  output: Type.Object({ closesAt: Type.String({ format: 'date-time' }), extended: Type.Boolean() }),
  async run({ variables: { closesAt }, trx, library, submission, case: { id, flow, subject } }) {
    const cases = caseRepository(trx)
    const manifest = library.flows.get(flow)?.manifest
    if (!manifest?.open) throw new Error(`${flow} has no last day`)
    const pointer = manifest.open.until
    const until = await lookUp(pointer, submission, itemRepository(trx).findAnyItem)
    if (typeof until !== 'string' || Date.parse(endOfDay(until)) <= Date.parse(closesAt))
      return { closesAt, extended: false }
    const names = Object.entries(manifest.subject ?? {}).flatMap(([name, told]) => (told === pointer ? [name] : []))
    await cases.say(id, { subject: { ...subject, ...Object.fromEntries(names.map((name) => [name, until])) } })
    return { closesAt: endOfDay(until), extended: true }
  },
})
