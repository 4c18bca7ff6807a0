import { Button } from 'antd'
import type { Parts } from '../../../kernel/api/scenarios.ts'
import type { FormSchema } from '../../../kernel/client/types.ts'
import { useTexts } from '../../../kernel/texts/texts.ts'
import css from './panel.module.css'
import { besides, firstOf, kindOf, valuesOf, type Step, type StepKind, type Values } from './shape.ts'
import { Fields, Besides, Duration, OneOf } from './values.tsx'

const stepKinds: readonly StepKind[] = ['desk', 'passes', 'fires', 'message']

export function Steps({ parts, steps, onChange }: { parts: Parts; steps: Step[]; onChange(steps: Step[]): void }) {
  const { t } = useTexts()
  const move = (step: Step, from: number, to: number) => onChange(steps.toSpliced(from, 1).toSpliced(to, 0, step))
  return (
    <>
      <ol className={css['steps']}>
        {steps.map((step, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- a step has no id
          <li key={`${at}-${kindOf(step)}`} className={css['step']}>
            <div>
              <OneStep parts={parts} step={step} onChange={(changed) => onChange(steps.with(at, changed))} />
              <span className={css['rowActs']}>
                <Button
                  size="small"
                  type="text"
                  disabled={at === 0}
                  aria-label={t('platform.studio-scenarios.earlier', { step: at + 1 })}
                  onClick={() => move(step, at, at - 1)}
                >
                  ↑
                </Button>
                <Button
                  size="small"
                  type="text"
                  disabled={at === steps.length - 1}
                  aria-label={t('platform.studio-scenarios.later', { step: at + 1 })}
                  onClick={() => move(step, at, at + 1)}
                >
                  ↓
                </Button>
                <Button
                  size="small"
                  type="text"
                  aria-label={t('platform.studio-scenarios.remove', { step: at + 1 })}
                  onClick={() => onChange(steps.toSpliced(at, 1))}
                >
                  ×
                </Button>
              </span>
            </div>
          </li>
        ))}
      </ol>
      <div className={css['rowActs']}>
        {stepKinds.map((kind) => {
          const added = firstOf(kind, parts)
          return (
            added && (
              <Button key={kind} size="small" onClick={() => onChange([...steps, added])}>
                {t(`platform.studio-scenarios.add.${kind}`)}
              </Button>
            )
          )
        })}
      </div>
    </>
  )
}

function OneStep({ parts, step, onChange }: { parts: Parts; step: Step; onChange(step: Step): void }) {
  const { t } = useTexts()
  const label = t(`platform.studio-scenarios.step.${kindOf(step)}`)
  if ('passes' in step)
    return (
      <div className={css['body']}>
        <div className={css['what']}>
          <span>{label}</span>
          <Duration label={label} value={step.passes} onChange={(passes) => onChange({ passes: passes ?? 'P0D' })} />
        </div>
      </div>
    )
  if ('fires' in step)
    return (
      <div className={css['body']}>
        <div className={css['what']}>
          <span>{label}</span>
          <OneOf label={label} of={parts.timers} value={step.fires} onChange={(fires) => onChange({ fires })} />
        </div>
      </div>
    )
  const isDesk = 'desk' in step
  const chosen = isDesk ? step.desk : step.message
  const all = isDesk ? parts.desks : parts.messages
  const schema: FormSchema = all.find(({ id }) => id === chosen)?.form ?? {}
  const { variables = {} } = step
  const values: Values = { ...variables, ...(isDesk && step.outcome !== undefined && { outcome: step.outcome }) }
  const change = ({ outcome, ...others }: Values) => {
    const given = Object.keys(others).length > 0 && { variables: others }
    if (!isDesk) return onChange({ message: step.message, ...given })
    onChange({ desk: step.desk, ...(typeof outcome === 'string' && { outcome }), ...given })
  }
  return (
    <div className={css['body']}>
      <div className={css['what']}>
        <span>{label}</span>
        <OneOf
          label={label}
          of={all}
          value={chosen}
          onChange={(id) => onChange(isDesk ? { desk: id } : { message: id })}
        />
      </div>
      <Fields schema={schema} values={values} onChange={change} />
      <Besides
        names={besides(variables, schema)}
        values={variables}
        onDrop={(name) => change(valuesOf({ ...values, [name]: undefined }))}
      />
    </div>
  )
}
