import Type from 'typebox'
import { LICENCES, isRenewed } from '../../api/vehicles/trips.ts'
import { known } from '../../api/platform/kernel/known.ts'
import { textAt } from '../../api/platform/model/definitions/register.ts'
import { getCaseContent } from '../../api/platform/work/rows/cases.ts'
import { worker } from '../platform/worker.ts'

/** Says whether a licence that ends soon has been renewed already. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({ renewed: Type.Boolean() }),
  async run({ trx, registers, case: { id } }) {
    const { facts } = await getCaseContent(trx, id)
    const licence = await registers.item(LICENCES, known(textAt(facts, '/licence'), 'the entry of the licence'))
    return { renewed: await isRenewed(trx, licence.data) }
  },
})
