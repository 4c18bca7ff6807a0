import { movesAtRandom } from '../../tests/medical/random-stock.ts'
import { freshDatabase } from '../../tests/platform/kit/database.ts'
import { anAccount } from '../../tests/platform/kit/rows.ts'
import type { Bench } from '../main.ts'
import { rounded, sized } from '../platform/results.ts'

const OPERATIONS = sized(100_000, 500)

/** Random movements of units against a model that holds what each batch must have. */
const bench: Bench = {
  title: `stock: ${OPERATIONS} random movements, against a model of what each batch holds`,
  async run() {
    const database = await freshDatabase()
    try {
      const [one, another] = [await anAccount(database.owner.db), await anAccount(database.owner.db)]
      const began = performance.now()
      const { operations, ...found } = await movesAtRandom({ owner: database.owner, one, another }, OPERATIONS)
      return {
        figures: {
          operations,
          ...found,
          'movements a second': rounded((operations * 1000) / (performance.now() - began)),
        },
        promises: [
          { figure: 'operations', atLeast: OPERATIONS },
          { figure: 'refused', atLeast: 60 },
          { figure: 'accepted', atMost: 0 },
          { figure: 'differing', atMost: 0 },
        ],
      }
    } finally {
      await database.drop()
    }
  },
}

export default bench
