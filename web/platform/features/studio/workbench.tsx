import { Alert, Button, Drawer, Dropdown, Segmented } from 'antd'
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Link } from 'wouter'
import { checkModel, type Draft, type ModelProblem, type Table, type Vocabulary } from '../../kernel/api/studio.ts'
import { save } from '../../kernel/files/save.ts'
import { PlainSelect } from '../../kernel/form/plain-select.tsx'
import { Refused as RefusedInWords, useDo } from '../../kernel/states/act.ts'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { showClocks } from './canvas/clocks.ts'
import { fit, jumpTo, type Drawing, type Drawn } from './canvas/parts.ts'
import { DeployDialog } from './deploy.tsx'
import { ImportDialog } from './import.tsx'
import { elementsOf, kindOf, sendsMail, timerOf, type Element } from './model/element.ts'
import { titleOf } from './model/naming.ts'
import { pictureOf } from './modeler/picture.ts'
import { makeModeler } from './modeler/modeler.ts'
import { markProblems } from './modeler/marks.ts'
import { Panel } from './modeler/panel.tsx'
import { rehearse } from './modeler/rehearse.ts'
import { marginOf, useDrawing } from './modeler/use-drawing.ts'
import { Problems } from './problems.tsx'
import type { Saved } from './saver.ts'
import { useSaving } from './saving.ts'
import css from './studio.module.css'

const DecisionEditor = lazy(async () => ({ default: (await import('./decisions/editor.tsx')).DecisionEditor }))
const ScenariosPanel = lazy(async () => ({ default: (await import('./scenarios/panel.tsx')).ScenariosPanel }))

interface WorkbenchProps {
  process: string
  title: string
  draft: Draft
  vocabulary: Vocabulary
  /** Whether there is room to add, move and connect; without it, only what elements say is changed. */
  draws: boolean
  /** Opens the draft as it is on the server now; with `true` it is taken over. */
  onAgain(takeOver: boolean): void
  /** The draft has become a version, or a proposal: there is none to hold any more. */
  onDeployed(): void
}

const afterChange = 600

type View = 'diagram' | 'tables' | 'scenarios'

/** The draft of a flow being drawn: canvas, what the chosen element says, and what is wrong. */
export default function Workbench({ process, title, draft, vocabulary, draws, onAgain, onDeployed }: WorkbenchProps) {
  const { t } = useTexts()
  const { host, drawing, present, write, replace, isReplacing } = useDrawing(draft.bpmn, vocabulary, draws)
  const [view, setView] = useState<View>('diagram')
  const [folded, setFolded] = useState({ panel: false, problems: false })
  const [simulating, setSimulating] = useState(false)
  const [dialog, setDialog] = useState<'deploy' | 'import'>()
  const [, setTick] = useState(0)
  const saving = useSaving(process, draft)
  const [tables, setTables] = useState(draft.dmn)
  const newest = useRef(draft.dmn)
  const readDiagram = useCallback(async () => ({ bpmn: await write() }), [write])
  const readTables = useCallback(async () => ({ dmn: newest.current }), [])
  const { problems, check, failed } = useCheck(process, write, newest)

  const { change } = saving
  useEffect(() => {
    if (!drawing) return
    const bus = drawing.get('eventBus')
    const again = () => setTick((n) => n + 1)
    const changed = () => {
      if (isReplacing()) return
      change(readDiagram)
      check()
      again()
    }
    bus.on('commandStack.changed', changed)
    // Also by its own key, T.
    const toggled = ({ active }: Record<string, unknown>) => setSimulating(active === true)
    bus.on('import.done', again)
    bus.on('tokenSimulation.toggleMode', toggled)
    check(0)
    return () => {
      bus.off('commandStack.changed', changed)
      bus.off('import.done', again)
      bus.off('tokenSimulation.toggleMode', toggled)
      setSimulating(false)
    }
  }, [drawing, change, readDiagram, check, isReplacing])

  useEffect(() => {
    if (drawing && problems) return markProblems(drawing, problems, t)
  }, [drawing, problems, t])

  useEffect(() => (drawing ? showClocks(drawing, t) : undefined), [drawing, t])

  const jump = useCallback(
    (element: string) => {
      // A canvas that is not shown has no size in which something could be brought into the middle.
      flushSync(() => setView('diagram'))
      const now = present()
      if (now) jumpTo(now, element)
    },
    [present],
  )
  const simulate = () => {
    drawing?.get('toggleMode').toggleMode(!simulating)
  }
  let all: ReadonlyMap<string, Element> | undefined
  const nameOf = (id: string) => {
    const drawn = drawing?.get('elementRegistry').get(id)?.businessObject
    // What a file of another tool has need not be on its diagram.
    const element = drawn ?? (drawing && (all ??= elementsOf(drawing.getDefinitions())).get(id))
    return element ? titleOf(element, t) : id
  }

  return (
    <div className={css['studio']}>
      <header className={css['bar']}>
        <p className={css['where']}>
          <Link href={`/studio/${process}`}>{title}</Link>
        </p>
        <h1>{t('platform.studio.draft')}</h1>
        <SavedState saved={saving.saved} />
        <span className={css['space']} />
        <Segmented<View>
          value={view}
          onChange={setView}
          options={(['diagram', 'tables', 'scenarios'] as const).map((one) => ({
            value: one,
            label: t(`platform.studio-view.${one}`),
          }))}
        />
        <Files drawing={drawing} process={process} write={write} onImport={() => setDialog('import')} />
        <Link href={`/studio/${process}/compare?to=draft`} className={css['linked']}>
          {t('platform.studio.compare')}
        </Link>
        <Button type="primary" disabled={!drawing} onClick={() => setDialog('deploy')}>
          {t('platform.studio.deploy')}
        </Button>
      </header>
      <Refused
        saved={saving.saved}
        onAgain={onAgain}
        onKeep={async () => save(`${process}.bpmn`, asFile(await write()))}
      />
      {draft.behind && <Alert type="warning" banner showIcon title={t('platform.studio.behind')} />}
      {!draws && <Alert type="info" banner showIcon title={t('platform.studio.too-narrow')} />}
      {!draws && drawing && <Steps drawing={drawing} problems={problems ?? []} onJump={jump} />}
      <div className={css['bench']} data-panel={folded.panel ? 'folded' : 'open'} hidden={view !== 'diagram'}>
        <div className={css['board']}>
          {drawing && <Tools drawing={drawing} draws={draws} simulating={simulating} onSimulate={simulate} />}
          <div
            ref={host}
            className={css['canvas']}
            role="group"
            aria-label={t('platform.studio.diagram-of', { title })}
          />
        </div>
        <Chosen
          drawing={drawing}
          vocabulary={vocabulary}
          problems={problems ?? []}
          readOnly={simulating}
          draws={draws}
          folded={folded.panel}
          onFold={() => setFolded({ ...folded, panel: !folded.panel })}
        />
      </div>
      {view === 'tables' && (
        <Tables
          process={process}
          tables={tables}
          onChange={(next) => {
            newest.current = next
            setTables(next)
            change(readTables)
            check()
          }}
        />
      )}
      {view === 'scenarios' && <Scenarios process={process} onBefore={saving.flush} onJump={jump} />}
      <Problems
        problems={problems}
        failed={failed}
        folded={folded.problems}
        onFold={() => setFolded({ ...folded, problems: !folded.problems })}
        titleOf={nameOf}
        onJump={jump}
      />
      {dialog === 'deploy' && (
        <DeployDialog
          process={process}
          title={title}
          draft={draft}
          vocabulary={vocabulary}
          write={write}
          saving={saving}
          problems={problems}
          titleOf={nameOf}
          onJump={jump}
          onDeployed={onDeployed}
          onClose={() => setDialog(undefined)}
        />
      )}
      {dialog === 'import' && drawing && (
        <ImportDialog
          process={process}
          tables={tables}
          title={title}
          onRehearse={(xml) => rehearse(xml, (unseen) => makeModeler(unseen, vocabulary, t, draws))}
          onReplace={async (xml) => {
            try {
              await replace(xml)
            } catch (error) {
              throw new RefusedInWords(t('platform.studio.not-replaced', { reason: (error as Error).message }))
            }
            change(readDiagram)
            check(0)
          }}
          onClose={() => setDialog(undefined)}
        />
      )}
    </div>
  )
}

interface ChosenProps {
  drawing: Drawing | undefined
  vocabulary: Vocabulary
  problems: readonly ModelProblem[]
  readOnly: boolean
  draws: boolean
  folded: boolean
  onFold(): void
}

/** The panel of what is chosen, beside the canvas or over it. It looks at the choice itself: all else stays as it is drawn. */
function Chosen({ drawing, vocabulary, problems, readOnly, draws, folded, onFold }: ChosenProps) {
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

/** What the panel tells of: the one element that is chosen, else the process as a whole. */
function chosenIn(drawing: Drawing): Drawn | undefined {
  const [only, ...others] = drawing.get('selection').get()
  if (only && others.length === 0) return drawing.get('elementRegistry').get(only.labelTarget?.id ?? only.id)
  const root = drawing.get('canvas').getRootElement()
  return root?.businessObject ? root : undefined
}

const asFile = (xml: string) => new Blob([xml], { type: 'application/xml' })

/** Asks the server what is wrong with what is drawn, a moment after each change; an older answer never replaces a newer. */
function useCheck(process: string, write: () => Promise<string>, tables: { current: Table[] }) {
  const [problems, setProblems] = useState<ModelProblem[]>()
  const [failed, setFailed] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const asking = useRef<AbortController>(undefined)
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      asking.current?.abort()
    },
    [],
  )
  const check = useMemo(() => {
    const ask = async () => {
      asking.current?.abort()
      const mine = new AbortController()
      asking.current = mine
      try {
        const answer = await checkModel(process, await write(), tables.current, mine.signal)
        setProblems(answer.problems)
        setFailed(false)
      } catch {
        // What is drawn is kept all the same; the list says that it was not looked at.
        if (!mine.signal.aborted) setFailed(true)
      }
    }
    return (delay = afterChange) => {
      clearTimeout(timer.current)
      timer.current = setTimeout(() => void ask(), delay)
    }
  }, [process, write, tables])
  return { problems, check, failed }
}

function SavedState({ saved }: { saved: Saved }) {
  const { t } = useTexts()
  const { time } = useFormats()
  return (
    <output className={css['saved']} data-state={saved.state}>
      {saved.state === 'saved'
        ? t('platform.studio-saved.saved', { time: time(saved.at) })
        : t(`platform.studio-saved.${saved.state}`)}
    </output>
  )
}

/** What was not taken for good: what is drawn here can be kept as a file before it is given up. */
function Refused({
  saved,
  onAgain,
  onKeep,
}: {
  saved: Saved
  onAgain(takeOver: boolean): void
  onKeep(): Promise<void>
}) {
  const { t } = useTexts()
  if (saved.state !== 'refused') return null
  const locked = saved.code === 'platform.draft-locked'
  return (
    <Alert
      type="error"
      banner
      showIcon
      title={saved.detail}
      description={t('platform.studio.not-saved')}
      action={
        <span className={css['buttons']}>
          <Button size="small" onClick={() => void onKeep()}>
            {t('platform.studio.keep-file')}
          </Button>
          <Button size="small" onClick={() => onAgain(false)}>
            {t('platform.studio.open-theirs')}
          </Button>
          {locked && (
            <Button size="small" onClick={() => onAgain(true)}>
              {t('platform.studio.take-over')}
            </Button>
          )}
        </span>
      }
    />
  )
}

interface StepsProps {
  drawing: Drawing
  problems: readonly ModelProblem[]
  onJump(element: string): void
}

/** What says something that can be changed, by name: on a small screen it is hard to hit. */
function Steps({ drawing, problems, onJump }: StepsProps) {
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

/** What a mouse does on the canvas, for the keyboard and those who do not know the shortcuts. */
function Tools({ drawing, draws, simulating, onSimulate }: ToolsProps) {
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
              // It closes at any click that reaches the page.
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

interface TablesProps {
  process: string
  tables: Table[]
  onChange(tables: Table[]): void
}

/** The decision tables of the draft, one at a time. */
function Tables({ process, tables, onChange }: TablesProps) {
  const { t } = useTexts()
  const [all, setAll] = useState(tables)
  const [shown, setShown] = useState(tables[0]?.key)
  const table = all.find(({ key }) => key === shown)
  const change = (content: string) => {
    const next = all.map((one) => (one.key === shown ? { ...one, content } : one))
    setAll(next)
    onChange(next)
  }
  if (!table) return <div className={css['other']}>{t('platform.studio.no-tables')}</div>
  return (
    <div className={css['other']}>
      {all.length > 1 && (
        <Segmented
          className={css['tables'] ?? ''}
          value={table.key}
          options={all.map(({ key }) => ({ value: key, label: key.replace(/^.*\//, '') }))}
          onChange={setShown}
        />
      )}
      <Suspense fallback={<Skeleton lines={6} />}>
        <DecisionEditor key={table.key} process={process} content={table.content} onChange={change} />
      </Suspense>
    </div>
  )
}

interface ScenariosProps {
  process: string
  onBefore(): Promise<boolean>
  onJump(element: string): void
}

/** The stories of the flow, told with the draft as it is now. */
function Scenarios({ process, onBefore, onJump }: ScenariosProps) {
  return (
    <div className={css['other']}>
      <Suspense fallback={<Skeleton lines={6} />}>
        <ScenariosPanel process={process} draft onBefore={onBefore} onJump={onJump} />
      </Suspense>
    </div>
  )
}

interface FilesProps {
  drawing: Drawing | undefined
  process: string
  write(): Promise<string>
  onImport(): void
}

function Files({ drawing, process, write, onImport }: FilesProps) {
  const { t } = useTexts()
  const attempt = useDo()
  const keep = (kind: 'bpmn' | 'svg' | 'png') =>
    attempt(async () => {
      if (kind === 'bpmn') return save(`${process}.bpmn`, asFile(await write()))
      const { svg } = await drawing!.saveSVG()
      save(`${process}.${kind}`, kind === 'svg' ? new Blob([svg], { type: 'image/svg+xml' }) : await pictureOf(svg))
    })
  return (
    <Dropdown
      trigger={['click']}
      menu={{
        items: [
          { key: 'import', label: t('platform.studio.import'), onClick: onImport },
          { type: 'divider' },
          ...(['bpmn', 'svg', 'png'] as const).map((kind) => ({
            key: kind,
            label: t(`platform.studio-export.${kind}`),
            onClick: () => void keep(kind),
          })),
        ],
      }}
    >
      <Button disabled={!drawing}>{t('platform.studio.files')}</Button>
    </Dropdown>
  )
}
