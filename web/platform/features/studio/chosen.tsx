import { Button, Drawer } from 'antd'
import { useEffect, useState } from 'react'
import type { ModelProblem, Vocabulary } from '../../kernel/api/studio.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import type { Drawing, Drawn } from './canvas/parts.ts'
import { Panel } from './modeler/panel.tsx'
import css from './studio.module.css'

interface ChosenProps {
  drawing: Drawing | undefined
  vocabulary: Vocabulary
  problems: readonly ModelProblem[]
  readOnly: boolean
  draws: boolean
  folded: boolean
  onFold(): void
}

/**
 * The panel of the selected element, beside the canvas or over it. It subscribes to the selection itself, so nothing
 * else renders again.
 */
export function Chosen({ drawing, vocabulary, problems, readOnly, draws, folded, onFold }: ChosenProps) {
  const { t } = useTexts()
  const [, setTick] = useState(0)
  useEffect(() => {
    if (!drawing) return
    const bus = drawing.get('eventBus')
    const again = () => setTick((n) => n + 1)
    bus.on('selection.changed', again)
    return () => bus.off('selection.changed', again)
  }, [drawing])

  const chosen = drawing && chosenIn(drawing)
  const said = drawing && chosen && (
    <Panel
      drawing={drawing}
      chosen={chosen}
      vocabulary={vocabulary}
      readOnly={readOnly}
      problems={problems.filter(({ element }) => element === chosen.businessObject.id)}
    />
  )
  if (draws)
    return (
      <div className={css['panel']}>
        <Button type="text" size="small" aria-expanded={!folded} onClick={onFold}>
          {folded ? '‹' : t('platform.studio.fold-panel')}
          {folded && <span className="visually-hidden">{t('platform.studio.open-panel')}</span>}
        </Button>
        {!folded && said}
      </div>
    )
  return (
    <Drawer
      open={said !== undefined && drawing?.get('selection').get().length === 1}
      placement="bottom"
      size="large"
      title={t('platform.studio.panel')}
      onClose={() => drawing?.get('selection').select(null)}
    >
      {said}
    </Drawer>
  )
}

/** What the panel shows: the one selected element, else the process. */
function chosenIn(drawing: Drawing): Drawn | undefined {
  const [only, ...others] = drawing.get('selection').get()
  if (only && others.length === 0) return drawing.get('elementRegistry').get(only.labelTarget?.id ?? only.id)
  const root = drawing.get('canvas').getRootElement()
  return root?.businessObject ? root : undefined
}
