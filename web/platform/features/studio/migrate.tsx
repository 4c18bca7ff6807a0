import { Alert, Button, Progress, Select } from 'antd'
import { useEffect, useMemo, useState } from 'react'
import useSWR from 'swr'
import { Link, useLocation, useSearchParams } from 'wouter'
import { request, withQuery, type Problem } from '../../kernel/client/client.ts'
import {
  migrate,
  migrationPath,
  planMigration,
  readMigration,
  stopMigration,
  useContent,
  useModels,
  useVersions,
  validateMigration,
  type Instruction,
  type Migration,
  type Plan,
} from '../../kernel/api/studio.ts'
import { ItemPage } from '../../kernel/page/item-page.tsx'
import { Act } from '../../people/people/act.tsx'
import table from '../../people/people/people.module.css'
import type { PageProps } from '../../kernel/screens/page.ts'
import { useAct } from '../../kernel/states/act.ts'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts, type Translate } from '../../kernel/texts/texts.ts'
import { jumpTo, type Drawing, type Drawn } from './canvas/parts.ts'
import { Viewer } from './canvas/viewer.tsx'
import { elementsOf, kindOf, type Element } from './model/element.ts'
import { titleOf } from './model/naming.ts'
import { useBpmn } from './model/use-bpmn.ts'
import css from './studio.module.css'

/** Running cases on their way from one version of a flow to another. */
export default function MigratePage({ params }: PageProps) {
  const process = params['process']!
  const { t } = useTexts()
  const [search] = useSearchParams()
  const versions = useVersions(process)
  const title = useModels().data?.items.find((one) => one.process === process)?.title ?? process
  const [from, to, run] = ['from', 'to', 'run'].map((name) => search.get(name))
  useEffect(() => {
    document.title = t('platform.page-title', { title: t('platform.studio.migrate-of', { title }) })
  }, [t, title])
  return (
    <ItemPage list={{ href: `/studio/${process}`, title }} read={versions}>
      {({ items }) => {
        const numberOf = (id: string | null | undefined) => items.find((one) => one.definitionId === id)?.version
        return (
          <>
            <h1>{t('platform.studio.migrate-of', { title })}</h1>
            {run ? (
              <Running process={process} title={title} id={run} />
            ) : from && to && numberOf(from) && numberOf(to) ? (
              <Plans process={process} from={from} to={to} versions={[numberOf(from)!, numberOf(to)!]} />
            ) : (
              <p>{t('platform.studio.migrate-what')}</p>
            )}
          </>
        )
      }}
    </ItemPage>
  )
}

interface PlansProps {
  process: string
  from: string
  to: string
  versions: [number, number]
}

/** Where each place of a case leads in the other version: as it was found, and adjustable. */
function Plans({ process, from, to, versions }: PlansProps) {
  const { t } = useTexts()
  const [path, navigate] = useLocation()
  const { run, busy, refusal } = useAct()
  const [plan, setPlan] = useState<Plan>()
  const [chosen, setChosen] = useState<Record<string, string>>({})
  /** What was found out about the places that are chosen; undefined as soon as one is chosen otherwise. */
  const [found, setFound] = useState<Pick<Plan, 'problems' | 'open'>>()
  const before = useContent(process, from)
  const after = useContent(process, to)
  const [old, present] = [useBpmn(before.data?.bpmn).definitions, useBpmn(after.data?.bpmn).definitions]
  const [left, setLeft] = useState<Drawing>()
  const [right, setRight] = useState<Drawing>()
  /** The place of which a click on the other diagram says where it leads. */
  const [picked, setPicked] = useState<string>()

  useEffect(() => {
    void run(async () => {
      const made = await planMigration(process, from, to)
      setPlan(made)
      setFound(made)
      setChosen(Object.fromEntries(made.instructions.map(({ source, target }) => [source, target])))
    })
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [process, from, to])

  const places = useMemo(() => old && elementsOf(old), [old])
  const rows = useMemo(() => {
    const { open = [], instructions: planned = [] } = plan ?? {}
    return [...new Set([...open.map(({ element }) => element), ...planned.map(({ source }) => source)])]
  }, [plan])
  const targets = useMemo(() => {
    const planned = new Set(plan?.instructions.map(({ target }) => target))
    return present ? [...elementsOf(present).values()].filter((one) => canHold(one) || planned.has(one.id)) : []
  }, [present, plan])

  useEffect(() => left && listen(left, setPicked), [left])
  useEffect(() => {
    const type = picked === undefined ? undefined : places?.get(picked)?.$type
    if (!right || picked === undefined || !rows.includes(picked)) return
    return listen(right, (element) => {
      if (!targets.some((one) => one.id === element && one.$type === type)) return
      setChosen((others) => ({ ...others, [picked]: element }))
      setFound(undefined)
    })
  }, [right, picked, rows, places, targets])
  if (!plan || !places) return refusal ? <Alert type="error" role="alert" title={refusal} /> : <Skeleton lines={6} />

  const instructions: Instruction[] = Object.entries(chosen).map(([source, target]) => ({ source, target }))
  const { problems, open: staying = [] } = found ?? {}
  const casesAt = new Map(plan.open.map(({ element, cases }) => [element, cases]))
  const change = (source: string, target: string | undefined) => {
    const { [source]: _, ...others } = chosen
    setChosen(target ? { ...others, [source]: target } : others)
    setFound(undefined)
  }
  const look = () => run(async () => setFound(await validateMigration(process, from, to, instructions)))
  const begin = () =>
    run(async () => {
      const { id } = await migrate(process, from, to, instructions)
      navigate(withQuery(path, { from, to, run: id }))
    })
  const show = (element: string) => {
    setPicked(element)
    if (left) jumpTo(left, element)
    const target = chosen[element]
    if (right && target) jumpTo(right, target)
  }
  return (
    <>
      <p className={css['lead']}>{t('platform.studio.migrate-lead', { from: versions[0], to: versions[1] })}</p>
      <div className={css['pair']} data-small="">
        <Viewer xml={before.data?.bpmn} label={t('platform.studio-compare.from')} onDrawn={setLeft} />
        <Viewer xml={after.data?.bpmn} label={t('platform.studio-compare.to')} onDrawn={setRight} />
      </div>
      <section>
        <h2>{t('platform.studio.mapping')}</h2>
        <table className={table.table}>
          <thead>
            <tr>
              <th scope="col">{t('platform.studio-column.place')}</th>
              <th scope="col">{t('platform.studio-column.target')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((source) => (
              <Row
                key={source}
                source={source}
                picked={source === picked}
                place={places.get(source)}
                cases={casesAt.get(source)}
                target={chosen[source]}
                targets={targets}
                problem={problems?.find(({ element }) => element === source)?.reason}
                onChange={(target) => change(source, target)}
                onShow={() => show(source)}
              />
            ))}
          </tbody>
        </table>
      </section>
      {problems && problems.length > 0 && (
        <Alert
          type="error"
          title={t('platform.studio.migrate-problems', { count: problems.length })}
          description={
            <ul>
              {problems.map(({ element, reason }, place) => (
                <li key={place}>
                  {element && <strong>{nameOf(places, element, t)}</strong>} {reason}
                </li>
              ))}
            </ul>
          }
        />
      )}
      {problems?.length === 0 && staying.length === 0 && (
        <Alert type="success" showIcon title={t('platform.studio.migrate-fits')} />
      )}
      {staying.length > 0 && (
        <Alert
          type="warning"
          showIcon
          title={t('platform.studio.migrate-stays')}
          description={
            <ul>
              {staying.map(({ element, name, cases }) => (
                <li key={element}>
                  <strong>{name}</strong> {t('platform.studio.cases-here', { count: cases })}
                </li>
              ))}
            </ul>
          }
        />
      )}
      {refusal && <Alert type="error" role="alert" title={refusal} />}
      <div className={css['decide']}>
        <Button loading={busy} onClick={() => void look()}>
          {t('platform.studio.validate')}
        </Button>
        <Button
          type="primary"
          loading={busy}
          disabled={problems === undefined || problems.length > 0}
          onClick={() => void begin()}
        >
          {t('platform.studio.migrate-now')}
        </Button>
        <Link href={`/studio/${process}`} className={css['linked']}>
          {t('platform.studio.leave')}
        </Link>
      </div>
    </>
  )
}

/** Tells of each element that is clicked, until what it gives back is called. */
function listen(drawing: Drawing, onClick: (element: string) => void): () => void {
  const clicked = ({ element }: Record<string, unknown>) => onClick((element as Drawn).id)
  drawing.get('eventBus').on('element.click', clicked)
  return () => drawing.get('eventBus').off('element.click', clicked)
}

/** Where a case can stand: at a task, an event that waits, or inside a sub-process. */
const canHold = (element: Element) =>
  /Task$|^(SubProcess|CallActivity|IntermediateCatchEvent|BoundaryEvent|EventBasedGateway)$/.test(kindOf(element))

function nameOf(places: ReadonlyMap<string, Element>, id: string, t: Translate): string {
  const element = places.get(id)
  return element ? titleOf(element, t) : id
}

interface RowProps {
  source: string
  /** Chosen on the diagram. */
  picked: boolean
  place: Element | undefined
  /** Cases that stand here and know no way on; undefined where a way was found. */
  cases: number | undefined
  target: string | undefined
  targets: readonly Element[]
  problem: string | undefined
  onChange(target: string | undefined): void
  onShow(): void
}

function Row({ source, picked, place, cases, target, targets, problem, onChange, onShow }: RowProps) {
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

/** Milliseconds between two looks at a migration that goes on. */
const pause = 1000

/** A migration as it goes on: how far, and an answer per case. */
function Running({ process, title, id }: { process: string; title: string; id: string }) {
  const { t } = useTexts()
  const { moment } = useFormats()
  const [path] = useLocation()
  const [stopping, setStopping] = useState(false)
  const { data, error, mutate } = useSWR<Migration, Problem>(
    migrationPath(process, id),
    (url: string) => request('GET', url),
    {
      refreshInterval: (latest) => (latest && latest.done + latest.failed >= latest.total ? 0 : pause),
    },
  )
  const [further, setFurther] = useState<Pick<Migration, 'items' | 'next'>>()
  const { run, busy, refusal } = useAct()
  if (!data) return error ? <Trouble error={error} onRetry={() => void mutate()} /> : <Skeleton lines={4} />
  const { from, to, total, done, failed, stopped } = data
  const shown = new Set(data.items.map(({ caseId }) => caseId))
  const items = [...data.items, ...(further?.items ?? []).filter(({ caseId }) => !shown.has(caseId))]
  const { next } = further ?? data
  const more = (cursor: string) =>
    run(async () => {
      const page = await readMigration(process, id, cursor)
      setFurther({ items: [...(further?.items ?? []), ...page.items], next: page.next })
    })
  const over = done + failed >= total
  return (
    <>
      <p className={css['lead']} role="status">
        {over
          ? t('platform.studio.migrated', { count: done, failed })
          : t('platform.studio.migrating', { done: done + failed, total })}
      </p>
      <Progress
        aria-label={t('platform.studio.progress')}
        percent={total === 0 ? 100 : Math.round(((done + failed) / total) * 100)}
        status={over ? (failed > 0 ? 'exception' : 'success') : 'active'}
      />
      {stopped ? (
        <Alert
          className={css['waiting'] ?? ''}
          type="warning"
          showIcon
          title={t('platform.studio.move-stopped', { name: stopped.by, at: moment(stopped.at) })}
          description={
            <>
              <q>{stopped.reason}</q>
              {!over && <p>{t('platform.studio.move-stopped-under-way', { count: total - done - failed })}</p>}
            </>
          }
          action={
            over &&
            failed > 0 && (
              <Link href={withQuery(path, { from, to })} className={css['linked']}>
                {t('platform.studio.move-rest')}
              </Link>
            )
          }
        />
      ) : (
        !over && (
          <div className={css['decide']}>
            <Button onClick={() => setStopping(true)}>{t('platform.studio.move-stop')}</Button>
          </div>
        )
      )}
      {stopping && (
        <Act
          title={t('platform.studio.move-stop-title', { title })}
          ok={t('platform.studio.move-stop')}
          danger
          onClose={() => setStopping(false)}
          send={async ({ reason }) => {
            await stopMigration(process, id, reason)
            return t('platform.studio.move-stop-done')
          }}
        >
          {() => <p className={css['note']}>{t('platform.studio.move-stop-detail')}</p>}
        </Act>
      )}
      <table className={table.table}>
        <thead>
          <tr>
            {['case', 'answer'].map((name) => (
              <th key={name} scope="col">
                {t(`platform.studio-column.${name}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map(({ caseId, reference, state, reason }) => (
            <tr key={caseId}>
              <td data-label={t('platform.studio-column.case')}>
                <Link href={`/cases/${caseId}`}>{reference}</Link>
              </td>
              <td data-label={t('platform.studio-column.answer')}>
                <div>
                  {t(`platform.studio-moved.${state}`)}
                  {reason && <span className={css['soft']}>{reason}</span>}
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {over && next !== null && (
        <Button loading={busy} onClick={() => void more(next)}>
          {t('platform.list.more')}
        </Button>
      )}
      {refusal && <Alert type="error" role="alert" title={refusal} />}
    </>
  )
}
