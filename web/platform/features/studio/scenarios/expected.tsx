import { Button, Radio, Select } from 'antd'
import { useId, useState } from 'react'
import type { Parts, Scenario } from '../../../kernel/api/scenarios.ts'
import { useTexts } from '../../../kernel/texts/texts.ts'
import css from './panel.module.css'
import { distinct } from './shape.ts'
import { OneOf } from './values.tsx'

interface ExpectedProps {
  parts: Parts
  expect: Scenario['expect']
  onChange(expect: Scenario['expect']): void
}

/** The expected statuses in order, and the expected end. */
export function Expected({ parts, expect, onChange }: ExpectedProps) {
  const { t } = useTexts()
  const id = useId()
  const { statuses, end, at } = expect
  const [choice, setChoice] = useState(end !== undefined ? 'end' : at !== undefined ? 'at' : 'any')
  const given = statuses && { statuses }
  return (
    <>
      {parts.statusLists.map((list) => (
        <Statuses
          key={list.id}
          list={list}
          states={statuses?.[list.id]}
          onChange={(states) => {
            const { [list.id]: _before, ...others } = statuses ?? {}
            const { statuses: _all, ...rest } = expect
            const next = states === undefined ? others : { ...others, [list.id]: states }
            onChange({ ...rest, ...(Object.keys(next).length > 0 && { statuses: next }) })
          }}
        />
      ))}
      <p id={id} className={css['label']}>
        {t('platform.studio-scenarios.in-the-end')}
      </p>
      <Radio.Group
        aria-labelledby={id}
        value={choice}
        onChange={({ target }) => {
          setChoice(target.value)
          onChange({
            ...given,
            ...(target.value === 'at' && { at: [] }),
            ...(target.value === 'end' && parts.ends[0] && { end: parts.ends[0].id }),
          })
        }}
      >
        {['end', 'at', 'any'].map((one) => (
          <Radio key={one} value={one}>
            {t(`platform.studio-scenarios.expect.${one}`)}
          </Radio>
        ))}
      </Radio.Group>
      {choice === 'end' && (
        <OneOf
          label={t('platform.studio-scenarios.expect.end')}
          of={parts.ends}
          value={end}
          onChange={(chosen) => onChange({ ...given, end: chosen })}
        />
      )}
      {choice === 'at' && (
        <Select
          mode="multiple"
          value={at ?? []}
          aria-label={t('platform.studio-scenarios.expect.at')}
          placeholder={t('platform.studio-scenarios.no-desk')}
          options={distinct(parts.desks).map(({ id: value, name: label }) => ({ value, label }))}
          showSearch={{ optionFilterProp: 'label' }}
          onChange={(chosen) => onChange({ ...given, at: chosen })}
        />
      )}
    </>
  )
}

interface StatusesProps {
  list: Parts['statusLists'][number]
  /** Undefined if it does not matter. */
  states: string[] | undefined
  onChange(states: string[] | undefined): void
}

function Statuses({ list, states, onChange }: StatusesProps) {
  const { t } = useTexts()
  const { name } = list
  return (
    <fieldset className={css['statuses']}>
      <legend>{t('platform.studio-scenarios.statuses', { name })}</legend>
      <ol className={css['way']}>
        {(states ?? []).map((state, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- the same status may come twice
          <li key={at}>
            <OneOf
              label={t('platform.studio-scenarios.status', { name, place: at + 1 })}
              of={list.states}
              value={state}
              onChange={(chosen) => onChange((states ?? []).with(at, chosen))}
            />
            <Button
              size="small"
              type="text"
              aria-label={t('platform.studio-scenarios.drop', {
                name: list.states.find(({ id }) => id === state)?.name ?? state,
              })}
              onClick={() => {
                const left = (states ?? []).toSpliced(at, 1)
                onChange(left.length > 0 ? left : undefined)
              }}
            >
              ×
            </Button>
          </li>
        ))}
      </ol>
      <Button
        size="small"
        onClick={() => {
          const next = states === undefined ? (list.first ?? list.states[0]?.id) : list.states[0]?.id
          if (next !== undefined) onChange([...(states ?? []), next])
        }}
      >
        {t(
          states === undefined ? 'platform.studio-scenarios.expect-statuses' : 'platform.studio-scenarios.next-status',
        )}
      </Button>
    </fieldset>
  )
}
