import { Alert, Button, Input, InputNumber, Modal, Progress, Tag } from 'antd'
import { useState } from 'react'
import {
  deleteScenario,
  rehearse,
  runScenarios,
  saveScenario,
  useRun,
  useScenarios,
  type Run,
  type Scenario,
  type ScenarioRow,
} from '../../api/scenarios.ts'
import { useAct } from '../../states/act.ts'
import { Empty } from '../../states/empty.tsx'
import { Skeleton } from '../../states/skeleton.tsx'
import { Trouble } from '../../states/trouble.tsx'
import { useTexts } from '../../texts/texts.ts'
import css from './panel.module.css'

interface PanelProps {
  process: string
  /** The diagram as it is drawn now; undefined where only the version that runs is looked at. */
  bpmn?: string
  /** Shows an element on the canvas. */
  onJump?: (element: string) => void
}

/** The stories of a flow: told to the engine one by one or all, and real cases told anew. */
export function ScenariosPanel({ process, bpmn, onJump }: PanelProps) {
  const { t } = useTexts()
  const { data, error, mutate } = useScenarios(process)
  const [runId, setRunId] = useState<string>()
  const run = useRun(process, runId)
  const [last, setLast] = useState(10)
  const [leftOut, setLeftOut] = useState<string[]>([])
  const [edited, setEdited] = useState<{ id?: string; scenario: Scenario }>()
  const act = useAct()
  const going = runId !== undefined && (!run.data || run.data.state === 'running')

  if (error && !data) return <Trouble error={error} onRetry={() => void mutate()} />
  if (!data) return <Skeleton />
  const begin = (how: () => Promise<{ runId: string; leftOut?: string[] }>) =>
    void act.run(async () => {
      const begun = await how()
      setRunId(begun.runId)
      setLeftOut(begun.leftOut ?? [])
    })
  const draft = bpmn !== undefined
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
        <Button onClick={() => setEdited({ scenario: example })}>{t('platform.studio-scenarios.add')}</Button>
        <span className={css['rehearse']}>
          <Button disabled={going} onClick={() => begin(() => rehearse(process, last))}>
            {t('platform.studio-scenarios.rehearse')}
          </Button>
          <InputNumber
            min={1}
            max={50}
            value={last}
            aria-label={t('platform.studio-scenarios.last')}
            onChange={(value) => setLast(value ?? 10)}
          />
        </span>
      </div>
      {act.refusal && <Alert type="error" showIcon title={act.refusal} />}
      {run.error && !run.data && <Trouble error={run.error} onRetry={() => void run.mutate()} />}
      {leftOut.length > 0 && (
        <Alert type="info" showIcon title={t('platform.studio-scenarios.left-out', { cases: leftOut.join(', ') })} />
      )}
      {run.data && <RunView run={run.data} {...(onJump && { onJump })} />}
      {data.items.length === 0 ? (
        <Empty title={t('platform.studio-scenarios.none')}>{t('platform.studio-scenarios.none-detail')}</Empty>
      ) : (
        <ul className={css['list']}>
          {data.items.map((row) => (
            <Row
              key={row.id}
              row={row}
              disabled={going}
              onRun={() => begin(async () => ({ runId: await runScenarios(process, { ids: [row.id], draft }) }))}
              onEdit={() => setEdited({ ...(row.source === 'owner' && { id: row.id }), scenario: row.scenario })}
              onDelete={() => void act.run(() => deleteScenario(process, row.id))}
            />
          ))}
        </ul>
      )}
      {edited && (
        <Editor
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

/** What a new one begins with, so that its parts can be seen. */
const example: Scenario = { name: '', start: {}, steps: [{ passes: 'P1D' }], expect: { at: [] } }

function Row({
  row: { scenario, source, last },
  disabled,
  onRun,
  onEdit,
  onDelete,
}: {
  row: ScenarioRow
  disabled: boolean
  onRun: () => void
  onEdit: () => void
  onDelete: () => void
}) {
  const { t } = useTexts()
  return (
    <li className={css['row']}>
      <span className={css['name']}>{scenario.name}</span>
      <Tag {...(last && { color: last.passed ? 'success' : 'error' })}>
        {t(
          last
            ? last.passed
              ? 'platform.studio-scenarios.passed'
              : 'platform.studio-scenarios.failed'
            : 'platform.studio-scenarios.never',
        )}
      </Tag>
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
    </li>
  )
}

function told({ state, kind }: Run): string {
  if (state === 'running') return 'platform.studio-scenarios.under-way'
  return kind === 'rehearsal' ? 'platform.studio-scenarios.rehearsed' : 'platform.studio-scenarios.told'
}

/** How a run goes, and for each story why it went otherwise; what names an element leads to it. */
function RunView({ run, onJump }: { run: Run; onJump?: (element: string) => void }) {
  const { t } = useTexts()
  const failed = run.results.filter(({ passed }) => !passed)
  return (
    <div className={css['run']} role="status">
      <Progress
        percent={run.total === 0 ? 100 : Math.round((100 * run.done) / run.total)}
        status={run.state === 'failed' || failed.length > 0 ? 'exception' : run.state === 'done' ? 'success' : 'active'}
        aria-label={t('platform.studio-scenarios.progress')}
      />
      <p>
        {run.state === 'failed'
          ? t('platform.studio-scenarios.broken')
          : t(told(run), { passed: run.passed, done: run.done, total: run.total })}
      </p>
      <ul className={css['list']}>
        {failed.map(({ name, reasons }) => (
          <li key={name}>
            <strong>{name}</strong>
            <ul>
              {reasons.map(({ element, reason }) => (
                <li key={reason}>
                  {element && onJump ? (
                    <Button type="link" className={css['jump']} onClick={() => onJump(element)}>
                      {reason}
                    </Button>
                  ) : (
                    reason
                  )}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** A story as its text: start, steps, answers of workers, and what is expected. */
function Editor({
  scenario,
  onSave,
  onCancel,
}: {
  scenario: Scenario
  onSave: (scenario: Scenario) => Promise<void>
  onCancel: () => void
}) {
  const { t } = useTexts()
  const { name: given, ...rest } = scenario
  const [name, setName] = useState(given)
  const [text, setText] = useState(() => JSON.stringify(rest, null, 2))
  const act = useAct()
  const parsed = parse(text)
  const save = () =>
    void act.run(async () => {
      if (parsed) await onSave({ ...parsed, name: name.trim() })
    })
  return (
    <Modal
      open
      title={t('platform.studio-scenarios.scenario')}
      okText={t('platform.studio-scenarios.save')}
      cancelText={t('platform.studio-scenarios.cancel')}
      okButtonProps={{ disabled: !parsed || name.trim() === '', loading: act.busy }}
      onOk={save}
      onCancel={onCancel}
      width={720}
    >
      <div className={css['editor']}>
        <label>
          {t('platform.studio-scenarios.name')}
          <Input value={name} maxLength={200} onChange={({ target }) => setName(target.value)} />
        </label>
        <label>
          {t('platform.studio-scenarios.story')}
          <Input.TextArea
            className={css['story']!}
            value={text}
            autoSize={{ minRows: 12, maxRows: 24 }}
            spellCheck={false}
            onChange={({ target }) => setText(target.value)}
          />
        </label>
        <p>{t('platform.studio-scenarios.story-help')}</p>
        {!parsed && <Alert type="warning" title={t('platform.studio-scenarios.unread')} />}
        {act.refusal && <Alert type="error" showIcon title={act.refusal} />}
      </div>
    </Modal>
  )
}

/** What the text says; undefined while it is no scenario. The server reads the rest. */
function parse(text: string): Omit<Scenario, 'name'> | undefined {
  try {
    const read: unknown = JSON.parse(text)
    return typeof read === 'object' && read !== null && 'steps' in read && 'expect' in read
      ? (read as Omit<Scenario, 'name'>)
      : undefined
  } catch {
    // Half written: there is nothing to save yet.
    return undefined
  }
}
