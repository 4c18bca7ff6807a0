import { Alert, Button, Input, InputNumber, Modal, Progress } from 'antd'
import { useState } from 'react'
import {
  deleteScenario,
  recordScenario,
  rehearse,
  runScenarios,
  saveScenario,
  useRun,
  useScenarios,
  type Run,
  type Scenario,
  type ScenarioRow,
} from '../../../kernel/api/scenarios.ts'
import { useAct } from '../../../kernel/states/act.ts'
import { Empty } from '../../../kernel/states/empty.tsx'
import { Skeleton } from '../../../kernel/states/skeleton.tsx'
import { Trouble } from '../../../kernel/states/trouble.tsx'
import { useFormats } from '../../../kernel/texts/formats.ts'
import { useTexts } from '../../../kernel/texts/texts.ts'
import { ScenarioEditor } from './editor.tsx'
import { Reasons, Went } from './outcomes.tsx'
import css from './panel.module.css'

interface PanelProps {
  process: string
  /** Whether it is about the open draft, not the deployed version. */
  draft: boolean
  /** Saves the draft as drawn; false if that failed. */
  onBefore?: () => Promise<boolean>
  /** Shows an element on the canvas. */
  onJump?: (element: string) => void
}

interface Edited {
  id?: string
  scenario: Scenario
}

/** The scenarios of a flow: run one or all, or rehearse ended cases. */
export function ScenariosPanel({ process, draft, onBefore, onJump }: PanelProps) {
  const { t } = useTexts()
  const { data, error, mutate } = useScenarios(process)
  const [begun, setBegun] = useState<string>()
  const runId = begun ?? data?.running ?? undefined
  const run = useRun(process, runId)
  const rehearsal = useRun(process, data?.rehearsal ?? undefined)
  const [last, setLast] = useState(10)
  const [leftOut, setLeftOut] = useState<string[]>([])
  const [edited, setEdited] = useState<Edited>()
  const [recording, setRecording] = useState<string>()
  const act = useAct()
  const going = runId !== undefined && (!run.data || run.data.state === 'running')

  if (error && !data) return <Trouble error={error} onRetry={() => void mutate()} />
  if (!data) return <Skeleton />
  const begin = (how: () => Promise<{ runId: string; leftOut?: string[] }>) =>
    void act.run(async () => {
      // The server runs what it has, so save first.
      if (onBefore && !(await onBefore())) return
      const { runId: id, leftOut: without = [] } = await how()
      setBegun(id)
      setLeftOut(without)
      await mutate()
    })
  return (
    <section className={css['panel']} aria-label={t('platform.studio-scenarios')}>
      <div className={css['acts']}>
        <Button
          type="primary"
          disabled={going || data.items.length === 0}
          loading={act.busy}
          onClick={() => begin(async () => ({ runId: await runScenarios(process, { draft }) }))}
        >
          {t('platform.studio-scenarios.run-all')}
        </Button>
        <Button onClick={() => setEdited({ scenario: empty })}>{t('platform.studio-scenarios.add')}</Button>
        <Button onClick={() => setRecording('')}>{t('platform.studio-scenarios.record')}</Button>
      </div>
      {act.refusal && <Alert type="error" showIcon title={act.refusal} />}
      {run.error && !run.data && <Trouble error={run.error} onRetry={() => void run.mutate()} />}
      {run.data && (going || run.data.kind === 'scenarios' || run.data.state === 'failed') && <Going run={run.data} />}
      {data.items.length === 0 ? (
        <Empty title={t('platform.studio-scenarios.none')}>{t('platform.studio-scenarios.none-detail')}</Empty>
      ) : (
        <ul className={css['list']}>
          {data.items.map((row) => (
            <Row
              key={row.id}
              row={row}
              disabled={going}
              {...(onJump && { onJump })}
              onRun={() => begin(async () => ({ runId: await runScenarios(process, { ids: [row.id], draft }) }))}
              onEdit={() =>
                setEdited(
                  row.source === 'owner'
                    ? { id: row.id, scenario: row.scenario }
                    : {
                        scenario: {
                          ...row.scenario,
                          name: t('platform.studio-scenarios.copy-of', { name: row.scenario.name }),
                        },
                      },
                )
              }
              onDelete={() => void act.run(() => deleteScenario(process, row.id))}
            />
          ))}
        </ul>
      )}
      <section className={css['panel']} aria-labelledby="rehearsal">
        <h2 id="rehearsal" className={css['heading']}>
          {t('platform.studio-scenarios.rehearsal')}
        </h2>
        <p className={css['help']}>{t('platform.studio-scenarios.rehearsal-help')}</p>
        <div className={css['acts']}>
          <InputNumber
            min={1}
            max={50}
            value={last}
            aria-label={t('platform.studio-scenarios.last')}
            onChange={(value) => setLast(value ?? 10)}
          />
          <Button disabled={going} onClick={() => begin(() => rehearse(process, last))}>
            {t('platform.studio-scenarios.rehearse')}
          </Button>
        </div>
        {leftOut.length > 0 && (
          <Alert type="info" showIcon title={t('platform.studio-scenarios.left-out', { cases: leftOut.join(', ') })} />
        )}
        {rehearsal.data && <Rehearsed run={rehearsal.data} onKeep={setRecording} {...(onJump && { onJump })} />}
      </section>
      {recording !== undefined && (
        <Recording
          process={process}
          reference={recording}
          onRecorded={(scenario) => {
            setRecording(undefined)
            setEdited({ scenario: { ...scenario, name: '' } })
          }}
          onCancel={() => setRecording(undefined)}
        />
      )}
      {edited && (
        <ScenarioEditor
          process={process}
          draft={draft}
          scenario={edited.scenario}
          onCancel={() => setEdited(undefined)}
          onSave={async (scenario) => {
            await saveScenario(process, edited.id, scenario)
            setEdited(undefined)
          }}
        />
      )}
    </section>
  )
}

const empty: Scenario = { name: '', start: {}, steps: [], expect: {} }

interface RowProps {
  row: ScenarioRow
  disabled: boolean
  onJump?: (element: string) => void
  onRun: () => void
  onEdit: () => void
  onDelete: () => void
}

function Row({ row: { scenario, source, last }, disabled, onJump, onRun, onEdit, onDelete }: RowProps) {
  const { t } = useTexts()
  return (
    <li className={css['row']}>
      <span className={css['name']}>{scenario.name}</span>
      <span>
        <Went last={last} />
      </span>
      <span className={css['rowActs']}>
        <Button size="small" disabled={disabled} onClick={onRun}>
          {t('platform.studio-scenarios.run')}
        </Button>
        <Button size="small" onClick={onEdit}>
          {t(source === 'owner' ? 'platform.studio-scenarios.change' : 'platform.studio-scenarios.copy')}
        </Button>
        {source === 'owner' && (
          <Button size="small" danger onClick={onDelete}>
            {t('platform.studio-scenarios.delete')}
          </Button>
        )}
      </span>
      {last && last.reasons.length > 0 && <Reasons reasons={last.reasons} {...(onJump && { onJump })} />}
    </li>
  )
}

/** The progress and the result of a run. */
function Going({ run: { kind, state, total, done, passed } }: { run: Run }) {
  const { t } = useTexts()
  const told = kind === 'rehearsal' ? 'platform.studio-scenarios.rehearsed' : 'platform.studio-scenarios.told'
  return (
    <div role="status">
      {state === 'running' && (
        <Progress
          percent={total === 0 ? 100 : Math.round((100 * done) / total)}
          status="active"
          aria-label={t('platform.studio-scenarios.progress')}
        />
      )}
      {state === 'failed' ? (
        <Alert type="error" showIcon title={t('platform.studio-scenarios.broken')} />
      ) : (
        t(state === 'running' ? 'platform.studio-scenarios.under-way' : told, { passed, done, total })
      )}
    </div>
  )
}

interface RehearsedProps {
  run: Run
  onKeep: (reference: string) => void
  onJump?: (element: string) => void
}

/** Which ended cases would have taken another path, and where; each can be saved as a scenario. */
function Rehearsed({ run, onKeep, onJump }: RehearsedProps) {
  const { t } = useTexts()
  const { dateTime } = useFormats()
  const { state, askedAt, ofDraft, outdated, passed, total, results } = run
  if (state !== 'done') return null
  const differing = results.filter((result) => !result.passed)
  return (
    <>
      <p>
        {t('platform.studio-scenarios.rehearsed', { passed, total })} ·{' '}
        {t(ofDraft ? 'platform.studio-scenarios.draft-at' : 'platform.studio-scenarios.version-at', {
          at: dateTime(askedAt),
        })}
      </p>
      {outdated && <Alert type="warning" showIcon title={t('platform.studio-scenarios.rehearse-again')} />}
      {differing.length > 0 && (
        <ul className={css['list']} aria-label={t('platform.studio-scenarios.differing')}>
          {differing.map(({ name, reasons }) => (
            <li key={name} className={css['row']}>
              <span className={css['name']}>{name}</span>
              <span className={css['rowActs']}>
                <Button size="small" onClick={() => onKeep(name)}>
                  {t('platform.studio-scenarios.keep')}
                </Button>
              </span>
              <Reasons reasons={reasons} {...(onJump && { onJump })} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

interface RecordingProps {
  process: string
  reference: string
  onRecorded: (scenario: Scenario) => void
  onCancel: () => void
}

/** Asks for the ended case from which to record a scenario. */
function Recording({ process, reference, onRecorded, onCancel }: RecordingProps) {
  const { t } = useTexts()
  const [typed, setTyped] = useState(reference)
  const act = useAct()
  const record = () => act.run(async () => onRecorded(await recordScenario(process, typed.trim())))
  return (
    <Modal
      open
      title={t('platform.studio-scenarios.record')}
      okText={t('platform.studio-scenarios.record-ok')}
      cancelText={t('platform.cancel')}
      okButtonProps={{ disabled: typed.trim() === '', loading: act.busy }}
      onOk={() => void record()}
      onCancel={onCancel}
    >
      <div className={css['editor']}>
        <p>{t('platform.studio-scenarios.record-help')}</p>
        <label className={css['field']}>
          {t('platform.studio-scenarios.reference')}
          <Input
            value={typed}
            maxLength={60}
            autoComplete="off"
            onChange={({ target }) => setTyped(target.value)}
            onPressEnter={() => void record()}
          />
        </label>
        {act.refusal && <Alert type="error" showIcon role="alert" title={act.refusal} />}
      </div>
    </Modal>
  )
}
