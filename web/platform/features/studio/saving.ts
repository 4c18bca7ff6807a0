import { useEffect, useState } from 'react'
import { saveDraft, type Draft } from '../../kernel/api/studio.ts'
import { draftSaver, type Saved, type Saver } from './saver.ts'

export interface Saving extends Pick<Saver, 'revision' | 'change' | 'flush'> {
  saved: Saved
}

/** Saves a draft while it is open, and pending changes when it closes. */
export function useSaving(process: string, draft: Draft): Saving {
  const [saved, setSaved] = useState<Saved>({ state: 'saved', at: draft.savedAt })
  const [saver] = useState(() =>
    draftSaver({
      revision: draft.revision,
      save: (revision, part) => saveDraft(process, revision, part),
      tell: setSaved,
    }),
  )
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (saver.isWaiting()) event.preventDefault()
    }
    window.addEventListener('beforeunload', warn)
    return () => {
      window.removeEventListener('beforeunload', warn)
      void saver.flush()
    }
  }, [saver])
  return { saved, revision: saver.revision, change: saver.change, flush: saver.flush }
}
