import { Button, Progress } from 'antd'
import { useEffect, useEffectEvent } from 'react'
import { Link } from 'wouter'
import { stopLines, useLineBatch, type LineBatch } from '../../kernel/api/line-batches.ts'
import { useAction } from '../../kernel/states/act.ts'
import { Fold } from '../../kernel/states/fold.tsx'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './line-batch.module.css'

/** The newest batch: who started it and when, its progress, and the result of each entry. */
export function LineProgress({ flow, onProgress }: { flow: string; onProgress(): void }) {
  const { data } = useLineBatch(flow)
  const latest = data?.latest
  const through = latest ? latest.done + latest.refused : 0
  const tell = useEffectEvent(onProgress)
  useEffect(() => {
    if (through > 0) tell()
  }, [through])
  if (!data || !latest) return null
  return <Results flow={flow} latest={latest} lines={data.lines} />
}

interface ResultsProps {
  flow: string
  latest: NonNullable<LineBatch['latest']>
  lines: LineBatch['lines']
}

function Results({ flow, latest, lines }: ResultsProps) {
  const { t } = useTexts()
  const { moment } = useFormats()
  const attempt = useAction()
  const running = latest.state === 'running'
  const { done, refused, total } = latest
  return (
    <div className={css['progress']}>
      <output>{t(`platform.line-batch.${latest.state}`, { done, total, refused })}</output>
      {running && (
        <>
          <Progress
            percent={Math.round(((done + refused) / total) * 100)}
            size="small"
            aria-label={t('platform.line-batch.progress')}
          />
          <Button size="small" onClick={() => void attempt(() => stopLines(flow))}>
            {t('platform.line-batch.stop')}
          </Button>
        </>
      )}
      <Fold title={t('platform.line-batch.results', { name: latest.by, moment: moment(latest.createdAt) })}>
        <ul className={css['results']}>
          {lines.map(({ id, title, state, case: of, message }) => (
            <li key={id}>
              <span>{title}</span>
              <span>
                {of ? <Link href={`/cases/${of.id}`}>{of.reference}</Link> : t(`platform.line-batch.line.${state}`)}
              </span>
              {message && <span>{message}</span>}
            </li>
          ))}
        </ul>
      </Fold>
    </div>
  )
}
