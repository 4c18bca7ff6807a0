import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { gate } from '../../api/platform/model/bpmn/gate/gate.ts'
import { readModel } from '../../api/platform/model/bpmn/read.ts'
import { replaceDrawn } from '../../web/platform/features/studio/canvas/replace.ts'
import { adopted, type Adopted } from '../../web/platform/features/studio/model/adopt.ts'
import { textOf } from '../../web/platform/features/studio/model/bytes.ts'
import { differences } from '../../web/platform/features/studio/model/differences.ts'
import { labelOf, labelsIn, namingOf } from '../../web/platform/features/studio/model/naming.ts'
import { readBpmn } from '../../web/platform/features/studio/model/read.ts'
import { deployable, foreignModels } from './fixtures/foreign-models.ts'
import { aDesk, aModel, context, wrapped } from './fixtures/models.ts'

const kinds: Readonly<Record<string, string>> = { 'platform.studio-kind.BPMNShape': 'Shape' }
const t = (key: string, values: Record<string, unknown> = {}) =>
  key === 'platform.studio.unnamed' ? Object.values(values).join(' ') : (kinds[key] ?? key)
const problems = async (xml: string) =>
  gate(await readModel(xml), context).map(({ element, reason }) => `${element}: ${reason}`)

describe('additions of other tools are left out and named, and nothing else is wrong or different afterwards', () => {
  test.each(foreignModels)('$name', async ({ xml, leftOut }) => {
    expect(xml).not.toBe(deployable)
    const read = await adopted(xml, 'loan')
    expect({ leftOut: read.leftOut, losses: read.losses }).toEqual({ leftOut: [...leftOut].sort(), losses: [] })
    expect(await problems(read.xml)).toEqual([])
    const own = await adopted(deployable, 'loan')
    expect({ choices: own.choices, laidOut: own.laidOut, leftOut: own.leftOut }).toEqual({
      ...{ choices: [], laidOut: false, leftOut: [] },
    })
    const [before, after] = [await readBpmn(own.xml), await readBpmn(read.xml)]
    const changed = differences(before.definitions, after.definitions, namingOf(undefined, t))
    expect(changed.filter(({ changes }) => changes.some(({ about }) => about !== 'other'))).toEqual([])
  })
})

describe('the encoding of a file', () => {
  const words = 'Genehmigung für 5 €'
  const declared = (encoding: string, text: string) => `<?xml version='1.0' encoding="${encoding}"?><a>${text}</a>`
  const latin = (text: string) => Uint8Array.from(text, (one) => (one === '€' ? 0x80 : one.charCodeAt(0)))

  test.each<[string, Uint8Array, string]>([
    ['UTF-8', Buffer.from(declared('UTF-8', words)), words],
    ['UTF-8 with its mark', Buffer.from(`\uFEFF${declared('utf-8', words)}`), words],
    ['windows-1252', latin(declared('windows-1252', words)), words],
    ['cp1252', latin(declared('CP1252', words)), words],
    ['ISO-8859-1', latin(declared('ISO-8859-1', 'für ÿ')), 'für ÿ'],
    ['US-ASCII', latin(declared('US-ASCII', 'fur')), 'fur'],
  ])('%s is read as it is declared', (_name, bytes, expected) => {
    expect(textOf(bytes)).toBe(declared('UTF-8', expected))
  })

  test('is UTF-8 if none is declared', () => {
    expect(textOf(Buffer.from('<a>für</a>'))).toBe('<a>für</a>')
  })

  test.each<[string, Uint8Array, string]>([
    ['bytes of another encoding', latin(declared('UTF-8', 'für')), 'its encoding is UTF-8, but its bytes are not'],
    ['no declaration and other bytes', latin('<a>für</a>'), 'its encoding is utf-8, but its bytes are not'],
    ['what the browser reads otherwise', latin(declared('ISO-8859-1', words)), 'its encoding is ISO-8859-1, but'],
    ['what windows-1252 leaves open', latin(declared('windows-1252', '\x81')), 'its encoding is windows-1252, but'],
    ['a mark that contradicts', Buffer.from(`\uFEFF${declared('ISO-8859-1', 'a')}`), 'its encoding is ISO-8859-1, but'],
    ['letters in ASCII', latin(declared('US-ASCII', 'für')), 'its encoding is US-ASCII, but'],
    ['UTF-16', Buffer.from(`\uFEFF${declared('UTF-16', 'a')}`, 'utf16le'), 'its bytes are not'],
    ['UTF-7', latin(declared('UTF-7', '+ADw-')), 'the encoding UTF-7 is not read'],
    ['Shift_JIS', latin(declared('Shift_JIS', 'a')), 'the encoding Shift_JIS is not read'],
    ['the name of an object’s own', latin(declared('constructor', 'a')), 'the encoding constructor is not read'],
  ])('with %s is refused', (_name, bytes, reason) => {
    expect(() => textOf(bytes)).toThrow(reason)
  })
})

describe('a model without a diagram', () => {
  const without = (xml: string) => xml.replace(/<bpmndi:BPMNDiagram [^]*<\/bpmndi:BPMNDiagram>/, '')
  const empty = (xml: string) => xml.replace(/<bpmndi:BPMN(Shape|Edge) [^]*?<\/bpmndi:BPMN\1>/g, '')
  const yearEnd = readFileSync(join(import.meta.dirname, '../../processes/vouchers/year-end.bpmn'), 'utf8')

  test.each([
    ['without any', without],
    ['with an empty one', empty],
  ])('%s is laid out, and otherwise unchanged', async (_name, change) => {
    for (const [xml, process] of [
      [deployable, 'loan'],
      [yearEnd, 'year-end'],
    ] as const) {
      const read = await adopted(change(xml), process)
      expect({ laidOut: read.laidOut, losses: read.losses, leftOut: read.leftOut }).toEqual({
        ...{ laidOut: true, losses: [], leftOut: [] },
      })
      const [before, after] = [await readBpmn(xml), await readBpmn(read.xml)]
      const changed = differences(before.definitions, after.definitions, namingOf(undefined, t))
      expect(changed.filter(({ how }) => how !== 'moved')).toEqual([])
      const shapes = (text: string) =>
        [...text.matchAll(/bpmnElement="(?!year-end|loan)([^"]+)"/g)].map((one) => one[1])
      expect(new Set(shapes(read.xml))).toEqual(new Set(shapes(xml)))
    }
    expect(await problems((await adopted(change(deployable), 'loan')).xml)).toEqual([])
  })

  test('and with several processes asks for one of them', async () => {
    const two = without(deployable).replace(
      '</bpmn:definitions>',
      '<bpmn:process id="other" name="Other"><bpmn:startEvent id="start_other"/></bpmn:process>$&',
    )
    const [first, second] = [await adopted(two, 'loan', 0), await adopted(two, 'loan', 1)]
    expect(first.choices.map(({ element }) => element.name)).toEqual(['Loan', 'Other'])
    expect(told(first)).toEqual(['Other: elsewhere'])
    expect(told(second)).toEqual(['Loan: elsewhere'])
    expect(second.xml).toMatch(/<bpmn:process id="loan" name="Other"/)
    expect(second.xml).toMatch(/bpmnElement="start_other"/)
  })

  test.each([
    ['nothing to draw', wrapped('<bpmn:process id="loan"/>'), 'nothing that could be drawn'],
    ['no process', wrapped('<bpmn:message id="message_x"/>'), 'nothing in it that could be drawn'],
    [
      'too much to draw',
      wrapped(`<bpmn:process id="loan">${'<bpmn:task/>'.repeat(501)}</bpmn:process>`),
      'more than 500 elements',
    ],
  ])('and %s is refused', async (_name, xml, reason) => {
    await expect(adopted(xml, 'loan')).rejects.toThrow(reason)
  })
})

describe('differences between drawing and model are named', () => {
  const shape = (id: string, of: string) =>
    `<bpmndi:BPMNShape id="${id}" ${of}><dc:Bounds x="1" y="1" width="9" height="9"/></bpmndi:BPMNShape>`
  const plane = '</bpmndi:BPMNPlane>'

  test.each([
    [
      'a shape of nothing',
      deployable.replace(plane, `${shape('shape_x', 'bpmnElement="absent"')}${shape('shape_y', '')}$&`),
      ['Shape shape_x: nothing', 'Shape shape_y: nothing'],
    ],
    [
      'a second shape',
      deployable.replace(plane, `${shape('x', 'bpmnElement="userTask_approve"')}$&`),
      ['Approve: twice'],
    ],
    [
      'a flow to nothing',
      deployable.replace(
        '</bpmn:process>',
        '<bpmn:sequenceFlow id="flow_lost" name="Lost" sourceRef="userTask_approve" targetRef="absent"/>$&',
      ),
      ['Lost: ends'],
    ],
    [
      'the same, drawn',
      deployable
        .replace('</bpmn:process>', '<bpmn:sequenceFlow id="flow_lost" name="Lost" sourceRef="userTask_approve"/>$&')
        .replace(
          plane,
          '<bpmndi:BPMNEdge id="edge_lost" bpmnElement="flow_lost"><di:waypoint x="1" y="1"/></bpmndi:BPMNEdge>$&',
        ),
      ['Lost: ends'],
    ],
    [
      'data of a task that is drawn',
      deployable
        .replace(
          '</bpmn:userTask>',
          '<bpmn:ioSpecification><bpmn:dataInput id="in_x" name="Paper"/></bpmn:ioSpecification>$&',
        )
        .replace(plane, `${shape('shape_x', 'bpmnElement="in_x"')}$&`),
      ['Paper: nothing'],
    ],
    [
      'a message that there is not',
      deployable.replace(
        '</bpmn:startEvent>',
        '<bpmn:messageEventDefinition id="definition_x" messageRef="absent"/>$&',
      ),
      ['Asked: reference absent'],
    ],
  ])('%s', async (_name, xml, expected) => {
    const read = await adopted(xml, 'loan')
    expect(told(read)).toEqual(expected)
    expect(read.xml).not.toContain('shape_x')
    await readModel(read.xml)
  })
})

describe('of several diagrams', () => {
  const diagram = (name: string, of: string, ...shown: string[]) =>
    `<bpmndi:BPMNDiagram id="${name}" name="${name}"><bpmndi:BPMNPlane id="${name}_plane" bpmnElement="${of}">${shown
      .map(
        (id, n) =>
          `<bpmndi:BPMNShape id="${name}_${n}" bpmnElement="${id}"><dc:Bounds x="${100 * n}" y="1" width="90" height="80"/></bpmndi:BPMNShape>`,
      )
      .join('')}</bpmndi:BPMNPlane></bpmndi:BPMNDiagram>`
  const parts =
    '<bpmn:collaboration id="pools"><bpmn:participant id="pool_x" name="House" processRef="one"/><bpmn:participant id="pool_y" name="Outside"/></bpmn:collaboration>' +
    '<bpmn:process id="one" name="One"><bpmn:task id="task_one" name="First"/><bpmn:subProcess id="sub" name="Within"><bpmn:task id="task_sub" name="Deep"/></bpmn:subProcess></bpmn:process>' +
    '<bpmn:process id="two" name="Two"><bpmn:task id="task_two" name="Second"/></bpmn:process>'
  const file = (...diagrams: string[]) => wrapped(parts + diagrams.join(''))
  const one = diagram('A', 'one', 'task_one', 'sub')
  const within = diagram('S', 'sub', 'task_sub')
  const two = diagram('B', 'two', 'task_two')
  const pools = diagram('C', 'pools', 'pool_x', 'pool_y', 'task_one')
  const titles = ({ choices }: Adopted) => choices.map(({ element }) => labelOf(element, t))

  test('of one process and its parts, all are kept', async () => {
    const read = await adopted(file(one, within), 'loan')
    expect(read.choices).toEqual([])
    expect(told(read)).toEqual(['House, Outside: elsewhere', 'Two: elsewhere'])
    expect(read.xml).toMatch(/id="A"[^]*id="S"/)
    expect(read.renamed).toBe('One')
  })

  test.each([
    [0, ['Two: elsewhere', 'B: diagram', 'C: diagram', 'House, Outside: elsewhere'], ['task_one', 'sub', 'task_sub']],
    [1, ['A: diagram', 'S: diagram', 'C: diagram', 'House, Outside: elsewhere', 'One: elsewhere'], ['task_two']],
    [2, ['A: diagram', 'S: diagram', 'B: diagram', 'Two: elsewhere'], ['pool_x', 'pool_y', 'task_one']],
  ])('of several, number %i is kept with what it shows', async (chosen, lost, shown) => {
    const read = await adopted(file(one, within, two, pools), 'loan', chosen)
    expect(titles(read)).toEqual(['A', 'B', 'C'])
    expect(told(read).sort()).toEqual(lost.sort())
    const drawn = [...read.xml.matchAll(/Shape id="\w+" bpmnElement="([^"]+)"/g)].map((match) => match[1])
    expect(drawn.sort()).toEqual(shown.sort())
    expect([...read.xml.matchAll(/<bpmn:process id="([^"]+)"/g)].map((match) => match[1])).toEqual(['loan'])
  })

  test('two views of one process are a choice as well, named after their content if they have no name', async () => {
    const unnamed = diagram('D', 'one', 'task_one').replace('name="D" ', '').replace(' name="D"', '')
    const read = await adopted(file(one, unnamed), 'loan', 1)
    expect(titles(read)).toEqual(['A', 'One'])
    expect(told(read)).toContain('A: diagram')
  })
})

test('an element without a label is named after its parent', async () => {
  const { definitions } = await readBpmn(
    aModel({ nodes: [aDesk()] }).replace(
      '</bpmn:startEvent>',
      '<bpmn:timerEventDefinition id="timer_x"><bpmn:timeDuration id="duration_x">P1D</bpmn:timeDuration></bpmn:timerEventDefinition>$&',
    ),
  )
  const label = labelsIn(definitions, t)
  expect(['timer_x', 'duration_x', 'userTask_approve_di', 'definitions_loan', 'absent'].map(label)).toEqual([
    ...['Asked', 'Asked', 'Approve', 'platform.studio.whole', 'absent'],
  ])
})

test('if a document cannot be drawn, the previous drawing returns', async () => {
  const drawn: string[] = []
  const drawing = {
    importXML: async (xml: string) => {
      drawn.push(xml)
      if (xml === 'broken') throw new Error('no diagram to display')
      return { warnings: [] }
    },
  }
  await expect(replaceDrawn(drawing, 'broken', 'before')).rejects.toThrow('no diagram to display')
  expect(drawn).toEqual(['broken', 'before'])
  await replaceDrawn(drawing, 'after', 'before')
  expect(drawn).toEqual(['broken', 'before', 'after'])
})

/** The losses, by label and reason. */
function told({ losses }: Adopted): string[] {
  return losses.map(({ why, element, detail }) => `${labelOf(element, t)}: ${[why, detail].filter(Boolean).join(' ')}`)
}
