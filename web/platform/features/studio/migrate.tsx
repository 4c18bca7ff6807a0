import { Alert, Button } from 'antd'
import { useEffect, useMemo, useState } from 'react'
import { Link, useLocation, useSearchParams } from 'wouter'
import { withQuery } from '../../kernel/client/client.ts'
import {
  migrate,
  planMigration,
  useContent,
  useModels,
  useVersions,
  validateMigration,
  type Instruction,
  type Plan,
} from '../../kernel/api/studio.ts'
import { ItemPage } from '../../kernel/page/item-page.tsx'
import table from '../../kernel/list/data-table.module.css'
import type { PageProps } from '../../kernel/screens/page.ts'
import { useAct } from '../../kernel/states/act.ts'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { useTexts, type Translate } from '../../kernel/texts/texts.ts'
import { usePageTitle } from '../../kernel/page/title.ts'
import { jumpTo, type Drawing, type Drawn } from './canvas/parts.ts'
import { Viewer } from './canvas/viewer.tsx'
import { elementsOf, kindOf, type Element } from './model/element.ts'
import { titleOf } from './model/naming.ts'
import { useBpmn } from './model/use-bpmn.ts'
import css from './studio.module.css'
import { Row } from './migrate-place.tsx'
import { Running } from './migration.tsx'
import { known } from '../../kernel/known.ts'

/** Migrates running cases from one version of a flow to another. */
export default function MigratePage({ params }: PageProps) {
  const process = known(params['process'], 'the process of the page')
  const { t } = useTexts()
  const [search] = useSearchParams()
  const versions = useVersions(process)
  const title = useModels().data?.items.find((one) => one.process === process)?.title ?? process
  const [from, to, run] = ['from', 'to', 'run'].map((name) => search.get(name))
  usePageTitle(t('platform.studio.migrate-of', { title }))
  return (
    <ItemPage list={{ href: `/studio/${process}`, title }} read={versions}>
      {({ items }) => {
        const numberOf = (id: string | null | undefined) => items.find((one) => one.definitionId === id)?.version
        const [older, newer] = [numberOf(from), numberOf(to)]
        return (
          <>
            <h1>{t('platform.studio.migrate-of', { title })}</h1>
            {run ? (
              <Running process={process} title={title} id={run} />
            ) : from && to && older && newer ? (
              <Plans process={process} from={from} to={to} versions={[older, newer]} />
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

/** The target of each element in the other version: suggested, and adjustable. */
function Plans({ process, from, to, versions }: PlansProps) {
  const { t } = useTexts()
  const [path, navigate] = useLocation()
  const { run, busy, refusal } = useAct()
  const [plan, setPlan] = useState<Plan>()
  const [chosen, setChosen] = useState<Record<string, string>>({})
  /** The check of the chosen targets; undefined once a target changes. */
  const [found, setFound] = useState<Pick<Plan, 'problems' | 'open'>>()
  const before = useContent(process, from)
  const after = useContent(process, to)
  const [old, present] = [useBpmn(before.data?.bpmn).definitions, useBpmn(after.data?.bpmn).definitions]
  const [left, setLeft] = useState<Drawing>()
  const [right, setRight] = useState<Drawing>()
  /** The element whose target the next click on the other diagram sets. */
  const [picked, setPicked] = useState<string>()

  useEffect(() => {
    void run(async () => {
      const made = await planMigration(process, from, to)
      setPlan(made)
      setFound(made)
      setChosen(Object.fromEntries(made.instructions.map(({ source, target }) => [source, target])))
    })
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- a plan is made once for two versions
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
  const problems = found?.problems
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
      {found && <Findings found={found} places={places} />}
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

interface FindingsProps {
  found: Pick<Plan, 'problems' | 'open'>
  /** The check of the chosen targets: what does not fit, and which cases stay. */
  places: ReadonlyMap<string, Element>
}

/** Reports each clicked element until the returned function is called. */
function Findings({ found: { problems, open: staying }, places }: FindingsProps) {
  const { t } = useTexts()
  return (
    <>
      {problems.length > 0 && (
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
      {problems.length === 0 && staying.length === 0 && (
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
    </>
  )
}

/** Where a case can wait: at a task, a waiting event, or inside a sub-process. */
function listen(drawing: Drawing, onClick: (element: string) => void): () => void {
  const clicked = ({ element }: { element: Drawn }) => onClick(element.id)
  drawing.get('eventBus').on('element.click', clicked)
  return () => drawing.get('eventBus').off('element.click', clicked)
}

/** Milliseconds between two polls of a running migration. */
const canHold = (element: Element) =>
  /Task$|^(SubProcess|CallActivity|IntermediateCatchEvent|BoundaryEvent|EventBasedGateway)$/.test(kindOf(element))

function nameOf(places: ReadonlyMap<string, Element>, id: string, t: Translate): string {
  const element = places.get(id)
  return element ? titleOf(element, t) : id
}
