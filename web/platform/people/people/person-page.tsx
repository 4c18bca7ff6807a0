import { Alert, Button } from 'antd'
import { useState } from 'react'
import { Link } from 'wouter'
import { Fold } from '../../kernel/states/fold.tsx'
import { ItemPage } from '../../kernel/page/item-page.tsx'
import { PageHeader } from '../../kernel/page/page-header.tsx'
import page from '../../kernel/page/page.module.css'
import type { PageProps } from '../../kernel/screens/page.ts'
import { useMe } from '../../kernel/session/session.ts'
import { Mark } from '../../kernel/status/mark.tsx'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { Act } from './act.tsx'
import { lastDayOf, useAgo } from './dates.ts'
import { EndGrant } from './end-grant.tsx'
import { Erase } from './erase.tsx'
import { GiveRole } from './give-role.tsx'
import { decideName, endSecondFactor, signOutEverywhere, usePerson, type NameChange, type Person } from './people.ts'
import { Unregistered } from '../../kernel/status/unregistered.tsx'
import { usePageTitle } from '../../kernel/page/title.ts'
import css from './people.module.css'
import { type Doing, More, Change, Activate } from './person-acts.tsx'
import { Grants } from './grants-table.tsx'

/** One person: roles, history, and what the reader may change. */
export default function PersonPage({ params }: PageProps) {
  const { t } = useTexts()
  const person = usePerson(params['id'] ?? '')
  return (
    <ItemPage list={{ href: '/people', title: t('platform.screen.people') }} read={person}>
      {(data) => <Present person={data} />}
    </ItemPage>
  )
}

function Present({ person }: { person: Person }) {
  const { t } = useTexts()
  const ago = useAgo()
  const me = useMe()
  const [doing, setDoing] = useState<Doing>()
  const { name, email, username, active, lastSeenAt, grants, posts, mayChange, mayGrant } = person
  const self = person.id === me.id
  // Of people in other units the API returns only name and post.
  const whole = username !== null
  const over = grants.filter(({ state }) => state === 'ended')
  usePageTitle(name)

  const stop = () => setDoing(undefined)
  return (
    <>
      <PageHeader
        title={
          <>
            {name}
            <Unregistered is={person} />
          </>
        }
        about={
          <>
            <Mark is={active ? 'on' : 'off'}>{t(active ? 'platform.people.active' : 'platform.people.inactive')}</Mark>
            <span>{person.post ?? t(`platform.people.kind.${person.kind}`)}</span>
            {whole && (
              <>
                <a href={`mailto:${email}`}>{email}</a>
                <span>
                  {lastSeenAt ? t('platform.people.seen', { when: ago(lastSeenAt) }) : t('platform.people.never-seen')}
                </span>
              </>
            )}
          </>
        }
        actions={
          <>
            {mayGrant.length > 0 && active && (
              <Button type="primary" onClick={() => setDoing('give')}>
                {t('platform.person.give')}
              </Button>
            )}
            {mayChange && <Button onClick={() => setDoing('change')}>{t('platform.person.change')}</Button>}
            {mayChange && <More person={person} self={self} onChoose={setDoing} />}
          </>
        }
      />
      {person.nameChange && <NameAsked person={person} change={person.nameChange} self={self} />}
      {self && <p className={css.note}>{t('platform.person.self')}</p>}
      {!active && <p className={css.note}>{t('platform.person.inactive-detail')}</p>}

      {!whole && <p className={css.note}>{t('platform.person.elsewhere')}</p>}

      <section>
        <h2>{t('platform.people.roles')}</h2>
        <Grants grants={grants.filter(({ state }) => state !== 'ended')} onEnd={(grant) => setDoing({ end: grant })}>
          {t(whole ? 'platform.person.no-roles' : 'platform.person.no-roles-of-yours', { name })}
        </Grants>
        {over.length > 0 && (
          <Fold title={t('platform.person.past', { count: over.length })} wide>
            <Grants grants={over} />
          </Fold>
        )}
      </section>

      {posts.length > 0 && <Posts posts={posts} />}
      {whole && <Account person={person} />}

      {person.mayErase && <Erase id={person.id} name={name} />}

      {doing === 'give' && <GiveRole person={person} onClose={stop} />}
      {doing === 'change' && <Change person={person} onClose={stop} />}
      {doing === 'sign-out' && (
        <Act
          title={t('platform.person.sign-out-title', { name })}
          ok={t('platform.person.sign-out')}
          onClose={stop}
          send={async ({ reason }) => {
            await signOutEverywhere(person.id, reason)
            return t('platform.person.signed-out', { name })
          }}
        >
          {() => <p className={css.note}>{t('platform.person.sign-out-detail', { count: person.sessions })}</p>}
        </Act>
      )}
      {doing === 'second-factor' && (
        <Act
          title={t('platform.person.second-factor-title', { name })}
          ok={t('platform.person.second-factor-end')}
          onClose={stop}
          send={async ({ reason }) => {
            await endSecondFactor(person.id, reason)
            return t('platform.person.second-factor-ended', { name })
          }}
        >
          {() => <p className={css.note}>{t('platform.person.second-factor-detail')}</p>}
        </Act>
      )}
      {(doing === 'deactivate' || doing === 'activate') && (
        <Activate person={person} active={doing === 'activate'} onClose={stop} />
      )}
      {typeof doing === 'object' && <EndGrant person={person} grant={doing.end} onClose={stop} />}
    </>
  )
}

function Posts({ posts }: { posts: Person['posts'] }) {
  const { t } = useTexts()
  const { date } = useFormats()
  return (
    <section>
      <h2>{t('platform.person.posts')}</h2>
      <ul>
        {posts.map(({ holderId, post, acting, startsAt, endsAt }) => (
          <li key={holderId}>
            <Link href={`/posts/${post.id}`}>{post.title}</Link>
            {acting && ` (${t('platform.posts.acting')})`},{' '}
            <span className={css.soft}>
              {endsAt
                ? t('platform.posts.from-until', { from: date(startsAt), until: date(lastDayOf(endsAt)) })
                : t('platform.posts.since', { from: date(startsAt) })}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** How the person signs in, and their email address. */
function Account({
  person: { username, email, emailConfirmed, record, hasPassword, secondFactor, sessions },
}: {
  person: Person
}) {
  const { t } = useTexts()
  return (
    <section>
      <h2>{t('platform.person.account')}</h2>
      <dl className={css.facts}>
        <dt>{t('platform.people.username')}</dt>
        <dd>{username}</dd>
        <dt>{t('platform.people.email')}</dt>
        <dd>
          {email}{' '}
          <span className={css.soft}>
            {t(emailConfirmed ? 'platform.person.email-confirmed' : 'platform.person.email-not-confirmed')}
          </span>
        </dd>
        {record && (
          <>
            <dt>{t('platform.person.record')}</dt>
            <dd>
              <Link href={`/registers/${record.register}/${record.id}`}>{record.title}</Link>
            </dd>
          </>
        )}
        <dt>{t('platform.person.password')}</dt>
        <dd>{t(hasPassword ? 'platform.person.password-set' : 'platform.person.password-not-set')}</dd>
        <dt>{t('platform.person.second-factor')}</dt>
        <dd>{t(secondFactor ? 'platform.yes' : 'platform.no')}</dd>
        <dt>{t('platform.person.sessions')}</dt>
        <dd>{sessions}</dd>
      </dl>
    </section>
  )
}

/** A requested change of name, for people who may confirm it. */
function NameAsked({ person, change, self }: { person: Person; change: NameChange; self: boolean }) {
  const { t } = useTexts()
  const { date } = useFormats()
  const [accept, setAccept] = useState<boolean>()
  const { id, name } = person
  const names = { name, wanted: change.name }
  return (
    <>
      <Alert
        type="warning"
        role="status"
        title={t('platform.name.asked', { ...names, date: date(change.askedAt) })}
        description={self ? t('platform.own-name') : t('platform.name.asked-detail')}
        {...(!self && {
          action: (
            <span className={page.acts}>
              <Button onClick={() => setAccept(true)}>{t('platform.name.confirm')}</Button>
              <Button onClick={() => setAccept(false)}>{t('platform.name.refuse')}</Button>
            </span>
          ),
        })}
      />
      {accept !== undefined && (
        <Act
          title={t(accept ? 'platform.name.confirm-title' : 'platform.name.refuse-title', names)}
          ok={t(accept ? 'platform.name.confirm-ok' : 'platform.name.refuse-ok')}
          onClose={() => setAccept(undefined)}
          send={async ({ reason }) => {
            await decideName(id, change.id, { accept, reason })
            return t(accept ? 'platform.name.confirmed' : 'platform.name.refused', names)
          }}
        />
      )}
    </>
  )
}
