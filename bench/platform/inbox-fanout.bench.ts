import type { Bench } from '../main.ts'
import { BIG, inboxRows, sizes, timed } from './inbox-rows.ts'
import { percentile, rounded, sized } from './results.ts'

const SAMPLES = sized(100, 2)
const ROUNDS = sized(4, 1)
const FEW = [BIG, 1, 2, 3, 4]
const MANY = [BIG, ...Array.from({ length: 199 }, (_, n) => n + 1)]

/**
 * Ours: the first 50 tasks of the open queue and the counts of all queues, for somebody who heads 200 departments.
 * Baseline: the same for somebody who heads five of them. Both alternate, at the largest size.
 */
const bench: Bench = {
  title: 'inbox-fanout: a page of 50 and the counts for a person in 200 roles, against one in 5',
  async run(say) {
    const rows = inboxRows(say)
    const times: Record<string, number[]> = { 'few page': [], 'few counts': [], 'many page': [], 'many counts': [] }
    try {
      await rows.grow(sizes.at(-1)!)
      const [few, many] = [await rows.head(FEW), await rows.head(MANY)]
      for (let round = 0; round <= ROUNDS; round += 1) {
        for (const [name, head] of Object.entries({ few, many })) {
          const page = await timed(() => head.get('/api/tasks?queue=open&limit=50'), SAMPLES)
          const counts = await timed(() => head.get('/api/tasks/count'), SAMPLES)
          // The first round warms up.
          if (round === 0) continue
          times[`${name} page`]!.push(...page)
          times[`${name} counts`]!.push(...counts)
        }
        say(`round ${round}: few p95 ${rounded(percentile(times['few page']!, 0.95))} ms`)
      }
    } finally {
      await rows.close()
    }
    const p95 = (name: string) => percentile(times[name]!, 0.95)
    return {
      figures: {
        ...Object.fromEntries(Object.keys(times).map((name) => [`${name} p95 ms`, rounded(p95(name))])),
        'many to few, page p95': rounded(p95('many page') / p95('few page')),
        'many to few, counts p95': rounded(p95('many counts') / p95('few counts')),
      },
      promises: [
        { figure: 'many to few, page p95', atMost: 4 },
        { figure: 'many to few, counts p95', atMost: 4 },
      ],
    }
  },
}
export default bench
