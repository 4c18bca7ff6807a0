import type { ModelProblem } from '../../../kernel/api/studio.ts'
import type { Translate } from '../../../kernel/texts/texts.ts'
import type { Drawing } from '../canvas/parts.ts'
import css from '../canvas/canvas.module.css'

const type = 'studio-problem'

/** Marks problems on the canvas; returns a function that removes the marks. */
export function markProblems(drawing: Drawing, problems: readonly ModelProblem[], t: Translate): () => void {
  const [overlays, registry, selection] = [
    drawing.get('overlays'),
    drawing.get('elementRegistry'),
    drawing.get('selection'),
  ]
  const root = drawing.get('canvas').getRootElement()
  for (const [id, here] of Map.groupBy(problems, ({ element }) => element)) {
    const element = registry.get(id)
    if (!element || element === root) continue
    const level = here.some((one) => one.level === 'error') ? 'error' : 'warning'
    const mark = document.createElement('button')
    mark.type = 'button'
    mark.className = `${css['mark']} ${css[level]}`
    mark.textContent = here.length > 1 ? String(here.length) : '!'
    mark.title = here.map(({ reason }) => reason).join('\n')
    mark.setAttribute(
      'aria-label',
      t('platform.studio.problems-of', { count: here.length, element: element.businessObject.name ?? id }),
    )
    // The canvas has hundreds of elements: keyboard users reach problems through the list below.
    mark.tabIndex = -1
    mark.addEventListener('click', () => selection.select(element))
    overlays.add(id, type, {
      position: element.waypoints ? { top: -10, left: 0 } : { top: -10, right: 10 },
      html: mark,
    })
  }
  return () => overlays.remove({ type })
}
