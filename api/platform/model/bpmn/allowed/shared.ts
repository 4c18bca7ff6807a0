import type { Rule } from './rule.ts'
import { colour, id, label, number, plain } from './values.ts'

/** The attributes of an element with a name. */
export const named = { id, name: label }
/** Colours, in both namespaces that editors use. */
export const coloured = {
  ...{ 'bioc:stroke': colour, 'bioc:fill': colour },
  ...{ 'color:border-color': colour, 'color:background-color': colour, 'color:color': colour },
}
/** A box in the drawing. */
export const bounds: Rule = { attributes: { x: number, y: number, width: number, height: number } }
/** A point of a line. */
export const waypoint: Rule = { attributes: { x: number, y: number } }
/** Metadata of the editor. */
export const exported = {
  ...{ id, name: plain, exporter: plain, exporterVersion: plain },
  ...{ 'modeler:executionPlatform': plain, 'modeler:executionPlatformVersion': plain },
}
