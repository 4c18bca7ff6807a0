import { Button } from 'antd'
import type { ModelProblem } from '../../kernel/api/studio.ts'
import { PlainSelect } from '../../kernel/form/plain-select.tsx'
import { useTexts } from '../../kernel/texts/texts.ts'
import { fit, type Drawing, type Drawn } from './canvas/parts.ts'
import { kindOf, sendsMail, timerOf } from './model/element.ts'
import { titleOf } from './model/naming.ts'
import { marginOf } from './modeler/use-drawing.ts'
import css from './studio.module.css'

interface StepsProps {
  drawing: Drawing
  problems: readonly ModelProblem[]
  onJump(element: string): void
}

/** Every changeable element by name: on a small screen the canvas is hard to hit. */
export function Steps({ drawing, problems, onJump }: StepsProps) {
  const { t } = useTexts()
  const steps = drawing.get('elementRegistry').filter(({ labelTarget, businessObject }) => {
    const tells = /Task$|^CallActivity$|^Process$/.test(kindOf(businessObject)) || sendsMail(businessObject)
    return !labelTarget && (tells || timerOf(businessObject) !== undefined)
  })
  const nameOf = ({ host, incoming, businessObject }: Drawn) => {
    const at = host ?? incoming[0]?.source?.host
    return at ? `${titleOf(at.businessObject, t)}: ${titleOf(businessObject, t)}` : titleOf(businessObject, t)
  }
  return (
    <PlainSelect
      className={css['steps']}
      aria-label={t('platform.studio.choose-step')}
      value=""
      onChange={({ target }) => onJump(target.value)}
    >
      <option value="" disabled>
        {t('platform.studio.choose-step')}
      </option>
      {steps.map((step) => (
        <option key={step.id} value={step.id}>
          {problems.some(({ element }) => element === step.id) ? '! ' : ''}
          {nameOf(step)}
        </option>
      ))}
    </PlainSelect>
  )
}

interface ToolsProps {
  drawing: Drawing
  draws: boolean
  simulating: boolean
  onSimulate(): void
}

/** The canvas tools as buttons, for keyboard users and people who do not know the shortcuts. */
export function Tools({ drawing, draws, simulating, onSimulate }: ToolsProps) {
  const { t } = useTexts()
  const stack = drawing.get('commandStack')
  return (
    <span className={css['tools']} role="toolbar" aria-label={t('platform.studio.tools')}>
      <Button size="small" disabled={!stack.canUndo()} onClick={() => stack.undo()}>
        {t('platform.studio-tool.undo')}
      </Button>
      <Button size="small" disabled={!stack.canRedo()} onClick={() => stack.redo()}>
        {t('platform.studio-tool.redo')}
      </Button>
      <Button size="small" onClick={() => fit(drawing, marginOf(draws))}>
        {t('platform.studio-tool.fit')}
      </Button>
      {draws && (
        <>
          <Button
            size="small"
            onClick={(event) => {
              // Any click that reaches the page closes the search pad.
              event.stopPropagation()
              drawing.get('searchPad').toggle()
            }}
          >
            {t('platform.studio-tool.search')}
          </Button>
          <Button size="small" onClick={() => drawing.get('minimap').toggle()}>
            {t('platform.studio-tool.minimap')}
          </Button>
          <Button size="small" type={simulating ? 'primary' : 'default'} aria-pressed={simulating} onClick={onSimulate}>
            {t('platform.studio-tool.simulate')}
          </Button>
        </>
      )}
    </span>
  )
}
