import { dependencyRules } from './wiring/dependencies.ts'
import { flowRules } from './wiring/flows.ts'
import { peopleRules } from './wiring/people.ts'
import type { Product } from './wiring/product.ts'
import { registerRules } from './wiring/registers.ts'
import { scenarioRules } from './wiring/scenarios.ts'
import { screenRules } from './wiring/screens.ts'
import { topicRules } from './wiring/topics.ts'
import { wordRules } from './wiring/words.ts'

/** The wiring rules by subject. */
export const wiring = {
  topics: topicRules,
  flows: flowRules,
  scenarios: scenarioRules,
  registers: registerRules,
  people: peopleRules,
  screens: screenRules,
  words: wordRules,
  dependencies: dependencyRules,
}

/** References that do not resolve, one line each: file, problem and remedy. */
export async function checkWiring(
  product: Product,
  areas = Object.keys(wiring) as (keyof typeof wiring)[],
): Promise<string[]> {
  const lines = await Promise.all(areas.flatMap((area) => wiring[area]).map(async (rule) => rule(product)))
  return [...new Set(lines.flat())]
}
