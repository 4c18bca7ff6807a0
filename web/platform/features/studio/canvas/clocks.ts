import type { Translate } from '../../../kernel/texts/texts.ts'
import { kindOf, propertiesOf } from '../model/element.ts'
import { promiseInWords } from '../model/promise.ts'
import css from './canvas.module.css'
import type { Drawing, Drawn } from './parts.ts'

const type = 'studio-promise'

/** Shows a small clock at each desk with a reminder or an escalation; returns a function that removes them. */
export function showClocks(drawing: Drawing, t: Translate): () => void {
  const [overlays, registry, bus] = [drawing.get('overlays'), drawing.get('elementRegistry'), drawing.get('eventBus')]
  const show = (element: Drawn) => {
    const { businessObject } = element
    if (!businessObject || kindOf(businessObject) !== 'UserTask' || registry.get(element.id) !== element) return
    overlays.remove({ element, type })
    const words = promiseInWords(propertiesOf(businessObject), t)
    // Beside the type icon: the border belongs to events, problems and measures.
    if (words) overlays.add(element.id, type, { position: { top: 6, left: 27 }, html: clockOf(element, words) })
  }
  const clockOf = (element: Drawn, words: string) => {
    const clock = document.createElement('span')
    clock.className = css['clock'] ?? ''
    clock.title = words
    clock.setAttribute('role', 'img')
    clock.setAttribute('aria-label', words)
    // The clock covers a part of the desk: a click on it selects the desk.
    clock.addEventListener('click', (originalEvent) => bus.fire('element.click', { element, originalEvent }))
    return clock
  }
  const all = () => registry.getAll().forEach(show)
  const changed = ({ elements }: { elements: Drawn[] }) => elements.forEach(show)
  bus.on('import.done', all)
  bus.on('elements.changed', changed)
  all()
  return () => {
    bus.off('import.done', all)
    bus.off('elements.changed', changed)
    overlays.remove({ type })
  }
}
