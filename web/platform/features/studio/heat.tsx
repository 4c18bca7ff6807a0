import { Checkbox, Segmented } from 'antd'
import { useEffect, useId, useMemo, useState } from 'react'
import { useContent, useHeat, useModels, type HeatElement } from '../../kernel/api/studio.ts'
import { addDays, daysTo, wallClock } from '../../kernel/clock/colombo.ts'
import DateWidget from '../../kernel/form/date-widget.tsx'
import { PageHeader } from '../../kernel/page/page-header.tsx'
import page from '../../kernel/page/page.module.css'
import { DataTable } from '../../kernel/list/data-table.tsx'
import type { PageProps } from '../../kernel/screens/page.ts'
import { Empty } from '../../kernel/states/empty.tsx'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { useFormats, type Formats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { usePageTitle } from '../../kernel/page/title.ts'
import { jumpTo, type Drawing } from './canvas/parts.ts'
import canvas from './canvas/canvas.module.css'
import { Viewer } from './canvas/viewer.tsx'
import css from './studio.module.css'
import { known } from '../../kernel/known.ts'

const measures = ['cases', 'waiting', 'rework', 'rejections'] as const
type Measure = (typeof measures)[number]

/** Whole days, both inclusive. */
interface Period {
  from: string
  until: string
}

/** Statistics of a flow: a value per element on the diagram, for a period, optionally beside another period. */
export default function HeatPage({ params }: PageProps) {
  const process = known(params['process'], 'the process of the page')
  const { t } = useTexts()
  const models = useModels()
  const model = models.data?.items.find((one) => one.process === process)
  const title = model?.title ?? process
  const [measure, setMeasure] = useState<Measure>('cases')
  const [period, setPeriod] = useState<Period>(() => lastDays(30))
  const [other, setOther] = useState<Period>()
  const heat = useHeat(process, momentsOf(period))
  const earlier = useHeat(process, other ? momentsOf(other) : null)
  const content = useContent(process, model?.running?.definitionId ?? null)
  const [drawing, setDrawing] = useState<Drawing>()
  const formats = useFormats()
  usePageTitle(t('platform.studio.heat-of', { title }))

  const values = useMemo(() => valuesOf(heat.data?.elements, measure), [heat.data, measure])
  const past = useMemo(() => valuesOf(earlier.data?.elements, measure), [earlier.data, measure])
  useEffect(() => {
    if (drawing) return paint(drawing, values, other ? past : undefined, measure, formats)
  }, [drawing, values, past, other, measure, formats])

  const error = models.error ?? heat.error ?? content.error
  return (
    <div className={page.page}>
      <PageHeader back={{ href: `/studio/${process}`, title }} title={t('platform.studio.heat-of', { title })} />
      <div className={css['choices']}>
        <Segmented<Measure>
          value={measure}
          onChange={setMeasure}
          options={measures.map((one) => ({ value: one, label: t(`platform.studio-measure.${one}`) }))}
        />
        <Days label={t('platform.studio.period')} period={period} onChange={setPeriod} />
        <Checkbox
          checked={other !== undefined}
          onChange={({ target }) => setOther(target.checked ? before(period) : undefined)}
        >
          {t('platform.studio.compare-period')}
        </Checkbox>
        {other && <Days label={t('platform.studio.other-period')} period={other} onChange={setOther} />}
      </div>
      {error ? (
        <Trouble error={error} onRetry={() => void heat.mutate()} />
      ) : (
        <>
          <p className={css['note']}>
            {heat.data && t('platform.studio.heat-cases', { count: heat.data.cases })}{' '}
            {other && earlier.data && t('platform.studio.heat-cases-before', { count: earlier.data.cases })}{' '}
            {heat.data && !heat.data.whole && t('platform.studio.heat-part')}
          </p>
          <Viewer
            xml={content.data?.bpmn}
            label={t('platform.studio.diagram-of', { title })}
            onDrawn={setDrawing}
            style={{ height: 'min(56vh, 520px)' }}
          />
          {!heat.data ? (
            <Skeleton lines={4} />
          ) : heat.data.elements.length === 0 ? (
            <Empty title={t('platform.studio.heat-none')}>{t('platform.studio.heat-none-detail')}</Empty>
          ) : (
            <Values
              elements={heat.data.elements}
              past={other && earlier.data?.elements}
              measure={measure}
              onJump={(element) => drawing && jumpTo(drawing, element)}
            />
          )}
        </>
      )}
    </div>
  )
}

function Days({ label, period, onChange }: { label: string; period: Period; onChange(period: Period): void }) {
  const { t } = useTexts()
  const [from, until] = [useId(), useId()]
  const side = (which: keyof Period, id: string) => (
    <DateWidget
      id={id}
      label={`${label}: ${t(`platform.studio-period.${which}`)}`}
      value={period[which]}
      wrong={false}
      onChange={(day) => day && onChange({ ...period, [which]: day })}
    />
  )
  return (
    <span className={css['days']}>
      <span className={css['soft']} aria-hidden="true">
        {label}
      </span>
      {side('from', from)}
      {side('until', until)}
    </span>
  )
}

/** The last days, up to today. */
function lastDays(length: number): Period {
  const until = wallClock(Date.now()).date
  return { from: addDays(until, 1 - length), until }
}

/** The period of the same length just before. */
function before({ from, until }: Period): Period {
  const length = daysTo(from, until) + 1
  return { from: addDays(from, -length), until: addDays(from, -1) }
}

/** From the start of the first day to the end of the last one, in Colombo. */
function momentsOf({ from, until }: Period): { from: string; until: string } {
  const midnight = (date: string) => new Date(`${date}T00:00:00+05:30`).toISOString()
  return { from: midnight(from), until: midnight(addDays(until, 1)) }
}

function valueOf(element: HeatElement, measure: Measure): number {
  return measure === 'waiting' ? (element.waitingSeconds?.median ?? 0) : element[measure]
}

function valuesOf(elements: readonly HeatElement[] | undefined, measure: Measure): Map<string, number> {
  return new Map((elements ?? []).map((one) => [one.element, valueOf(one, measure)]))
}

function inWords(value: number, measure: Measure, { duration }: Pick<Formats, 'duration'>): string {
  return measure === 'waiting' ? duration(value * 1000) : String(value)
}

/**
 * Writes each value onto its element, in a stronger colour for a greater value; with the value of the other period, if
 * any.
 */
function paint(
  drawing: Drawing,
  values: ReadonlyMap<string, number>,
  past: ReadonlyMap<string, number> | undefined,
  measure: Measure,
  formats: Formats,
): () => void {
  const [overlays, registry] = [drawing.get('overlays'), drawing.get('elementRegistry')]
  const most = Math.max(1, ...values.values())
  const type = 'studio-heat'
  for (const [element, value] of values) {
    const drawn = registry.get(element)
    if (!drawn || drawn.waypoints || value === 0) continue
    const mark = document.createElement('span')
    mark.className = canvas['heat'] ?? ''
    mark.style.background = `color-mix(in srgb, var(--diagram-now) ${Math.round(35 + 65 * (value / most))}%, var(--diagram-left))`
    const earlier = past?.get(element)
    mark.textContent =
      inWords(value, measure, formats) + (past ? ` (${earlier ? inWords(earlier, measure, formats) : '–'})` : '')
    overlays.add(element, type, { position: { top: -12, left: 0 }, html: mark })
  }
  return () => overlays.remove({ type })
}

interface ValuesProps {
  elements: readonly HeatElement[]
  past: readonly HeatElement[] | undefined
  measure: Measure
  onJump(element: string): void
}

/**
 * The same values as a table, greatest first; elements without a label, such as merging gateways, are in the diagram
 * only.
 */
function Values({ elements, past, measure, onJump }: ValuesProps) {
  const { t } = useTexts()
  const formats = useFormats()
  const earlier = new Map((past ?? []).map((one) => [one.element, one]))
  const label = (name: string) => t(`platform.studio-measure.${name}`)
  const waited = ({ waitingSeconds, present }: HeatElement) => {
    if (!waitingSeconds) return '–'
    const [median, most] = [waitingSeconds.median, waitingSeconds.p90].map((one) => formats.duration(one * 1000))
    const through = t('platform.studio.waited', { median, most })
    return present === 0 ? through : `${through} · ${t('platform.studio.still-here', { count: present })}`
  }
  const cell = (name: Measure, element: HeatElement) => (name === 'waiting' ? waited(element) : element[name])
  return (
    <DataTable
      rows={elements
        .filter(({ name, element }) => name !== element)
        .toSorted((one, other) => valueOf(other, measure) - valueOf(one, measure))}
      keyOf={({ element }) => element}
      columns={[
        {
          label: t('platform.studio-column.place'),
          cell: ({ element, name }) => (
            <button type="button" className={css['text']} onClick={() => onJump(element)}>
              {name}
            </button>
          ),
        },
        ...measures.map((measured) => ({
          label: label(measured),
          cell: (element: HeatElement) => {
            const then = earlier.get(element.element)
            return (
              <div>
                <span className={css['line']}>{cell(measured, element)}</span>
                {past && <span className={css['soft']}>{then ? cell(measured, then) : '–'}</span>}
              </div>
            )
          },
        })),
      ]}
    />
  )
}
