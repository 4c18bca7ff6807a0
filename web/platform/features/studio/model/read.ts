import { BpmnModdle } from 'bpmn-moddle'
import camunda from 'camunda-bpmn-moddle/resources/camunda.json' with { type: 'json' }
import type { Element } from './element.ts'

/** Parses a BPMN document without drawing it. Throws the parser's error if it is invalid. */
export async function readBpmn(xml: string): Promise<{ definitions: Element; warnings: string[] }> {
  const { rootElement, warnings } = await new BpmnModdle({ camunda }).fromXML(xml)
  return {
    definitions: rootElement,
    warnings: warnings.map(({ message }: { message: string }) => message.split('\n')[0] ?? message),
  }
}
