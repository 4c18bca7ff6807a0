import { Button, Form, Input } from 'antd'
import { useState } from 'react'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { useTexts } from '../../kernel/texts/texts.ts'
import { Act } from './act.tsx'
import { HowItStands } from './how-it-stands.tsx'
import { askErasure, usePersonErasure } from './people.ts'
import css from './people.module.css'

/** How many audit entries are about somebody, and the request to erase their details; another person decides on it. */
export function Erase({ id, name }: { id: string; name: string }) {
  const { t } = useTexts()
  const { data, error, mutate } = usePersonErasure(id)
  const [asking, setAsking] = useState(false)
  return (
    <section>
      <h2>{t('platform.erasure.title')}</h2>
      <p className={css.note}>{t('platform.erasure.lead')}</p>
      {data ? (
        <>
          <dl className={css.facts}>
            <dt>{t('platform.erasure.ended')}</dt>
            <dd>{data.ended}</dd>
            <dt>{t('platform.erasure.running')}</dt>
            <dd>{t('platform.erasure.running-value', { entries: data.running, cases: data.runningCases })}</dd>
            <dt>{t('platform.erasure.account')}</dt>
            <dd>{data.account}</dd>
          </dl>
          {data.last && (
            <p className={css.erase}>
              <HowItStands erasure={data.last} />
            </p>
          )}
          {data.last?.state !== 'asked' && data.ended > 0 && (
            <Button danger className={css.erase ?? ''} onClick={() => setAsking(true)}>
              {t('platform.erasure.ask')}
            </Button>
          )}
        </>
      ) : error ? (
        <Trouble error={error} onRetry={() => void mutate()} />
      ) : (
        <Skeleton lines={3} />
      )}
      {asking && data && (
        <Act<{ confirmation: string }>
          title={t('platform.erasure.ask-title', { name })}
          ok={t('platform.erasure.ask')}
          danger
          onClose={() => setAsking(false)}
          send={async ({ confirmation, reason }) => {
            await askErasure(id, { confirmation, reason })
            return t('platform.erasure.sent')
          }}
        >
          {() => (
            <>
              <p className={css.note}>{t('platform.erasure.ask-detail', { count: data.ended })}</p>
              <Form.Item
                name="confirmation"
                label={t('platform.erasure.name', { name })}
                rules={[
                  {
                    validator: (_rule, typed?: string) =>
                      typed?.trim() === name.trim()
                        ? Promise.resolve()
                        : Promise.reject(new Error(t('platform.erasure-name-differs'))),
                  },
                ]}
              >
                <Input maxLength={200} autoComplete="off" />
              </Form.Item>
            </>
          )}
        </Act>
      )}
    </section>
  )
}
