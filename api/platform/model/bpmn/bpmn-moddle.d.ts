declare module 'bpmn-moddle' {
  import type { Element } from './read.ts'

  export class BpmnModdle {
    constructor(packages?: Record<string, unknown>)
    fromXML(xml: string): Promise<{ rootElement: Element; elementsById: Record<string, any>; warnings: Error[] }>
    toXML(element: unknown, options?: { format?: boolean }): Promise<{ xml: string }>
  }
}
