/** Modules whose own types do not say, under this resolution, what a bundler makes of them. */
declare module 'bpmn-js/lib/NavigatedViewer.js' {
  export default class NavigatedViewer {
    constructor(options: { container: HTMLElement })
    importXML(xml: string): Promise<{ warnings: unknown[] }>
    get<T>(part: string): T
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
