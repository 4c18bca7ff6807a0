import { known } from './known.ts'

/** A stored text as the member of a list that it is; the database permits no other. */
export function oneOf<T extends string>(members: readonly T[], text: string): T {
  return known(
    members.find((member) => member === text),
    `${text} among ${members.join(', ')}`,
  )
}
