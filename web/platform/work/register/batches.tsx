import { Button, Progress } from 'antd'
import { useState } from 'react'
import { Link } from 'wouter'
import {
  exportMembers,
  openBatch,
  memberStates,
  stopBatch,
  useBatch,
  useMembers,
  type Batch,
  type Member,
  type MemberState,
} from '../../kernel/api/batches.ts'
import { useDownload } from '../../kernel/files/download.ts'
import { Choice } from '../../kernel/list/choice.tsx'
import { useAction } from '../../kernel/states/act.ts'
import { useConfirm } from '../../kernel/states/confirm.ts'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { useTexts } from '../../kernel/texts/texts.ts'
import { statusName } from '../../kernel/status/item-status.ts'
import css from './batches.module.css'
import type { Register } from './registers.ts'

/** The batches of an item: who is left out, how far each case is, and the button that opens it for everybody. */
export default function Batches({ register, id }: { register: Register; id: string }) {
  return register.batches.map((flow) => <OfFlow key={flow} flow={flow} id={id} />)
}

function OfFlow({ flow, id }: { flow: string; id: string }) {
  const { t } = useTexts()
  const { data, error, mutate } = useBatch(flow, id)
  if (error?.status === 404) return null
  if (error) return <Trouble error={error} onRetry={() => void mutate()} />
  if (!data) return <Skeleton lines={4} />
  return (
    <section className={css['batch']} aria-labelledby={`batch-${flow}`}>
      <h2 id={`batch-${flow}`}>{t(data.title)}</h2>
      <Opening flow={flow} id={id} batch={data} />
      <Members flow={flow} id={id} batch={data} />
    </section>
  )
}

function Opening({ flow, id, batch }: { flow: string; id: string; batch: Batch }) {
  const { t } = useTexts()
  const confirm = useConfirm()
  const attempt = useAction()
  const { counts, latest, mayOpen } = batch
  const count = counts['to-open'] ?? 0
  const running = latest?.state === 'running'
  const left = (['no-account', 'out-of-use', 'left-out'] as const).filter((one) => (counts[one] ?? 0) > 0)
  const ask = () =>
    confirm({
      title: t('platform.batch.question', { count, flow: t(batch.title) }),
      consequence: (
        <>
          <p>{t('platform.batch.question-detail')}</p>
          {left.map((one) => (
            <p key={one}>{t(`platform.batch.left.${one}`, { count: counts[one] ?? 0 })}</p>
          ))}
        </>
      ),
      verb: t('platform.batch.open', { count }),
      act: () => attempt(() => openBatch(flow, id)),
    })
  return (
    <>
      {latest && (
        <div className={css['progress']}>
          <output>
            {t(`platform.batch.${latest.state}`, { done: latest.done, total: latest.total, refused: latest.refused })}
          </output>
          {running && (
            <>
              <Progress
                percent={Math.round(((latest.done + latest.refused) / latest.total) * 100)}
                size="small"
                aria-label={t('platform.batch.progress')}
              />
              {mayOpen && (
                <Button size="small" onClick={() => void attempt(() => stopBatch(flow, id))}>
                  {t('platform.batch.stop')}
                </Button>
              )}
            </>
          )}
        </div>
      )}
      {mayOpen && !running && count > 0 && (
        <Button type="primary" onClick={ask}>
          {t('platform.batch.open', { count })}
        </Button>
      )}
    </>
  )
}

function Members({ flow, id, batch }: { flow: string; id: string; batch: Batch }) {
  const { t } = useTexts()
  const { download } = useDownload()
  const [state, setState] = useState<MemberState | 'not-done'>('not-done')
  const total = (one: MemberState) => batch.counts[one] ?? 0
  const notDone = memberStates.reduce((sum, one) => sum + (one === 'done' ? 0 : total(one)), 0)
  const { data } = useMembers(flow, id, state, JSON.stringify(batch.counts))
  const take = (format: 'csv' | 'xlsx') => download(() => exportMembers(flow, id, { format, state }))
  return (
    <>
      <div className={css['tools']}>
        <Choice
          label={t('platform.batch.column.state')}
          value={state}
          options={[
            { value: 'not-done', label: `${t('platform.batch.state.not-done')} (${notDone})` },
            ...memberStates.map((one) => ({
              value: one,
              label: `${t(`platform.batch.state.${one}`)} (${total(one)})`,
            })),
          ]}
          onChange={(value) => setState(value || 'not-done')}
        />
        <span>
          <Button onClick={() => void take('csv')}>{t('platform.inbox.export.csv')}</Button>{' '}
          <Button onClick={() => void take('xlsx')}>{t('platform.inbox.export.xlsx')}</Button>
        </span>
      </div>
      {!data ? (
        <Skeleton lines={4} />
      ) : data.members.length === 0 ? (
        <p>{t('platform.batch.nobody')}</p>
      ) : (
        <ul className={css['members']}>
          {data.members.map((member) => (
            <Row key={member.id} member={member} />
          ))}
        </ul>
      )}
      {data && data.total > data.members.length && (
        <p className={css['more']}>{t('platform.batch.more', { shown: data.members.length, total: data.total })}</p>
      )}
    </>
  )
}

function Row({ member }: { member: Member }) {
  const { t } = useTexts()
  const { title, code, state, status, message } = member
  const words = member.case ? status : state === 'out-of-use' && status ? statusName(status, t) : undefined
  return (
    <li>
      <span>
        {title} <small>{code}</small>
      </span>
      <span>{member.case && <Link href={`/cases/${member.case.id}`}>{member.case.reference}</Link>}</span>
      <span>{[t(`platform.batch.state.${state}`), words, message].filter(Boolean).join(' · ')}</span>
    </li>
  )
}
