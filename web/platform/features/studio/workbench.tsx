import { Alert } from 'antd'
import { useCallback, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Draft, Vocabulary } from '../../kernel/api/studio.ts'
import { save } from '../../kernel/files/save.ts'
import { Refused as RefusedInWords } from '../../kernel/states/act.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { Steps, Tools } from './canvas-tools.tsx'
import { jumpTo } from './canvas/parts.ts'
import { Chosen } from './chosen.tsx'
import { DeployDialog } from './deploy.tsx'
import { DraftBar, type View } from './draft-bar.tsx'
import { Scenarios, Tables } from './draft-views.tsx'
import { ImportDialog } from './import.tsx'
import { elementsOf, type Element } from './model/element.ts'
import { modelFile } from './model/file.ts'
import { titleOf } from './model/naming.ts'
import { makeModeler } from './modeler/modeler.ts'
import { rehearse } from './modeler/rehearse.ts'
import { useSimulation } from './modeler/simulation.ts'
import { useDrawing } from './modeler/use-drawing.ts'
import { Problems } from './problems.tsx'
import { Refused } from './refused.tsx'
import css from './studio.module.css'
import { useDraft } from './use-draft.ts'

interface WorkbenchProps {
  process: string
  title: string
  draft: Draft
  vocabulary: Vocabulary
  /** Whether there is room to add, move and connect; otherwise only properties can change. */
  draws: boolean
  /** Reloads the draft from the server; `true` takes over the lock. */
  onAgain(takeOver: boolean): void
  /** The draft has become a version or a proposal, so there is no lock to hold. */
  onDeployed(): void
}

/** The editor of a draft: canvas, panel and problems. */
export default function Workbench({ process, title, draft, vocabulary, draws, onAgain, onDeployed }: WorkbenchProps) {
  const { t } = useTexts()
  const document = useDrawing(draft.bpmn, vocabulary, draws)
  const { host, drawing, present, write } = document
  const { saving, tables, changeTables, problems, failed, documentReplaced } = useDraft(process, draft, document)
  const [simulating, simulate] = useSimulation(drawing)
  const [view, setView] = useState<View>('diagram')
  const [folded, setFolded] = useState({ panel: false, problems: false })
  const [dialog, setDialog] = useState<'deploy' | 'import'>()

  const jump = useCallback(
    (element: string) => {
      // A hidden canvas has no size, so jumping would have no effect.
      flushSync(() => setView('diagram'))
      const now = present()
      if (now) jumpTo(now, element)
    },
    [present],
  )
  let all: ReadonlyMap<string, Element> | undefined
  const nameOf = (id: string) => {
    const drawn = drawing?.get('elementRegistry').get(id)?.businessObject
    // Elements of an imported file may be missing from its diagram.
    const element = drawn ?? (drawing && (all ??= elementsOf(drawing.getDefinitions())).get(id))
    return element ? titleOf(element, t) : id
  }

  return (
    <div className={css['studio']}>
      <DraftBar
        process={process}
        title={title}
        saved={saving.saved}
        drawing={drawing}
        view={view}
        onView={setView}
        write={write}
        onDialog={setDialog}
      />
      <Refused
        saved={saving.saved}
        onAgain={onAgain}
        onKeep={async () => save(`${process}.bpmn`, modelFile(await write()))}
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
      {view === 'tables' && <Tables process={process} tables={tables} onChange={changeTables} />}
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
            await document.replace(xml).catch((error: Error) => {
              throw new RefusedInWords(t('platform.studio.not-replaced', { reason: error.message }))
            })
            documentReplaced()
          }}
          onClose={() => setDialog(undefined)}
        />
      )}
    </div>
  )
}
