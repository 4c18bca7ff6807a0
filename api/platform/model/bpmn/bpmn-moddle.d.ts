declare module 'bpmn-moddle' {
  export class BpmnModdle {
    constructor(packages?: Record<string, unknown>)
    fromXML(xml: string): Promise<{ rootElement: any; elementsById: Record<string, any>; warnings: Error[] }>
    toXML(element: unknown, options?: { format?: boolean }): Promise<{ xml: string }>
  }
}
