import type { Element } from '../model/element.ts'
import { known } from '../../../kernel/known.ts'

/** A drawn element: a shape, or a connection. */
export interface Drawn {
  id: string
  type: string
  x: number
  y: number
  width: number
  height: number
  waypoints?: { x: number; y: number }[]
  parent: Drawn | null
  children: Drawn[]
  incoming: Drawn[]
  outgoing: Drawn[]
  attachers?: Drawn[]
  host?: Drawn
  source?: Drawn
  target?: Drawn
  label?: Drawn
  labelTarget?: Drawn
  businessObject: Element
}

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

export interface Canvas {
  zoom(to?: string | number, center?: 'auto' | { x: number; y: number }): number
  viewbox(box?: Box): Box & { scale: number; outer: { width: number; height: number }; inner: Box }
  scrollToElement(element: Drawn, padding?: number): void
  addMarker(element: string, marker: string): void
  removeMarker(element: string, marker: string): void
  /** Null if the drawing failed. */
  getRootElement(): Drawn | null
  getContainer(): HTMLElement
}

export interface Registry {
  get(id: string): Drawn | undefined
  getAll(): Drawn[]
  filter(fits: (element: Drawn) => boolean): Drawn[]
}

export interface Overlays {
  add(
    element: string,
    type: string,
    overlay: { position: { top?: number; right?: number; bottom?: number; left?: number }; html: HTMLElement },
  ): string
  remove(filter: { element?: Drawn; type: string }): void
}

interface Changed {
  context: { element: Drawn; properties?: Record<string, unknown> }
}

/** The details of events. */
interface Details {
  'element.click': { element: Drawn }
  'elements.changed': { elements: Drawn[] }
  'canvas.viewbox.changed': { viewbox: Box }
  'commandStack.element.updateLabel.postExecuted': Changed
  'commandStack.element.updateProperties.postExecuted': Changed
}
type Listener<Name> = (event: Name extends keyof Details ? Details[Name] : Record<string, unknown>) => void

export interface EventBus {
  on<Name extends string>(event: Name | Name[], listener: Listener<Name>): void
  off<Name extends string>(event: Name | Name[], listener: Listener<Name>): void
  fire(event: string, details: Record<string, unknown>): void
}

export interface Selection {
  get(): Drawn[]
  select(element: Drawn | null): void
}

export interface Modeling {
  updateProperties(element: Drawn, properties: Record<string, unknown>): void
  updateModdleProperties(element: Drawn, part: Element, properties: Record<string, unknown>): void
  updateLabel(element: Drawn, label: string): void
  createShape(
    shape: Drawn,
    position: { x: number; y: number },
    target: Drawn,
    hints?: { attach?: boolean; autoResize?: boolean },
  ): Drawn
  moveShape(shape: Drawn, delta: { x: number; y: number }): void
  appendShape(source: Drawn, shape: Drawn, position: { x: number; y: number }, target?: Drawn): Drawn
  connect(source: Drawn, target: Drawn): Drawn
  removeElements(elements: readonly Drawn[]): void
  createSpace(
    moving: Drawn[],
    resizing: Drawn[],
    delta: { x: number; y: number },
    direction: string,
    start: number,
  ): void
}

export interface CommandStack {
  execute(command: string, context: object): void
  register(command: string, handler: object): void
  canUndo(): boolean
  canRedo(): boolean
  undo(): void
  redo(): void
}

export interface Factory {
  create(type: string, members?: Record<string, unknown>): Element
}

/** The services of a viewer or the modeler, by name. */
export interface Parts {
  canvas: Canvas
  elementRegistry: Registry
  overlays: Overlays
  eventBus: EventBus
  selection: Selection
  modeling: Modeling
  commandStack: CommandStack
  bpmnFactory: Factory
  elementFactory: { createShape(shape: Record<string, unknown>): Drawn }
  autoPlace: { append(source: Drawn, shape: Drawn): Drawn }
  spaceTool: {
    calculateAdjustments(
      elements: Drawn[],
      axis: 'x' | 'y',
      delta: number,
      start: number,
    ): { movingShapes: Drawn[]; resizingShapes: Drawn[] }
  }
  searchPad: { toggle(): void }
  minimap: { toggle(): void; open(): void; close(): void }
  toggleMode: { toggleMode(active: boolean): void }
}

/** Something that could not be read or drawn. */
export interface Warning {
  message: string
  element?: Element
  context?: { element?: Element }
}

/** Draws a document: the modeler or one of the viewers. */
export interface Drawing {
  get<K extends keyof Parts>(part: K): Parts[K]
  importXML(xml: string): Promise<{ warnings: Warning[] }>
  saveXML(options: { format: boolean }): Promise<{ xml?: string }>
  saveSVG(): Promise<{ svg: string }>
  getDefinitions(): Element
  /** Removes it from the page. */
  detach(): void
  destroy(): void
}

/** Centres an element at a readable size, and selects it where selection is possible. */
export function jumpTo(drawing: Drawing, id: string, choose = true): boolean {
  const element = drawing.get('elementRegistry').get(id)
  if (!element) return false
  const canvas = drawing.get('canvas')
  const readable = 0.7
  if (element !== canvas.getRootElement()) {
    const { outer, scale } = canvas.viewbox()
    const [width, height] = [outer.width / Math.max(scale, readable), outer.height / Math.max(scale, readable)]
    const middle = middleOf(element)
    canvas.viewbox({ x: middle.x - width / 2, y: middle.y - height / 2, width, height })
  }
  if (choose) drawing.get('selection').select(element)
  return true
}

/** Fits the whole diagram beside the controls on the canvas; `readable` is the smallest scale. */
export function fit(drawing: Drawing, left: number, readable = 0): void {
  const canvas = drawing.get('canvas')
  const { inner, outer } = canvas.viewbox()
  // The canvas is hidden.
  if (outer.width === 0) return
  const margin = 24
  const whole = Math.min((outer.width - left - margin) / inner.width, (outer.height - 3 * margin) / inner.height, 1)
  const scale = Math.max(whole, readable)
  const [width, height] = [outer.width / scale, outer.height / scale]
  const spare = height - inner.height
  canvas.viewbox({
    x: inner.x - left / scale,
    y: spare > 0 ? inner.y - spare / 2 : inner.y - (2 * margin) / scale,
    width,
    height,
  })
}

/** The middle of a shape or of a connection. */
export function middleOf({ x, y, width, height, waypoints }: Drawn): { x: number; y: number } {
  if (!waypoints) return { x: x + width / 2, y: y + height / 2 }
  const place = Math.floor((waypoints.length - 1) / 2)
  const from = known(waypoints[place], 'a waypoint of a connection')
  const to = waypoints[place + 1] ?? from
  return { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 }
}
