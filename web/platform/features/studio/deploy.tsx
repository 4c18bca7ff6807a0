import { Alert, Button, Form, Input } from 'antd'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { runScenarios, useRun, useScenarios } from '../../kernel/api/scenarios.ts'
import {
  deployDraft,
  useContent,
  useModels,
  type Draft,
  type ModelProblem,
  type Vocabulary,
} from '../../kernel/api/studio.ts'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { useAct } from '../../kernel/states/act.ts'
import { FormDialog } from '../../kernel/form/form-dialog.tsx'
import { useTexts } from '../../kernel/texts/texts.ts'
import { tableDifferences } from './model/tables.ts'
import { useBpmn } from './model/use-bpmn.ts'
import { NobodyDecides } from './nobody-decides.tsx'
import { ProblemList } from './problems.tsx'
import { Reasons, Went } from './scenarios/outcomes.tsx'
import type { Saving } from './saving.ts'
import css from './studio.module.css'
import { Differences, TableDifferences, useDifferences } from './words.tsx'

interface DeployDialogProps {
  process: string
  title: string
  draft: Draft
  vocabulary: Vocabulary
  write(): Promise<string>
  saving: Saving
  problems: readonly ModelProblem[] | undefined
  titleOf(element: string): string
  onJump(element: string): void
  onDeployed(): void
  onClose(): void
}

/** Deploys the draft: shows the changes, asks for a note, then offers to migrate running cases. */
export function DeployDialog({
  process,
  title,
  draft,
  vocabulary,
  write,
  saving,
  problems,
  titleOf,
  onJump,
  onDeployed,
  onClose,
}: DeployDialogProps) {
  const { t } = useTexts()
  const [, navigate] = useLocation()
  const [form] = Form.useForm<Answer>()
  const [open, setOpen] = useState(true)
  const [bpmn, setBpmn] = useState<string>()
  const [results, setResults] = useState<string>()
  const act = useAct()
  const model = useModels().data?.items.find((one) => one.process === process)
  const running = model?.running
  const before = useContent(process, running?.definitionId ?? null)
  const old = useBpmn(before.data?.bpmn)
  const present = useBpmn(bpmn)
  const found = useDifferences(old.definitions, present.definitions, vocabulary)
  const tables = before.data ? tableDifferences(before.data.dmn, draft.dmn) : []

  useEffect(() => {
    void act.run(async () => setBpmn(await write()))
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, when the dialog opens
  }, [])

  const errors = (problems ?? []).filter(({ level }) => level === 'error')
  const undecided = (problems ?? []).filter(({ rule }) => rule === 'nobody-decides')
  const cases = model?.cases.reduce((sum, one) => sum + one.running, 0) ?? 0
  const send = ({ note, meant }: Answer) =>
    act.run(async () => {
      // The server deploys what it has, so save first.
      if (!(await saving.flush())) return
      const answer = await deployDraft(process, {
        revision: saving.revision(),
        note,
        ...(results && { results }),
        ...(meant && { nobodyDecides: true }),
      })
      onDeployed()
      setOpen(false)
      const to = answer.deployed?.definitionId
      if (to && running && cases > 0)
        navigate(
          `/studio/${process}/migrate?from=${encodeURIComponent(running.definitionId)}&to=${encodeURIComponent(to)}`,
        )
      else navigate(`/studio/${process}`)
    }, form)
  const leaveFor = (element: string) => {
    setOpen(false)
    onJump(element)
  }
  return (
    <FormDialog
      open={open}
      title={t('platform.studio.deploy-title', { title })}
      width={720}
      verb={model?.secondOwner || undecided.length > 0 ? t('platform.studio.propose') : t('platform.studio.deploy')}
      disabled={problems === undefined || errors.length > 0 || bpmn === undefined}
      act={act}
      form={form}
      onFinish={(values) => void send(values)}
      close={() => setOpen(false)}
      afterClose={onClose}
      consequence={
        <>
          <section className={css['part']}>
            <h3>{t('platform.studio.problems')}</h3>
            <Hindering checked={problems !== undefined} errors={errors} titleOf={titleOf} onJump={leaveFor} />
          </section>
          <section className={css['part']}>
            <h3>{t('platform.studio.differences')}</h3>
            {!found && <Skeleton lines={3} />}
            {found && (found.length > 0 || tables.length === 0) && <Differences of={found} />}
            {tables.length > 0 && <TableDifferences of={tables} />}
          </section>
          <section className={css['part']}>
            <h3>{t('platform.studio-view.scenarios')}</h3>
            <Results process={process} runId={results} saving={saving} onRun={setResults} onJump={leaveFor} />
          </section>
          <section className={css['part']}>
            <h3>{t('platform.studio.running-cases')}</h3>
            <p>{cases > 0 ? t('platform.studio.cases-stay', { count: cases }) : t('platform.studio.no-cases')}</p>
            {model?.secondOwner && undecided.length === 0 && <p>{t('platform.studio.asks-second')}</p>}
          </section>
        </>
      }
    >
      {undecided.length > 0 && <NobodyDecides rows={undecided.map(({ reason }) => reason)} />}
      <Form.Item
        name="note"
        label={t('platform.studio.note')}
        extra={t('platform.studio.note-help')}
        rules={[{ required: true, whitespace: true, message: t('platform.field-required') }]}
      >
        <Input.TextArea autoSize={{ minRows: 2, maxRows: 6 }} maxLength={2000} />
      </Form.Item>
    </FormDialog>
  )
}

interface HinderingProps {
  checked: boolean
  errors: readonly ModelProblem[]
  titleOf(element: string): string
  onJump(element: string): void
}

/** What blocks the deployment. */
function Hindering({ checked, errors, titleOf, onJump }: HinderingProps) {
  const { t } = useTexts()
  if (!checked) return <p>{t('platform.studio.checking')}</p>
  if (errors.length === 0) return <p>{t('platform.studio.no-problems')}</p>
  return (
    <>
      <Alert type="error" title={t('platform.studio.not-deployable', { count: errors.length })} />
      <ProblemList problems={errors} titleOf={titleOf} onJump={onJump} />
    </>
  )
}

interface Answer {
  note: string
  meant?: boolean
}

interface ResultsProps {
  process: string
  runId: string | undefined
  saving: Saving
  onRun(runId: string | undefined): void
  onJump(element: string): void
}

/** Which of the flow's scenarios pass on the draft; the run is stored with the deployed version. */
function Results({ process, runId, saving, onRun, onJump }: ResultsProps) {
  const { t } = useTexts()
  const scenarios = useScenarios(process)
  const [begun, setBegun] = useState<string>()
  const run = useRun(process, begun)
  const act = useAct()
  const items = scenarios.data?.items
  // Only one run of all scenarios on the current draft says how they do on the new version.
  const [first, ...others] = new Set(items?.map(({ last }) => (last?.ofDraft && !last.outdated ? last.runId : null)))
  const whole = (others.length === 0 && first) || undefined
  useEffect(() => onRun(whole), [whole, onRun])
  const begin = () =>
    act.run(async () => {
      if (await saving.flush()) setBegun(await runScenarios(process, { draft: true }))
    })
  if (!items) return <Skeleton lines={2} />
  if (items.length === 0) return <p>{t('platform.studio.no-scenarios')}</p>
  const going = begun !== undefined && (!run.data || run.data.state === 'running')
  const passed = items.filter(({ last }) => last?.passed).length
  return (
    <>
      <p role="status">
        {going
          ? t('platform.studio-scenarios.under-way', {
              done: run.data?.done ?? 0,
              total: run.data?.total ?? items.length,
            })
          : runId !== undefined
            ? t('platform.studio.scenarios-passed', { passed, total: items.length })
            : t('platform.studio.scenarios-not-run', { count: items.length })}
      </p>
      <ul className={css['problemList']}>
        {items.map(({ id, scenario, last }) => (
          <li key={id} data-level={last?.outdated === false && !last.passed ? 'error' : 'fine'}>
            {scenario.name} <Went last={last} />
            {last && last.reasons.length > 0 && <Reasons reasons={last.reasons} onJump={onJump} />}
          </li>
        ))}
      </ul>
      <Button size="small" loading={act.busy || going} onClick={() => void begin()}>
        {t('platform.studio.run-scenarios')}
      </Button>
      {run.data?.state === 'failed' && (
        <Alert type="error" role="alert" title={t('platform.studio-scenarios.broken')} />
      )}
      {act.refusal && <Alert type="error" role="alert" title={act.refusal} />}
    </>
  )
}
