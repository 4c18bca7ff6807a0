import { Button } from 'antd'
import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { MoreButton } from '../../kernel/list/more-button.tsx'
import { useSubstitutions, type Substitution } from '../../kernel/api/substitutions.ts'
import { Fold } from '../../kernel/states/fold.tsx'
import { useNow } from '../../kernel/clock/now.ts'
import { PageHeader } from '../../kernel/page/page-header.tsx'
import page from '../../kernel/page/page.module.css'
import type { PageProps } from '../../kernel/screens/page.ts'
import { useMe } from '../../kernel/session/session.ts'
import { Empty } from '../../kernel/states/empty.tsx'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { useTexts } from '../../kernel/texts/texts.ts'
import { Acts } from './acts.tsx'
import { AskSubstitute } from './ask.tsx'
import { Everybody } from './everybody.tsx'
import { SubstitutionCard } from './substitution.tsx'
import css from './substitutes.module.css'

/** Administrators see and may end everybody's substitutions; auditors only see them. */
function useSeesAll(): boolean {
  const me = useMe()
  return me.seesAll || me.groups.includes('AuditView')
}

/** The reader's substitutes, and the people the reader substitutes for. */
export default function Substitutes({ title }: PageProps) {
  const { t } = useTexts()
  const [params, setParams] = useSearchParams()
  const seesAll = useSeesAll()
  const all = seesAll && params.has('all')
  const [asking, setAsking] = useState(false)
  return (
    <div className={page.page}>
      <PageHeader
        title={t(title)}
        lead={t('platform.substitutes.lead')}
        actions={
          <>
            <Button type="primary" onClick={() => setAsking(true)}>
              {t('platform.substitutes.ask')}
            </Button>
            {seesAll && (
              <Button aria-pressed={all} onClick={() => setParams(all ? {} : { all: 'true' }, { replace: true })}>
                {t(all ? 'platform.substitutes.own' : 'platform.substitutes.everybody')}
              </Button>
            )}
          </>
        }
      />
      {all ? <Everybody /> : <Own />}
      {asking && <AskSubstitute onClose={() => setAsking(false)} />}
    </div>
  )
}

function Own() {
  const { t } = useTexts()
  const me = useMe()
  const now = useNow()
  const { items, error, more, loading, loadMore, reload } = useSubstitutions()
  if (error && !items) return <Trouble error={error} onRetry={reload} />
  if (!items) return <Skeleton lines={6} />
  const over = (each: Substitution) =>
    each.state === 'declined' || each.state === 'ended' || Date.parse(each.until) <= now
  const current = items.filter((each) => !over(each))
  const past = items.filter(over)
  const asked = current.filter(({ substitute, state }) => substitute.id === me.id && state === 'asked')
  const standsIn = current.filter(({ substitute, state }) => substitute.id === me.id && state === 'accepted')
  const away = current.filter(({ absent }) => absent.id === me.id)
  return (
    <>
      {asked.length > 0 && <Part title={t('platform.substitutes.asked')} items={asked} />}
      <section className={css.part}>
        <h2>{t('platform.substitutes.away')}</h2>
        {away.length > 0 ? (
          <List items={away} />
        ) : (
          <Empty title={t('platform.substitutes.none')}>{t('platform.substitutes.none-detail')}</Empty>
        )}
      </section>
      {standsIn.length > 0 && <Part title={t('platform.substitutes.stands-in')} items={standsIn} />}
      {past.length > 0 && (
        <Fold title={t('platform.substitutes.past', { count: past.length })}>
          <List items={past} />
        </Fold>
      )}
      <MoreButton list={{ more, loading, loadMore }} />
    </>
  )
}

function Part({ title, items }: { title: string; items: Substitution[] }) {
  return (
    <section className={css.part}>
      <h2>{title}</h2>
      <List items={items} />
    </section>
  )
}

function List({ items }: { items: Substitution[] }) {
  return (
    <ul className={css.list}>
      {items.map((each) => (
        <li key={each.id}>
          <SubstitutionCard of={each}>
            <Acts of={each} />
          </SubstitutionCard>
        </li>
      ))}
    </ul>
  )
}
