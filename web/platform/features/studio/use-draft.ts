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
  /** The current decision tables. */
  tables: Table[]
  changeTables(tables: Table[]): void
  /** The problems of the draft; undefined until the first check. */
  problems: ModelProblem[] | undefined
  /** The last check failed. */
  failed: boolean
  /** Another document has been imported. */
  documentReplaced(): void
}

/** Saves a draft while it changes, checks it, and marks its problems on the canvas. */
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

/** Shows problems, reminders and escalations on the canvas. */
function useMarks(drawing: Drawing | undefined, problems: readonly ModelProblem[] | undefined): void {
  const { t } = useTexts()
  useEffect(() => {
    if (drawing && problems) return markProblems(drawing, problems, t)
  }, [drawing, problems, t])
  useEffect(() => (drawing ? showClocks(drawing, t) : undefined), [drawing, t])
}
