export type Bounds = readonly [x: number, y: number, width: number, height: number]
export type Point = readonly [x: number, y: number]

function bounds([x, y, width, height]: Bounds): string {
  return `<dc:Bounds x="${x}" y="${y}" width="${width}" height="${height}" />`
}

function words(label: Bounds): string {
  return `
        <bpmndi:BPMNLabel>${bounds(label)}</bpmndi:BPMNLabel>`
}

/** The shape of an element, by its upper left corner and its size. */
export function shape(id: string, at: Bounds, label?: Bounds): string {
  const marker = id.startsWith('gateway_') ? ' isMarkerVisible="true"' : ''
  const expanded = id.startsWith('subProcess_') ? ' isExpanded="true"' : ''
  return `
      <bpmndi:BPMNShape id="${id}_di" bpmnElement="${id}"${marker}${expanded}>
        ${bounds(at)}${label ? words(label) : ''}
      </bpmndi:BPMNShape>`
}

/** An event by its centre, with room for a label of two lines below it. */
export function event(id: string, [x, y]: Point): string {
  return shape(id, [x - 18, y - 18, 36, 36], [x - 45, y + 22, 90, 27])
}

/** An event at the lower edge of its activity, with its label beside the path that leaves it downwards. */
export function boundaryEvent(id: string, [x, y]: Point): string {
  return shape(id, [x - 18, y - 18, 36, 36], [x - 90, y + 22, 84, 14])
}

/** A gateway by its centre, with its label above it. */
export function gateway(id: string, [x, y]: Point): string {
  return shape(id, [x - 25, y - 25, 50, 50], [x - 65, y - 46, 130, 14])
}

/** A task by the middle of its left side. */
export function task(id: string, [x, y]: Point): string {
  return shape(id, [x, y - 40, 120, 80])
}

export function edge(id: string, ...points: readonly Point[]): string {
  return labelledEdge(id, points)
}

/** A flow; its label is at the given place, or where the editor puts it. */
export function labelledEdge(id: string, points: readonly Point[], label?: Bounds): string {
  const way = points.map(([x, y]) => `\n        <di:waypoint x="${x}" y="${y}" />`).join('')
  return `
      <bpmndi:BPMNEdge id="${id}_di" bpmnElement="${id}">${way}${label ? words(label) : ''}
      </bpmndi:BPMNEdge>`
}
