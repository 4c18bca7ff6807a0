import type { Rule } from './rule.ts'
import { colour, id, number, plain } from './values.ts'

/** The attributes of what has a name. */
export const named = { id, name: plain }
/** Colours, in both vocabularies that editors write. */
export const coloured = {
  ...{ 'bioc:stroke': colour, 'bioc:fill': colour },
  ...{ 'color:border-color': colour, 'color:background-color': colour, 'color:color': colour },
}
/** A box of a drawing. */
export const bounds: Rule = { attributes: { x: number, y: number, width: number, height: number } }
/** A point of a line. */
export const waypoint: Rule = { attributes: { x: number, y: number } }
/** What editors say of themselves. */
export const exported = {
  ...{ id, name: plain, exporter: plain, exporterVersion: plain },
  ...{ 'modeler:executionPlatform': plain, 'modeler:executionPlatformVersion': plain },
}
