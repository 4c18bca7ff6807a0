import { Alert, Modal, Select } from 'antd'
import { useEffect, useId, useRef, useState, type RefObject } from 'react'
import useSWR from 'swr'
import { previewBulk, startBulk, type BulkPreview, type BulkWanted } from '../../kernel/api/bulk.ts'
import type { TaskRow } from '../../kernel/client/types.ts'
import { useRead } from '../../kernel/api/read.ts'
import { peoplePath } from '../../kernel/api/task-acts.ts'
import { startingValue, type FormValue } from '../../kernel/form/conditions.ts'
import { SchemaForm, type FormHandle } from '../../kernel/form/schema-form.tsx'
import { useAct } from '../../kernel/states/act.ts'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { deskOf, partOf, refuses, withoutDots } from '../case/outcomes.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import type { Planned } from './bulk-bar.tsx'
import css from './bulk-dialog.module.css'

interface BulkDialogProps {
  planned: Planned
  rows: readonly TaskRow[]
  /** Called when the dialog has closed; `begun` says whether the act was started. */
  onClose(begun: boolean): void
}

/** Before a bulk act: tasks that are refused and why, the act's fields, and one confirmation. */
export default function BulkDialog({ planned, rows, onClose }: BulkDialogProps) {
  const { t } = useTexts()
  const [open, setOpen] = useState(true)
  const [begun, setBegun] = useState(false)
  const [to, setTo] = useState<string>()
  // The selection is fixed for the dialog, whatever the list does behind it.
  const [tasks] = useState(() => rows.map(({ id }) => id))
  const wanted: BulkWanted = { kind: planned.kind, tasks, ...(to ? { to } : {}) }
  const ready = planned.kind !== 'assign' || to !== undefined
  const looked = useSWR<BulkPreview, unknown>(
    ready ? ['bulk', wanted] : null,
    () => previewBulk(wanted),
    // No reload while somebody reads it: each task is checked again when its turn comes.
    { revalidateOnFocus: false, revalidateOnReconnect: false },
  )
  // With the answer more tasks may be refused than without.
  const [answered, setAnswered] = useState<BulkPreview>()
  const data = answered ?? looked.data
  const { run, busy, refusal } = useAct()
  const fields = useRef<FormHandle>(null)
  const outcome = data?.outcomes.find(({ value }) => value === planned.outcome)
  const verb = outcome ? withoutDots(t(outcome.title)) : t(`platform.inbox.bulk.${planned.kind}`)
  const count = data?.doable.length ?? 0

  const begin = () => {
    if (fields.current && !fields.current.check()) return
    void run(async () => {
      const { outcome: value } = planned
      const given = value ? { outcome: value, data: { ...fields.current?.data(), outcome: value } } : {}
      if (value) {
        const last = await previewBulk({ ...wanted, ...given })
        // Shows new refusals before it starts.
        if (last.refused.length !== data?.refused.length) return setAnswered(last)
      }
      await startBulk({ ...wanted, ...given, tasks: data?.doable ?? [] })
      setBegun(true)
      setOpen(false)
    })
  }
  return (
    <Modal
      open={open}
      title={t('platform.inbox.bulk.title', { act: verb, count: tasks.length })}
      width={600}
      okText={count > 0 ? t('platform.inbox.bulk.ok', { act: verb, count }) : verb}
      okButtonProps={{ disabled: count === 0, loading: busy, danger: refuses(planned.outcome ?? null) }}
      cancelText={t('platform.cancel')}
      onOk={begin}
      onCancel={() => setOpen(false)}
      afterClose={() => onClose(begun)}
    >
      <div className={css['body']}>
        {planned.kind === 'assign' && <Recipient task={tasks[0] ?? ''} value={to} onChange={setTo} />}
        {looked.error ? (
          <Trouble error={looked.error} onRetry={() => void looked.mutate()} />
        ) : data ? (
          <>
            <Refused of={data} all={tasks.length} />
            {planned.outcome && count > 0 && <Asked of={data} outcome={planned.outcome} handle={fields} />}
          </>
        ) : (
          ready && <Skeleton lines={4} />
        )}
        {refusal && <Alert type="error" role="alert" title={refusal} />}
      </div>
    </Modal>
  )
}

/** The refused tasks with reasons. */
function Refused({ of: { doable, refused }, all }: { of: BulkPreview; all: number }) {
  const { t } = useTexts()
  if (refused.length === 0) return <p role="status">{t('platform.inbox.bulk.all-can', { count: all })}</p>
  return (
    <section className={css['refused']} aria-labelledby="bulk-refused">
      <h2 id="bulk-refused">
        <output>
          {doable.length > 0
            ? t('platform.inbox.bulk.cannot', { count: refused.length, all })
            : t('platform.inbox.bulk.none-can')}
        </output>
      </h2>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a long list is scrolled by keyboard as well */}
      <ul tabIndex={refused.length > 4 ? 0 : undefined} aria-labelledby="bulk-refused">
        {refused.map(({ task, reference, title, message }) => (
          <li key={task}>
            <strong>{title ?? t('platform.inbox.bulk.unknown')}</strong> {reference && <small>{reference}</small>}
            <p>{message}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The fields of the outcome, once for all tasks. */
function Asked({
  of: { form },
  outcome,
  handle,
}: {
  of: BulkPreview
  outcome: string
  handle: RefObject<FormHandle | null>
}) {
  const [value, setValue] = useState<FormValue>(() => (form ? startingValue(form.schema) : {}))
  if (!form) return null
  const desk = deskOf(form.schema)
  const { asks, demands } = desk.outcomes.find((each) => each.value === outcome) ?? { asks: [], demands: [] }
  const names = [...desk.always, ...asks]
  if (names.length === 0) return null
  return (
    <SchemaForm
      ref={handle}
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- the reader has just asked for these fields
      autoFocus
      form={{ ...form, schema: partOf(form.schema, names, demands) }}
      value={{ ...value, outcome }}
      onChange={setValue}
    />
  )
}

/** Who gets the tasks: a candidate of the first one. */
function Recipient({ task, value, onChange }: { task: string; value: string | undefined; onChange(id: string): void }) {
  const { t } = useTexts()
  const id = useId()
  const [typed, setTyped] = useState('')
  const [search, setSearch] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSearch(typed), 250)
    return () => clearTimeout(timer)
  }, [typed])
  const { data, isLoading } = useRead<{ items: { id: string; name: string; post: string | null }[] }>(
    peoplePath(task, 'assign', search),
  )
  return (
    <div className={css['to']}>
      <label htmlFor={id}>{t('platform.inbox.bulk.to')}</label>
      <Select
        id={id}
        showSearch={{ filterOption: false, onSearch: setTyped }}
        loading={isLoading}
        placeholder={t('platform.form.search-and-choose')}
        notFoundContent={t(isLoading ? 'platform.loading' : 'platform.form.none-found')}
        value={value ?? null}
        options={(data?.items ?? []).map((each) => ({
          value: each.id,
          label: each.post ? `${each.name}, ${each.post}` : each.name,
        }))}
        onChange={(chosen: string | null) => chosen && onChange(chosen)}
      />
    </div>
  )
}
