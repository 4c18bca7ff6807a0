import { useState } from 'react'
import type { Me } from '../../platform/kernel/client/types.ts'
import { releaseHold, type Hold } from '../catalogue/resources.ts'
import { adoptDraft, draftOf, dropDraft, emptyDraft, keepDraft, visitor, type Draft } from './draft.ts'
import { slotOf, type Span } from './slot.ts'

export interface KeptDraft {
  draft: Draft
  change(part: Partial<Draft>): void
  /** As `change`, computed from the latest draft. */
  put(next: (before: Draft) => Draft): void
  /** Stores it without its hold, for another time. */
  keep(): void
  /** Deletes the stored draft; `empty` also clears what is shown. */
  drop(): void
  empty(): void
  /** Stores a draft for another resource. */
  keepFor(resource: string, draft: Draft): void
  /** Releases the hold, if there is one. */
  giveUp(): void
  /** The hold from before the sign-in; until it is released, it conflicts only with the reader's own booking. */
  visited: { hold: Hold; givenBack: Promise<void> } | undefined
}

/** The draft of a booking, stored in this tab; a visitor's draft becomes theirs when they sign in. */
export function useKeptDraft(resource: string, me: Me | undefined, wanted: Span | undefined): KeptDraft {
  const who = me?.id ?? visitor
  const [visited] = useState(() => {
    const hold = me && adoptDraft(resource, me.id)
    return hold && { hold, givenBack: giveBack(hold, true) }
  })
  const [draft, setDraft] = useState<Draft>(() => {
    const kept = draftOf(resource, who) ?? emptyDraft
    return wanted ? { ...kept, slot: slotOf(wanted) } : kept
  })
  const put = (next: (before: Draft) => Draft) =>
    setDraft((before) => {
      const after = next(before)
      keepDraft(resource, who, after)
      return after
    })
  return {
    draft,
    put,
    change: (part) => put((before) => ({ ...before, ...part })),
    keep: () => keepDraft(resource, who, { ...draft, hold: undefined }),
    drop: () => dropDraft(resource, who),
    empty: () => setDraft(emptyDraft),
    keepFor: (other, kept) => keepDraft(other, who, kept),
    giveUp() {
      if (draft.hold) void giveBack(draft.hold, me === undefined)
    },
    visited,
  }
}

/** A hold that cannot be released expires by itself. */
function giveBack(hold: Hold, guest: boolean): Promise<void> {
  return releaseHold(hold.id, guest).catch((error: unknown) => console.warn('the hold stays until it ends', error))
}
