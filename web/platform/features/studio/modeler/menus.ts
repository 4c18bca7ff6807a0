import type { CommandStack, Drawn, Selection } from '../canvas/parts.ts'
import { kindOf } from '../model/element.ts'
import type { Block } from './blocks.ts'

interface Entry {
  label?: string
  title?: string
  className?: string
  search?: string
  group?: string | { id: string; name: string }
  action?: unknown
}
type Entries = Record<string, Entry>
type Change = (entries: Entries) => Entries

interface PopupMenu {
  registerProvider(
    id: string,
    priority: number,
    provider: { getPopupMenuEntries(element: Drawn): Change; getPopupMenuHeaderEntries?(element: Drawn): Change },
  ): void
  open(element: Drawn, id: string, position: { x: number; y: number }, options: Record<string, unknown>): void
  close(): void
}
interface Pad {
  registerProvider(
    priority: number,
    provider: { getContextPadEntries(element: Drawn): Change; getMultiElementContextPadEntries?(): Change },
  ): void
}
interface Palette {
  registerProvider(priority: number, provider: { getPaletteEntries(): Change }): void
}

/** Standard bpmn-js entries that our flows support. */
const offered = [
  ...['user-task', 'service-task', 'rule-task', 'call-activity'],
  ...['expanded-subprocess', 'collapsed-subprocess', 'event-subprocess', 'subprocess'],
  ...['exclusive-gateway', 'parallel-gateway', 'event-based-gateway'],
  ...['none-start-event', 'none-start', 'none-intermediate-throwing', 'none-intermediate-throw'],
  ...['none-end-event', 'none-end', 'message-end', 'error-end', 'escalation-end'],
  ...['message-intermediate-catch', 'message-intermediate-throw', 'timer-intermediate-catch'],
  ...['escalation-intermediate-throw', 'message-boundary', 'timer-boundary', 'error-boundary', 'escalation-boundary'],
  ...['non-interrupting-message-boundary', 'non-interrupting-timer-boundary', 'non-interrupting-escalation-boundary'],
  ...['sequence-flow', 'default-flow', 'conditional-flow'],
]

const isOffered = (id: string) => offered.includes(id.replace(/^(append|create|replace-with)-/, ''))

/** Entries of the palette and the context pad that our flows do not support. */
const never = [
  ...['create.task', 'create.data-object', 'create.data-store', 'create.participant-expanded'],
  ...['append.append-task', 'append.receive-task', 'append.condition-intermediate-event'],
  ...['append.signal-intermediate-event', 'append.compensation-activity', 'append.intermediate-event'],
]

const late = 400

/** Menus, palette and context pad that offer our blocks first, and nothing that a flow may not contain. */
export class OurMenus {
  static $inject = ['config.blocks', 'popupMenu', 'contextPad', 'palette', 'commandStack', 'selection']

  constructor(
    { blocks, group }: { blocks: readonly Block[]; group: string },
    popupMenu: PopupMenu,
    contextPad: Pad,
    palette: Palette,
    commandStack: CommandStack,
    selection: Selection,
  ) {
    const ours = blockEntries(blocks, group, (block, at) => {
      popupMenu.close()
      const context: { block: Block; at: Drawn; put?: Drawn } = { block, at }
      commandStack.execute('studio.put-block', context)
      selection.select(context.put ?? null)
    })
    const ofPlatform: Change = (entries) => Object.fromEntries(Object.entries(entries).filter(([id]) => isOffered(id)))
    popupMenu.registerProvider('bpmn-append', late, {
      getPopupMenuEntries: (element) => (entries) => ({ ...ours(element), ...ofPlatform(entries) }),
    })
    popupMenu.registerProvider('bpmn-create', late, { getPopupMenuEntries: () => ofPlatform })
    popupMenu.registerProvider('bpmn-replace', late, {
      getPopupMenuEntries: () => ofPlatform,
      // Flows may contain multi-instance tasks; the other header entries are removed.
      getPopupMenuHeaderEntries: () => (entries) =>
        Object.fromEntries(Object.entries(entries).filter(([id]) => /^toggle-(parallel|sequential)-mi$/.test(id))),
    })
    contextPad.registerProvider(late, {
      getContextPadEntries: (element) => (entries) => ({
        ...without(entries),
        ...(kindOf(element.businessObject) === 'SequenceFlow' && {
          'put-block': {
            title: group,
            group: 'model',
            className: 'bpmn-icon-task',
            action: {
              click: ({ clientX, clientY }: MouseEvent) =>
                popupMenu.open(
                  element,
                  'bpmn-append',
                  { x: clientX + 12, y: clientY },
                  { title: group, width: 300, search: true },
                ),
            },
          },
        }),
      }),
    })
    palette.registerProvider(late, { getPaletteEntries: () => (entries) => without(entries) })
  }
}

/** Menu entries that append or insert the blocks that fit. */
const blockEntries =
  (blocks: readonly Block[], group: string, put: (block: Block, at: Drawn) => void) =>
  (at: Drawn): Entries =>
    Object.fromEntries(
      blocks
        .filter((block) => fits(block, at))
        .map((block) => [
          `block-${block.id}`,
          {
            label: block.label,
            className: block.sign,
            search: block.search,
            group: { id: 'blocks', name: group },
            action: { click: () => put(block, at) },
          },
        ]),
    )

function without(entries: Entries): Entries {
  return Object.fromEntries(Object.entries(entries).filter(([id]) => !never.includes(id)))
}

/** Whether a block fits after or in an element. */
function fits({ shape }: Block, at: Drawn): boolean {
  const kind = kindOf(at.businessObject)
  if (kind === 'EndEvent' || kind === 'Process') return false
  return kind !== 'SequenceFlow' || shape['type'] !== 'bpmn:EndEvent'
}
