import Type from 'typebox'
import { LICENCES, isRenewed } from '../../api/vehicles/trips.ts'
import { known } from '../../api/platform/kernel/known.ts'
import { textAt } from '../../api/platform/model/definitions/register.ts'
import { getCaseContent } from '../../api/platform/work/rows/cases.ts'
import { worker } from '../platform/worker.ts'

/** Ends a licence: its last day is over, or it was cancelled. Says whether a later one is in force. */
export default worker({
  input: Type.Object({ becomes: Type.Union([Type.Literal('expired'), Type.Literal('cancel')]) }),
  output: Type.Object({ renewed: Type.Boolean() }),
  async run({ trx, registers, variables: { becomes }, case: { id } }) {
    const { facts } = await getCaseContent(trx, id)
    const licence = await registers.lock(LICENCES, known(textAt(facts, '/licence'), 'the entry of the licence'))
    if (licence.status === 'Active') await registers.setStatus(licence, becomes, null)
    return { renewed: await isRenewed(trx, licence.data) }
  },
})
