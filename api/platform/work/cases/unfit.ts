import { type Library } from '../../model/library/library.ts'
import type { Manifest } from '../../model/definitions/manifest.ts'
import { at } from '../../model/definitions/register.ts'
import { readable } from '../../model/library/readable.ts'
import type { wordsOf } from '../../model/library/words.ts'
import { expected } from './requester.ts'
import type { FindItem, NamedItem, NamedItems } from '../../model/definitions/named.ts'

/** Something that people cannot ask for, and why. */
export interface Unfit {
  id: string
  title: string
  reason: string
}

type Words = ReturnType<typeof wordsOf>
type Language = Parameters<typeof readable>[1]

/** What opens later, and on which day. */
export function opensLater({ id, title }: NamedItem, from: string, words: Words, language: Language): Unfit {
  return { id, title, reason: words.text('platform.not-open-yet', readable({ from }, language)) }
}

/** What is for others: the values that an entry of its requester must have, and this one has not. */
export async function forOthers(
  { id, title }: NamedItem,
  asked: { manifest: Manifest; data: unknown; named: NamedItems; entry: NamedItem },
  { library, words, find }: { library: Library; words: Words; find: FindItem },
): Promise<Unfit> {
  const { manifest, data, named, entry } = asked
  const fields = library.registers.get(manifest.requester?.register ?? '')?.item.properties ?? {}
  const unmet = [...(await expected(manifest, data, named, find))].filter(
    ([pointer, value]) => at(entry.data, pointer) !== value,
  )
  const told = await Promise.all(
    unmet.map(async ([pointer, value]) => {
      const label = words.text(String(fields[pointer.slice(1)]?.title ?? pointer))
      const item = typeof value === 'string' ? await find(value) : undefined
      return `${label}: ${item?.title ?? String(value)}`
    }),
  )
  return { id, title, reason: words.text('platform.start.only-for', { who: told.join(', ') }) }
}
