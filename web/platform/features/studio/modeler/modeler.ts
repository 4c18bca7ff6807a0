import modelingModule from 'bpmn-js/lib/features/modeling/index.js'
import Modeler from 'bpmn-js/lib/Modeler.js'
import NavigatedViewer from 'bpmn-js/lib/NavigatedViewer.js'
import { CreateAppendAnythingModule } from 'bpmn-js-create-append-anything'
import tokenSimulation from 'bpmn-js-token-simulation'
import camundaBehaviors from 'camunda-bpmn-js-behaviors/lib/camunda-platform/index.js'
import camunda from 'camunda-bpmn-moddle/resources/camunda.json' with { type: 'json' }
import minimap from 'diagram-js-minimap'
import 'bpmn-js/dist/assets/bpmn-js.css'
import 'bpmn-js/dist/assets/diagram-js.css'
import 'bpmn-js/dist/assets/bpmn-font/css/bpmn.css'
import 'bpmn-js-token-simulation/assets/css/bpmn-js-token-simulation.css'
import 'diagram-js-minimap/assets/diagram-js-minimap.css'
import type { Vocabulary } from '../../../kernel/api/studio.ts'
import type { Translate } from '../../../kernel/texts/texts.ts'
import type { Drawing } from '../canvas/parts.ts'
import { blocksOf, PutBlock } from './blocks.ts'
import { MeaningfulFactory, MeaningfulIds } from './ids.ts'
import { OurMenus } from './menus.ts'
import { TurnTimers } from './promise-timers.ts'

/** Modeling services, and ids with a meaning for new elements. */
const changing = {
  __init__: ['meaningfulIds'],
  bpmnFactory: ['type', MeaningfulFactory],
  meaningfulIds: ['type', MeaningfulIds],
}

/**
 * Creates the modeler of a flow in an element of the page; it offers what models of this flow may name. Without
 * drawing, elements cannot be added, moved or connected, but their properties can change.
 */
export function makeModeler(container: HTMLElement, vocabulary: Vocabulary, t: Translate, draws: boolean): Drawing {
  const made = draws ? drawingModeler(container, vocabulary, t) : sayingModeler(container)
  const editing = { modeling: made.get('modeling'), factory: made.get('bpmnFactory') }
  made.get('commandStack').register('studio.turn-timers', new TurnTimers(editing))
  return made
}

const moddleExtensions = { camunda }

function sayingModeler(container: HTMLElement): Drawing {
  const additionalModules = [modelingModule, camundaBehaviors, changing]
  return new NavigatedViewer({ container, moddleExtensions, additionalModules })
}

function drawingModeler(container: HTMLElement, vocabulary: Vocabulary, t: Translate): Drawing {
  const modeler: Drawing = new Modeler({
    container,
    moddleExtensions,
    blocks: { blocks: blocksOf(vocabulary, t), group: t('platform.studio.blocks') },
    minimap: { open: false },
    additionalModules: [
      camundaBehaviors,
      CreateAppendAnythingModule,
      minimap,
      tokenSimulation,
      changing,
      { __init__: ['ourMenus'], ourMenus: ['type', OurMenus] },
    ],
  })
  const parts = {
    modeling: modeler.get('modeling'),
    bpmnFactory: modeler.get('bpmnFactory'),
    elementFactory: modeler.get('elementFactory'),
    elementRegistry: modeler.get('elementRegistry'),
    autoPlace: modeler.get('autoPlace'),
    spaceTool: modeler.get('spaceTool'),
  }
  modeler.get('commandStack').register('studio.put-block', new PutBlock(parts, t, vocabulary))
  return modeler
}
