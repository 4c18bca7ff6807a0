import type { Bench } from '../main.ts'
import { BIG, inboxRows, sizes, timed } from './inbox-rows.ts'
import { percentile, rounded, sized } from './results.ts'

const SAMPLES = sized(100, 2)
const ROUNDS = sized(4, 1)

/**
 * Ours: the first 50 tasks of the open queue, filtered by a field of the start form: by a rare value, and by one that
 * every third task has. Baseline: the same page without the filter. Both alternate, at the largest size.
 */
const bench: Bench = {
  title: 'inbox-filter: a page of 50 narrowed by a field of the form, against the same page without that',
  async run(say) {
    const rows = inboxRows(say)
    const times: Record<'plain' | 'rare' | 'frequent', number[]> = { plain: [], rare: [], frequent: [] }
    try {
      await rows.grow(sizes.at(-1)!)
      const heads = await Promise.all([1, 2].map(() => rows.head([BIG, 1, 2, 3])))
      const paths = {
        plain: '',
        rare: `&filter.resource=${rows.rare}`,
        frequent: `&filter.association_to_uni=${rows.frequent}`,
      }
      for (let round = 0; round <= ROUNDS; round += 1) {
        for (const name of ['plain', 'rare', 'frequent'] as const) {
          let turn = 0
          const page = () => heads[(turn += 1) % 2]!.get(`/api/tasks?queue=open&limit=50${paths[name]}`)
          const taken = await timed(page, SAMPLES)
          // The first round warms up.
          if (round > 0) times[name].push(...taken)
        }
        say(`round ${round}: plain p95 ${rounded(percentile(times.plain, 0.95))} ms`)
      }
    } finally {
      await rows.close()
    }
    const p95 = (name: keyof typeof times) => percentile(times[name], 0.95)
    return {
      figures: {
        ...Object.fromEntries(
          (['plain', 'rare', 'frequent'] as const).flatMap((name) => [
            [`${name} p50 ms`, rounded(percentile(times[name], 0.5))],
            [`${name} p95 ms`, rounded(p95(name))],
          ]),
        ),
        'rare to plain p95': rounded(p95('rare') / p95('plain')),
        'frequent to plain p95': rounded(p95('frequent') / p95('plain')),
      },
      promises: [
        { figure: 'rare to plain p95', atMost: 3 },
        { figure: 'frequent to plain p95', atMost: 3 },
      ],
    }
  },
}
export default bench
