/** Types for bundled modules whose own types do not resolve here. */
declare module 'bpmn-js/lib/NavigatedViewer.js' {
  export default class NavigatedViewer {
    constructor(options: {
      container: HTMLElement
      moddleExtensions?: Record<string, unknown>
      additionalModules?: object[]
    })
    get<T>(part: string): T
    importXML(xml: string): Promise<{ warnings: import('./platform/features/studio/canvas/parts.ts').Warning[] }>
    saveXML(options: { format: boolean }): Promise<{ xml?: string }>
    saveSVG(): Promise<{ svg: string }>
    getDefinitions(): import('./platform/features/studio/model/element.ts').Element
    detach(): void
    destroy(): void
  }
}

declare module 'antd/es/locale/en_GB.js' {
  const locale: import('antd/es/locale/index.js').Locale
  export default locale
}

declare module 'antd/es/locale/si_LK.js' {
  const locale: import('antd/es/locale/index.js').Locale
  export default locale
}

declare module 'antd/es/locale/ta_IN.js' {
  const locale: import('antd/es/locale/index.js').Locale
  export default locale
}

declare module 'bpmn-js/lib/Modeler.js' {
  import NavigatedViewer from 'bpmn-js/lib/NavigatedViewer.js'
  export default class Modeler extends NavigatedViewer {
    constructor(options: { container: HTMLElement; [option: string]: unknown })
  }
}

declare module 'bpmn-js/lib/features/modeling/index.js' {
  const module: object
  export default module
}

declare module 'bpmn-js/lib/features/modeling/BpmnFactory.js' {
  export default class BpmnFactory {
    _model: { ids: { nextPrefixed(prefix: string, element: unknown): string } }
    _needsId(element: unknown): boolean
    _ensureId(element: unknown): void
  }
}

declare module 'bpmn-js-create-append-anything' {
  export const CreateAppendAnythingModule: object
}

declare module 'bpmn-auto-layout' {
  /** The same document with a generated diagram, in place of any it has. */
  export function layoutProcess(xml: string): Promise<string>
}

declare module 'bpmn-js-token-simulation' {
  const module: object
  export default module
}

declare module 'camunda-bpmn-js-behaviors/lib/camunda-platform/index.js' {
  const module: object
  export default module
}

declare module 'diagram-js-minimap' {
  const module: object
  export default module
}

declare module 'bpmn-js-differ' {
  /** The differences between two documents, by element ids. */
  export function diff(
    before: unknown,
    after: unknown,
  ): {
    _added: Record<string, unknown>
    _removed: Record<string, unknown>
    _layoutChanged: Record<string, unknown>
    _changed: Record<string, { attrs: Record<string, unknown> }>
  }
}

declare module 'dmn-js/lib/Modeler.js' {
  interface View {
    type: string
    id: string
  }
  export default class DmnModeler {
    constructor(options: { container: HTMLElement })
    importXML(xml: string): Promise<{ warnings: unknown[] }>
    saveXML(options: { format: boolean }): Promise<{ xml: string }>
    getViews(): View[]
    open(view: View): Promise<unknown>
    getActiveViewer(): { on(event: string, then: () => void): void } | undefined
    destroy(): void
  }
}

declare module 'virtual:words/*' {
  const words: Record<string, string>
  export default words
  /** The other parts of the language; see words.ts. */
  export const parts: Partial<Record<string, () => Promise<{ default: Record<string, string> }>>>
}
