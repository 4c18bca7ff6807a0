import { Button, Form, Switch } from 'antd'
import { useState } from 'react'
import { Link } from 'wouter'
import { DataTable } from '../../kernel/list/data-table.tsx'
import { useRead } from '../../kernel/api/read.ts'
import { ItemPage } from '../../kernel/page/item-page.tsx'
import { PageHeader } from '../../kernel/page/page-header.tsx'
import type { PageProps } from '../../kernel/screens/page.ts'
import { useMe } from '../../kernel/session/session.ts'
import { Mark } from '../../kernel/status/mark.tsx'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { usePageTitle } from '../../kernel/page/title.ts'
import { Act } from './act.tsx'
import { endOf, lastDayOf, startOf, today } from './dates.ts'
import { Day } from './day.tsx'
import { EffectOf, EffectOfAppointing } from './effect.tsx'
import { EndFields, endOfChoice, type End } from './end-grant.tsx'
import { appoint, effectOfAppointing, endHolding, usePost, type Holder, type Post } from './people.ts'
import css from './people.module.css'
import { PersonPicker } from './pickers.tsx'

/** One post: its holder, past holders, waiting tasks, and the appointment of somebody else. */
export default function PostPage({ params }: PageProps) {
  const { t } = useTexts()
  const post = usePost(params['id'] ?? '')
  return (
    <ItemPage list={{ href: '/posts', title: t('platform.screen.posts') }} read={post}>
      {(data) => <Present post={data} />}
    </ItemPage>
  )
}

function Present({ post }: { post: Post }) {
  const { t } = useTexts()
  const { count } = useFormats()
  const [doing, setDoing] = useState<'appoint' | { end: Holder }>()
  const { title, code, role, scope, holder, acting, next, history, waiting, mayAppoint } = post
  usePageTitle(title)
  const present = [
    { as: 'platform.posts.holder', holder },
    { as: 'platform.posts.acting-holder', holder: acting },
    { as: 'platform.posts.next', holder: next },
  ]
  const shown = new Set(present.map((each) => each.holder?.holderId))
  const before = history.filter(({ holderId }) => !shown.has(holderId))
  const stop = () => setDoing(undefined)
  return (
    <>
      <PageHeader
        title={title}
        code={code}
        about={
          <>
            {!holder && !acting && <Mark is="wanted">{t('platform.posts.vacant')}</Mark>}
            <span>{t('platform.posts.brings', { role, where: scope?.name ?? t('platform.people.everywhere') })}</span>
            <span>
              {waiting.value > 0
                ? t('platform.posts.waiting', { count: waiting.value, shown: count(waiting) })
                : t('platform.posts.effect.none-waits')}
            </span>
          </>
        }
        actions={
          mayAppoint && (
            <Button type="primary" onClick={() => setDoing('appoint')}>
              {t('platform.posts.appoint')}
            </Button>
          )
        }
      />
      {!mayAppoint && <p className={css.note}>{t('platform.posts.not-yours', { role })}</p>}
      <section>
        <h2>{t('platform.posts.now')}</h2>
        <Holders
          rows={present.flatMap((each) => (each.holder ? [{ as: each.as, holder: each.holder }] : []))}
          none={t('platform.posts.vacant-detail')}
          {...(mayAppoint ? { onEnd: (one: Holder) => setDoing({ end: one }) } : {})}
        />
      </section>
      <section>
        <h2>{t('platform.posts.history')}</h2>
        <Holders
          rows={before.map((one) => ({
            as: one.acting ? 'platform.posts.acting-holder' : 'platform.posts.holder',
            holder: one,
          }))}
          none={t('platform.posts.no-history')}
        />
      </section>
      {doing === 'appoint' && <Appoint post={post} onClose={stop} />}
      {typeof doing === 'object' && <EndHolding post={post} holder={doing.end} onClose={stop} />}
    </>
  )
}

interface HoldersProps {
  rows: { as: string; holder: Holder }[]
  none: string
  onEnd?(holder: Holder): void
}

function Holders({ rows, none, onEnd }: HoldersProps) {
  const { t } = useTexts()
  const me = useMe()
  const { date } = useFormats()
  if (rows.length === 0) return <p className={css.soft}>{none}</p>
  const labels = {
    who: t('platform.posts.who'),
    as: t('platform.posts.as'),
    from: t('platform.grant.from'),
    until: t('platform.grant.until'),
    why: t('platform.grant.why'),
  }
  return (
    <DataTable
      rows={rows}
      keyOf={({ holder }) => holder.holderId}
      columns={[
        {
          label: labels.who,
          cell: ({ holder }) => <Link href={`/people/${holder.account.id}`}>{holder.account.name}</Link>,
        },
        { label: labels.as, cell: ({ as }) => t(as) },
        { label: labels.from, cell: ({ holder }) => date(holder.startsAt) },
        { label: labels.until, cell: ({ holder }) => (holder.endsAt ? date(lastDayOf(holder.endsAt)) : '–') },
        { label: labels.why, cell: ({ holder }) => holder.reason, long: true },
        ...(onEnd
          ? [
              {
                label: t('platform.register-page.actions'),
                cell: ({ holder }: HoldersProps['rows'][number]) =>
                  holder.account.id !== me.id && (
                    <Button
                      size="small"
                      onClick={() => onEnd(holder)}
                      aria-label={t('platform.posts.end-of', { name: holder.account.name })}
                    >
                      {t('platform.grant.end')}
                    </Button>
                  ),
                acts: true,
              },
            ]
          : []),
      ]}
    />
  )
}

interface Appointment {
  accountId: string
  acting: boolean
  startsAt?: string
  endsAt?: string
}

/** Appoints somebody to the post: start, acting or not, reason, and a preview of the effect. */
function Appoint({ post, onClose }: { post: Post; onClose(): void }) {
  const { t } = useTexts()
  const required = { required: true, message: t('platform.field-required') }
  return (
    <Act<Appointment>
      title={t('platform.posts.appoint-title', { title: post.title })}
      ok={t('platform.posts.appoint')}
      onClose={onClose}
      start={{ acting: false, startsAt: today() }}
      send={async ({ accountId, acting, startsAt, endsAt, reason }) => {
        const start = startOf(startsAt)
        const made = await appoint(post.id, {
          accountId,
          acting,
          reason,
          ...(start ? { startsAt: start } : {}),
          ...(endsAt ? { endsAt: endOf(endsAt) } : {}),
        })
        return t(start ? 'platform.posts.will-be' : 'platform.posts.is-now', {
          name: made.account.name,
          title: post.title,
        })
      }}
      effect={({ accountId, startsAt, acting }) => (
        <Moves post={post} accountId={accountId} startsAt={startOf(startsAt)} acting={acting === true} />
      )}
    >
      {({ startsAt }) => (
        <>
          <Form.Item name="accountId" label={t('platform.posts.whom')} rules={[required]}>
            <PersonPicker />
          </Form.Item>
          <div className={css.pair}>
            <Form.Item name="startsAt" label={t('platform.grant.from')} rules={[required]}>
              <Day />
            </Form.Item>
            <Form.Item name="endsAt" label={t('platform.grant.until-optional')} extra={t('platform.grant.until-help')}>
              <Day first={startsAt ?? today()} />
            </Form.Item>
          </div>
          <Form.Item
            name="acting"
            label={t('platform.posts.only-acting')}
            extra={t('platform.posts.only-acting-help')}
            valuePropName="checked"
          >
            <Switch />
          </Form.Item>
        </>
      )}
    </Act>
  )
}

interface MovesProps {
  post: Post
  accountId: string | undefined
  startsAt: string | undefined
  acting: boolean
}

function Moves({ post, accountId, startsAt, acting }: MovesProps) {
  const { t } = useTexts()
  const chosen = useRead<{ name: string }>(accountId ? `/api/people/${encodeURIComponent(accountId)}` : null)
  // People of other units can be found, but not opened.
  const name = chosen.data?.name ?? t('platform.posts.effect.they')
  return (
    <EffectOf
      of={accountId ? ['appoint', post.id, accountId, startsAt] : null}
      read={() => effectOfAppointing(post.id, { accountId: accountId ?? '', ...(startsAt ? { startsAt } : {}) })}
    >
      {(effect) => <EffectOfAppointing name={name} effect={acting ? { ...effect, predecessor: null } : effect} />}
    </EffectOf>
  )
}

function EndHolding({ post, holder, onClose }: { post: Post; holder: Holder; onClose(): void }) {
  const { t } = useTexts()
  const { count } = useFormats()
  const { name } = holder.account
  const { waiting } = post
  return (
    <Act<End>
      title={t('platform.posts.end-title', { name, title: post.title })}
      ok={t('platform.posts.end-of', { name })}
      danger
      onClose={onClose}
      start={{ when: 'now' }}
      send={async ({ reason, ...end }) => {
        await endHolding(holder.holderId, { ...endOfChoice(end), reason })
        return t(end.when === 'now' ? 'platform.posts.ended-now' : 'platform.posts.ends-later', {
          name,
          title: post.title,
        })
      }}
      effect={() => (
        <section className={css.effect}>
          <h3>{t('platform.people.effect')}</h3>
          <p>
            {waiting.value > 0
              ? t('platform.posts.end-waiting', { count: waiting.value, shown: count(waiting) })
              : t('platform.posts.effect.none-waits')}
          </p>
        </section>
      )}
    >
      {({ when }) => <EndFields when={when} />}
    </Act>
  )
}
