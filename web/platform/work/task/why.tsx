import { useEffect, useState } from 'react'
import { useWhy, type Why } from '../../kernel/api/task-acts.ts'
import type { Task } from '../../kernel/client/types.ts'
import fold from '../../kernel/states/fold.module.css'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { withoutDots } from '../case/outcomes.ts'
import css from './why.module.css'

/** Shorter views do not ask, in milliseconds. */
const dwell = 900

/** Why a task is with the reader: in one line, and unfolded in full. */
export function WhyIsThisWithMe({ task }: { task: Task['task'] }) {
  const { t } = useTexts()
  const [asked, setAsked] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setAsked(true), dwell)
    return () => clearTimeout(timer)
  }, [])
  const { data, error, mutate } = useWhy(asked ? task : undefined)
  return (
    <details className={`${fold['fold']} ${css['why']}`} onToggle={() => setAsked(true)}>
      <summary>
        {t('platform.why')} <span>{data && (data.because ?? data.rule)}</span>
      </summary>
      <div>
        {data ? <Told why={data} /> : error ? <Trouble error={error} onRetry={() => void mutate()} /> : <Skeleton />}
      </div>
    </details>
  )
}

function Told({ why: { rule, role, because, decision, path, before, next } }: { why: Why }) {
  const { t } = useTexts()
  const { moment } = useFormats()
  return (
    <>
      <p>{rule}</p>
      <p className={css['soft']}>{because ?? t('platform.why.role', { role })}</p>

      {decision && (
        <section>
          <h3>{t('platform.why.decision', { name: decision.name })}</h3>
          {decision.rows.map((row, at) => (
            <div key={at} className={css['row']}>
              <dl>
                {row.inputs.map(({ name, value }) => (
                  <div key={name}>
                    <dt>{name}</dt>
                    <dd>{value}</dd>
                  </div>
                ))}
              </dl>
              <dl data-then="">
                {row.outputs.map(({ name, value }) => (
                  <div key={name}>
                    <dt>{name}</dt>
                    <dd>{value}</dd>
                  </div>
                ))}
              </dl>
              {row.rule && <p className={css['soft']}>{row.rule}</p>}
            </div>
          ))}
        </section>
      )}

      {next.length > 0 && (
        <section>
          <h3>{t('platform.why.next')}</h3>
          <dl className={css['next']}>
            {next.map(({ outcome, title, leads }) => (
              <div key={outcome}>
                <dt>{withoutDots(title)}</dt>
                <dd>
                  {leads.length === 0
                    ? t('platform.why.ends')
                    : leads.map(({ name, who, by }) => (
                        <span key={`${name} ${who}`}>
                          {name}
                          <small>{[who, by && t('platform.why.by', { moment: by })].filter(Boolean).join(', ')}</small>
                        </span>
                      ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      )}

      {before.length > 0 && (
        <section>
          <h3>{t('platform.why.before')}</h3>
          <ul className={css['steps']}>
            {before.map(({ desk, name, by, for: absent, at, outcome }) => (
              <li key={`${desk} ${at}`}>
                <strong>{by.name}</strong>
                {absent && ` ${t('platform.inbox.for', { name: absent.name })}`}
                {outcome && `: ${outcome}`}
                <small>{`${name} · ${moment(at)}`}</small>
              </li>
            ))}
          </ul>
        </section>
      )}

      {path.length > 0 && (
        <section>
          <h3>{t('platform.why.path')}</h3>
          <ol className={css['steps']}>
            {path.map(({ element, name, at, by, outcome }) => (
              <li key={`${element} ${at}`}>
                {name}
                {outcome && `: ${outcome}`}
                <small>{[by?.name, moment(at)].filter(Boolean).join(' · ')}</small>
              </li>
            ))}
          </ol>
        </section>
      )}
    </>
  )
}
