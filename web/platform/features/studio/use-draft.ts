import { useCallback, useEffect, useRef, useState } from 'react'
import type { Draft, ModelProblem, Table } from '../../kernel/api/studio.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { showClocks } from './canvas/clocks.ts'
import type { Drawing } from './canvas/parts.ts'
import { useCheck } from './checking.ts'
import { markProblems } from './modeler/marks.ts'
import type { DrawnDocument } from './modeler/use-drawing.ts'
import { useSaving, type Saving } from './saving.ts'

interface OpenDraft {
  saving: Saving
  /** The decision tables as they are now. */
  tables: Table[]
  changeTables(tables: Table[]): void
  /** What is wrong with the draft; undefined until it was looked at. */
  problems: ModelProblem[] | undefined
  /** The last look at it came to nothing. */
  failed: boolean
  /** Another document has been brought in. */
  documentReplaced(): void
}

/** What becomes of a draft while it is changed: it is saved, looked at for problems, and they are marked on the canvas. */
export function useDraft(process: string, draft: Draft, { drawing, write, isReplacing }: DrawnDocument): OpenDraft {
  const saving = useSaving(process, draft)
  const [, setTick] = useState(0)
  const [tables, setTables] = useState(draft.dmn)
  const newest = useRef(draft.dmn)
  const readDiagram = useCallback(async () => ({ bpmn: await write() }), [write])
  const readTables = useCallback(async () => ({ dmn: newest.current }), [])
  const { problems, check, failed } = useCheck(process, write, newest)
  const { change } = saving

  useEffect(() => {
    if (!drawing) return
    const bus = drawing.get('eventBus')
    const again = () => setTick((n) => n + 1)
    const changed = () => {
      if (isReplacing()) return
      change(readDiagram)
      check()
      again()
    }
    bus.on('commandStack.changed', changed)
    bus.on('import.done', again)
    check(0)
    return () => {
      bus.off('commandStack.changed', changed)
      bus.off('import.done', again)
    }
  }, [drawing, change, readDiagram, check, isReplacing])
  useMarks(drawing, problems)

  return {
    saving,
    tables,
    changeTables(next) {
      newest.current = next
      setTables(next)
      change(readTables)
      check()
    },
    problems,
    failed,
    documentReplaced() {
      change(readDiagram)
      check(0)
    },
  }
}

/** Shows on the canvas what is wrong, and what desks promise. */
function useMarks(drawing: Drawing | undefined, problems: readonly ModelProblem[] | undefined): void {
  const { t } = useTexts()
  useEffect(() => {
    if (drawing && problems) return markProblems(drawing, problems, t)
  }, [drawing, problems, t])
  useEffect(() => (drawing ? showClocks(drawing, t) : undefined), [drawing, t])
}
