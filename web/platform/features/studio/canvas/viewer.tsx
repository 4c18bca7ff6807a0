import NavigatedViewer from 'bpmn-js/lib/NavigatedViewer.js'
import camunda from 'camunda-bpmn-moddle/resources/camunda.json' with { type: 'json' }
import 'bpmn-js/dist/assets/bpmn-js.css'
import 'bpmn-js/dist/assets/diagram-js.css'
import { useEffect, useRef, useState, type CSSProperties } from 'react'
import { Skeleton } from '../../../kernel/states/skeleton.tsx'
import { Trouble } from '../../../kernel/states/trouble.tsx'
import { useTexts } from '../../../kernel/texts/texts.ts'
import { showClocks } from './clocks.ts'
import { fit, type Drawing } from './parts.ts'
import css from './canvas.module.css'

/** The smallest initial scale; people scroll to the rest of a larger diagram. */
const readable = 0.35

interface ViewerProps {
  /** The document; undefined while it loads. */
  xml: string | undefined
  /** The accessible name of the canvas. */
  label: string
  /** Called with the drawing once it is drawn, and with undefined when it is removed. */
  onDrawn(drawing: Drawing | undefined): void
  style?: CSSProperties
}

/** A read-only diagram: it can be moved and zoomed. */
export function Viewer({ xml, label, onDrawn, style }: ViewerProps) {
  const host = useRef<HTMLDivElement>(null)
  const tell = useRef(onDrawn)
  useEffect(() => {
    tell.current = onDrawn
  })
  const [problem, setProblem] = useState<unknown>()
  const [drawn, setDrawn] = useState<Drawing>()
  const { t } = useTexts()

  useEffect(() => {
    if (xml === undefined || !host.current) return
    setProblem(undefined)
    const made: Drawing = new NavigatedViewer({ container: host.current, moddleExtensions: { camunda } })
    let dropped = false
    const draw = async () => {
      await made.importXML(xml)
      if (dropped) return
      fit(made, 16, readable)
      setDrawn(made)
      tell.current(made)
    }
    draw().catch((error: unknown) => !dropped && setProblem(error))
    return () => {
      dropped = true
      tell.current(undefined)
      setDrawn(undefined)
      made.detach()
      // Effects of this render may still use the viewer, so it is destroyed after them.
      queueMicrotask(() => made.destroy())
    }
  }, [xml])

  useEffect(() => (drawn ? showClocks(drawn, t) : undefined), [drawn, t])

  return (
    <div className={css['viewer']} style={style} role="group" aria-label={label}>
      {xml === undefined && <Skeleton lines={4} />}
      {problem !== undefined && <Trouble error={problem} />}
      <div ref={host} className={css['paper']} hidden={problem !== undefined} />
    </div>
  )
}
