import { Alert, Button, Modal } from 'antd'
import { useEffect, useRef, useState } from 'react'
import useSWR from 'swr'
import { Link } from 'wouter'
import type { EntryChoice } from '../../kernel/api/entry-batches.ts'
import { useFlow } from '../../kernel/api/flows.ts'
import {
  previewGathered,
  startGathered,
  type GatherChoice,
  type GatheredCases,
  type GatherPreview,
} from '../../kernel/api/gathered-cases.ts'
import { Problem } from '../../kernel/client/client.ts'
import type { Flow, FormSchema } from '../../kernel/client/types.ts'
import { startingValue, type FormValue } from '../../kernel/form/conditions.ts'
import { SchemaForm, type FormHandle } from '../../kernel/form/schema-form.tsx'
import { useSending } from '../../kernel/form/send.ts'
import { isRecord } from '../../kernel/record/fields.ts'
import { useConfirm } from '../../kernel/states/confirm.ts'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './entry-batch.module.css'
import { LeftOut, Told } from './left-out.tsx'
import type { Register } from './registers.ts'

interface GatherDialogProps {
  flow: Register['gatherFlows'][number]
  choice: EntryChoice
  /** Called when the dialog has closed; `begun` says whether something was sent. */
  onClose(begun: boolean): void
}

/** Starts a flow for many: what will be sent, one form for all, a question, and the cases that have begun. */
export default function GatherDialog({ flow, choice, onClose }: GatherDialogProps) {
  const { t } = useTexts()
  const [open, setOpen] = useState(true)
  // The choice is fixed for the dialog, no matter what the list does behind it.
  const [fixed, setFixed] = useState<GatherChoice>(choice)
  const [begun, setBegun] = useState<GatheredCases>()
  const whole = useFlow(flow.flow)
  const preview = useSWR<GatherPreview, unknown>(
    ['gathered', flow.flow, fixed],
    () => previewGathered(flow.flow, fixed),
    // No reload while somebody fills in the form: the server compares what it is sent with what was seen.
    // What is typed stays while another choice is looked at.
    { revalidateOnFocus: false, revalidateOnReconnect: false, keepPreviousData: true },
  )
  const problem = preview.error ?? whole.error
  return (
    <Modal
      open={open}
      title={t(flow.title)}
      width={720}
      footer={null}
      onCancel={() => setOpen(false)}
      afterClose={() => onClose(begun !== undefined)}
    >
      <div className={css['body']}>
        {begun ? (
          <Sent cases={begun} close={() => setOpen(false)} />
        ) : preview.data && whole.data ? (
          <Asked
            flow={whole.data}
            fills={flow.fills}
            preview={preview.data}
            looking={preview.isLoading || preview.isValidating}
            choice={fixed}
            leaveOut={(ids) => setFixed({ ...fixed, except: [...(fixed.except ?? []), ...ids] })}
            again={() => void preview.mutate()}
            sent={setBegun}
            close={() => setOpen(false)}
          />
        ) : problem ? (
          <Trouble error={problem} onRetry={() => void Promise.all([preview.mutate(), whole.mutate()])} />
        ) : (
          <Skeleton lines={6} />
        )}
      </div>
    </Modal>
  )
}

/** Errors after which another choice is shown than before. */
const CHANGED = ['platform.entries-changed', 'platform.entries-none']

/** The form without the fields that the entries fill in. */
function without({ properties = {}, required, ...schema }: FormSchema, names: readonly string[]): FormSchema {
  const isAsked = (name: string) => !names.includes(name)
  return {
    ...schema,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => isAsked(name))),
    required: (required ?? []).filter(isAsked),
    'x-order': (schema['x-order'] ?? Object.keys(properties)).filter(isAsked),
  }
}

interface AskedProps {
  flow: Flow
  fills: readonly string[]
  preview: GatherPreview
  /** The preview is being read again. */
  looking: boolean
  choice: GatherChoice
  leaveOut(ids: string[]): void
  again(): void
  sent(cases: GatheredCases): void
  close(): void
}

function Asked({ flow, fills, preview, looking, choice, leaveOut, again, sent, close }: AskedProps) {
  const { t } = useTexts()
  const confirm = useConfirm()
  const schema = without(flow.form.schema, fills)
  const [value, setValue] = useState<FormValue>(() => startingValue(schema))
  // Another answer is another request.
  const [key, setKey] = useState(() => crypto.randomUUID())
  const form = useRef<FormHandle>(null)
  const { busy, problem, words, send } = useSending(form)
  const { ready, total, cases, leftOut, stamp } = preview
  const refused = refusedIn(problem)
  const renew = () => setKey(crypto.randomUUID())

  const ask = () => {
    if (!form.current?.check()) return
    confirm({
      title: t('platform.gather.question', { flow: t(flow.title), count: ready }),
      consequence: t('platform.gather.question-detail', { count: cases.length }),
      verb: t('platform.gather.send'),
      act: () =>
        send(
          async (data) => sent(await startGathered(flow.flow, { choice, stamp, data }, key)),
          (error) => {
            if (error instanceof Problem && CHANGED.includes(error.code)) again()
          },
        ),
    })
  }
  return (
    <form
      noValidate
      className={css['body']}
      onSubmit={(event) => {
        event.preventDefault()
        ask()
      }}
    >
      <section>
        <p role="status">
          {ready === 0 ? t('platform.entries-none') : t('platform.gather.ready', { count: cases.length, ready, total })}
        </p>
        <ul className={css['results']}>
          {cases.map(({ titles, status, count }, at) => (
            // oxlint-disable-next-line react/no-array-index-key -- several may have the same words
            <li key={at}>
              <span>{[...titles, status].join(' · ')}</span>
              <span>{count}</span>
            </li>
          ))}
        </ul>
      </section>
      {leftOut.length > 0 && <LeftOut of={preview} />}
      <SchemaForm
        ref={form}
        form={{ ...flow.form, schema }}
        value={value}
        onChange={(next) => {
          setValue(next)
          renew()
        }}
      />
      {refused ? (
        <section>
          <Alert type="error" role="alert" showIcon title={t('platform.gathered-refused', { count: refused.length })} />
          <Told entries={refused} />
          <Button
            onClick={() => {
              leaveOut(refused.map(({ id }) => id))
              renew()
            }}
          >
            {t('platform.gather.leave-out')}
          </Button>
        </section>
      ) : (
        words && <Alert type="error" role="alert" title={words.title} description={words.detail} />
      )}
      <div className={css['bar']}>
        <Button type="primary" htmlType="submit" loading={busy} disabled={ready === 0 || looking}>
          {t('platform.gather.go-on', { count: ready })}
        </Button>
        <Button onClick={close}>{t('platform.cancel')}</Button>
      </div>
    </form>
  )
}

type Entry = GatherPreview['leftOut'][number]

/** The entries that the server has refused, each with the reason. */
function refusedIn(problem: unknown): Entry[] | undefined {
  if (!(problem instanceof Problem) || problem.code !== 'platform.gathered-refused') return undefined
  const { refused } = problem.more
  return Array.isArray(refused)
    ? refused.flatMap((one: unknown) =>
        isRecord(one) ? [{ id: String(one['id']), title: String(one['title']), message: String(one['message']) }] : [],
      )
    : []
}

function Sent({ cases, close }: { cases: GatheredCases; close(): void }) {
  const { t } = useTexts()
  const done = useRef<HTMLButtonElement>(null)
  useEffect(() => done.current?.focus(), [])
  return (
    <>
      <Alert type="success" role="status" showIcon title={t('platform.gather.sent', { count: cases.length })} />
      <ul className={css['results']}>
        {cases.map(({ id, reference, count }) => (
          <li key={id}>
            <Link href={`/cases/${id}`}>{reference}</Link>
            <span>{count}</span>
          </li>
        ))}
      </ul>
      <div className={css['bar']}>
        <Button ref={done} onClick={close}>
          {t('platform.inbox.bulk.close')}
        </Button>
      </div>
    </>
  )
}
