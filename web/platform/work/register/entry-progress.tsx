import { Button, Progress } from 'antd'
import { useEffect, useEffectEvent } from 'react'
import { Link } from 'wouter'
import { stopEntries, useEntryBatch, type EntryBatch } from '../../kernel/api/entry-batches.ts'
import { useAction } from '../../kernel/states/act.ts'
import { Fold } from '../../kernel/states/fold.tsx'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './entry-batch.module.css'

/** The newest batch: who started it and when, its progress, and the result of each entry. */
export function EntryProgress({ flow, onProgress }: { flow: string; onProgress(): void }) {
  const { data } = useEntryBatch(flow)
  const latest = data?.latest
  const through = latest ? latest.done + latest.refused : 0
  const tell = useEffectEvent(onProgress)
  useEffect(() => {
    if (through > 0) tell()
  }, [through])
  if (!data || !latest) return null
  return <Results flow={flow} latest={latest} entries={data.entries} />
}

interface ResultsProps {
  flow: string
  latest: NonNullable<EntryBatch['latest']>
  entries: EntryBatch['entries']
}

function Results({ flow, latest, entries }: ResultsProps) {
  const { t } = useTexts()
  const { moment } = useFormats()
  const attempt = useAction()
  const running = latest.state === 'running'
  const { done, refused, total } = latest
  return (
    <div className={css['progress']}>
      <output>{t(`platform.entry-batch.${latest.state}`, { done, total, refused })}</output>
      {running && (
        <>
          <Progress
            percent={Math.round(((done + refused) / total) * 100)}
            size="small"
            aria-label={t('platform.entry-batch.progress')}
          />
          <Button size="small" onClick={() => void attempt(() => stopEntries(flow))}>
            {t('platform.entry-batch.stop')}
          </Button>
        </>
      )}
      <Fold title={t('platform.entry-batch.results', { name: latest.by, moment: moment(latest.createdAt) })}>
        <ul className={css['results']}>
          {entries.map(({ id, title, state, case: of, message }) => (
            <li key={id}>
              <span>{title}</span>
              <span>
                {of ? <Link href={`/cases/${of.id}`}>{of.reference}</Link> : t(`platform.entry-batch.entry.${state}`)}
              </span>
              {message && <span>{message}</span>}
            </li>
          ))}
        </ul>
      </Fold>
    </div>
  )
}
