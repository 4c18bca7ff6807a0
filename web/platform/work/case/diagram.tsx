import NavigatedViewer from 'bpmn-js/lib/NavigatedViewer.js'
import 'bpmn-js/dist/assets/bpmn-js.css'
import 'bpmn-js/dist/assets/diagram-js.css'
import { useEffect, useRef, useState } from 'react'
import { readDefinition, usePath } from '../../kernel/api/cases.ts'
import type { CasePath } from '../../kernel/client/types.ts'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './diagram.module.css'
import { takenFlows } from './taken-flows.ts'

interface Box {
  x: number
  y: number
  width: number
  height: number
}

interface Shape extends Box {
  id: string
  type: string
  source?: Shape
  target?: Shape
}

interface Parts {
  canvas: {
    zoom(to?: string | number, center?: 'auto' | { x: number; y: number }): number
    viewbox(box?: Box): { outer: { width: number; height: number }; inner: Box }
    addMarker(element: string, marker: string): void
    removeMarker(element: string, marker: string): void
  }
  elementRegistry: { get(id: string): Shape | undefined; filter(fits: (element: Shape) => boolean): Shape[] }
  overlays: {
    add(element: string, type: string, note: { position: { bottom: number; left: number }; html: HTMLElement }): void
    remove(which: { type: string }): void
  }
}

/** The diagram of a case with the path it took and its present elements. */
export default function Diagram({ caseId }: { caseId: string }) {
  const { data, error, mutate } = usePath(caseId)
  return <PathDiagram path={data} error={data ? undefined : error} onRetry={() => void mutate()} />
}

/** A path on its diagram; `notes` are short texts at elements, such as how long each took. */
export function PathDiagram({
  path,
  notes,
  error: unread,
  onRetry,
}: {
  path: CasePath | undefined
  notes?: ReadonlyMap<string, string>
  error?: unknown
  onRetry?: () => void
}) {
  const { t } = useTexts()
  const definitionId = path?.definitionId
  const host = useRef<HTMLDivElement>(null)
  const viewer = useRef<NavigatedViewer>(undefined)
  const [drawn, setDrawn] = useState(0)
  const shown = useRef(0)
  const [problem, setProblem] = useState<unknown>()
  const [attempt, setAttempt] = useState(0)

  useEffect(() => {
    if (!definitionId || !host.current) return
    const made = new NavigatedViewer({ container: host.current })
    viewer.current = made
    let dropped = false
    const draw = async () => {
      const xml = await readDefinition(definitionId)
      if (dropped) return
      await made.importXML(xml)
      if (dropped) return
      setDrawn((n) => n + 1)
    }
    setProblem(undefined)
    draw().catch((error: unknown) => !dropped && setProblem(error))
    return () => {
      dropped = true
      viewer.current = undefined
      made.destroy()
    }
  }, [definitionId, attempt])

  useEffect(() => {
    if (!viewer.current || drawn === 0 || !path) return
    const now = parts(viewer.current)
    // Keeps the reader's own scroll position.
    if (shown.current !== drawn) show(now, path)
    shown.current = drawn
    return mark(now, path)
  }, [drawn, path])

  useEffect(() => {
    if (!viewer.current || drawn === 0 || !notes) return
    const { overlays, elementRegistry } = parts(viewer.current)
    for (const [element, words] of notes) {
      if (!elementRegistry.get(element)) continue
      const html = document.createElement('span')
      html.className = css['note'] ?? ''
      html.textContent = words
      overlays.add(element, 'note', { position: { bottom: -2, left: 0 }, html })
    }
    return () => overlays.remove({ type: 'note' })
  }, [drawn, notes])

  const error = unread ?? problem
  return (
    <figure className={css['figure']} aria-label={t('platform.case.diagram-label')}>
      {error !== undefined && (
        <Trouble error={error} onRetry={() => (unread && onRetry ? onRetry() : setAttempt((n) => n + 1))} />
      )}
      {drawn === 0 && error === undefined && <Skeleton lines={3} />}
      <div ref={host} className={css['canvas']} hidden={error !== undefined} />
      <figcaption>
        <span className={css['taken']}>{t('platform.case.diagram-taken')}</span>
        <span className={css['now']}>{t('platform.case.diagram-now')}</span>
        <span className={css['left']}>{t('platform.case.diagram-canceled')}</span>
      </figcaption>
    </figure>
  )
}

/** Shows the whole diagram, unless its text would be too small to read: then the present elements. */
function show({ canvas, elementRegistry }: Parts, { visited, present }: CasePath): void {
  const readable = 0.75
  // Not the surrounding sub-process: its middle may be far away.
  const shape = [...present, visited.at(-1)?.element ?? '']
    .map((element) => elementRegistry.get(element))
    .find((found) => found && found.type !== 'bpmn:SubProcess')
  if (canvas.zoom('fit-viewport', 'auto') >= readable || !shape) return
  const { outer, inner } = canvas.viewbox()
  const [width, height] = [outer.width / readable, outer.height / readable]
  canvas.viewbox({
    x: within(shape.x + shape.width / 2 - width / 2, inner.x, inner.width - width),
    y: within(shape.y + shape.height / 2 - height / 2, inner.y, inner.height - height),
    width,
    height,
  })
}

/** Keeps the view on the diagram, with a margin; a diagram smaller than the view is centred. */
function within(wanted: number, from: number, spare: number): number {
  const margin = 20
  return spare < 0 ? from + spare / 2 : Math.min(Math.max(wanted, from - margin), from + spare + margin)
}

const parts = (viewer: NavigatedViewer): Parts => ({
  canvas: viewer.get('canvas'),
  elementRegistry: viewer.get('elementRegistry'),
  overlays: viewer.get('overlays'),
})

/** Marks passed, skipped and present elements; returns a function that removes the marks. */
function mark({ canvas, elementRegistry }: Parts, { visited, present }: CasePath): () => void {
  const marks = new Map<string, string>()
  for (const { element, endedAt, canceled } of visited)
    marks.set(element, canceled ? 'left' : endedAt ? 'taken' : 'now')
  for (const element of present) marks.set(element, 'now')
  const flows = elementRegistry.filter(({ type }) => type === 'bpmn:SequenceFlow')
  for (const id of takenFlows(flows, visited)) marks.set(id, 'taken')
  // Sub-processes get no mark: their parts carry them.
  const put = [...marks].filter(
    ([element]) => elementRegistry.get(element) && elementRegistry.get(element)?.type !== 'bpmn:SubProcess',
  )
  for (const [element, name] of put) canvas.addMarker(element, css[name] ?? name)
  return () => {
    for (const [element, name] of put) canvas.removeMarker(element, css[name] ?? name)
  }
}
