import { known } from '../../known.ts'

/** Improves the message for decision table errors; others stay as they are. */
export function inWordsOfTables(message: string): string {
  return message.includes('evaluating decision')
    ? 'the table has no one answer to these values: more rows apply than it allows, or a cell cannot be compared with them'
    : message
}

/** Why an instance cannot migrate, for each of its open elements: `userTask_approve: nothing leads on from it`. */
export function inWordsOfMigration(message: string): string {
  const found = message.matchAll(/instance '([^':]+):[^']*':\n\s+([^\n]+)/g)
  const places = [...found].map(
    ([, element, failure]) => `${element}: ${describeFailure(known(failure, 'the failure'))}`,
  )
  return places.length > 0 ? [...new Set(places)].join('; ') : message
}

/** Operaton's messages about instructions, and ours. */
const failures: [RegExp, string][] = [
  [/no migration instruction for this instance's activity/, 'nothing leads on from it'],
  [/incompatible types/, 'the other element is of another kind'],
  [/^Source activity .* does not exist/, 'there is no such element in the version that they leave'],
  [/^Target activity .* does not exist/, 'there is no such element in the version that they move to'],
  [/event scope \((.+)\) must be mapped .* event scope \((.+)\)/, 'it is fixed to $1, which has to lead on to $2'],
  [
    /closest mapped ancestor '(.+)' is mapped to scope '(.+)' which is not an ancestor/,
    'it lies in $1, and what it leads to does not lie in $2',
  ],
]

/** The engine's objection to an instruction, in our words. */
export function describeFailure(failure: string): string {
  for (const [pattern, words] of failures) {
    const groups = pattern.exec(failure)
    if (groups) return words.replaceAll(/\$(\d)/g, (_, at: string) => groups[Number(at)] ?? '')
  }
  return failure
}
