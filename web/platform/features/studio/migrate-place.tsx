import { Select } from 'antd'
import { useTexts } from '../../kernel/texts/texts.ts'
import type { Element } from './model/element.ts'
import { titleOf } from './model/naming.ts'
import css from './studio.module.css'

interface RowProps {
  source: string
  /** Selected on the diagram. */
  picked: boolean
  place: Element | undefined
  /** Cases at this element without a target; undefined where a target was found. */
  cases: number | undefined
  target: string | undefined
  targets: readonly Element[]
  problem: string | undefined
  onChange(target: string | undefined): void
  onShow(): void
}

export function Row({ source, picked, place, cases, target, targets, problem, onChange, onShow }: RowProps) {
  const { t } = useTexts()
  const name = place ? titleOf(place, t) : source
  const options = targets
    .filter((one) => !place || one.$type === place.$type)
    .map((one) => ({ value: one.id, label: titleOf(one, t) }))
  return (
    <tr>
      <td data-label={t('platform.studio-column.place')}>
        <div>
          <button type="button" className={css['text']} aria-current={picked ? 'true' : undefined} onClick={onShow}>
            {name}
          </button>
          {cases !== undefined && (
            <span className={css['soft']}>{t('platform.studio.cases-here', { count: cases })}</span>
          )}
        </div>
      </td>
      <td data-label={t('platform.studio-column.target')}>
        <div>
          <Select
            className={css['target'] ?? ''}
            aria-label={t('platform.studio.target-of', { name })}
            value={target ?? null}
            options={options}
            allowClear
            showSearch={{ optionFilterProp: 'label' }}
            placeholder={t('platform.studio.choose-target')}
            status={problem ? 'error' : ''}
            onChange={(value: string | null | undefined) => onChange(value ?? undefined)}
          />
          {problem && <span className={css['wrong']}>{problem}</span>}
        </div>
      </td>
    </tr>
  )
}
