import { Alert, App, Button, Dropdown, Form, Input } from 'antd'
import { useEffect, useState, type ReactNode } from 'react'
import { Link } from 'wouter'
import { useDo } from '../../kernel/states/act.ts'
import { Fold } from '../../kernel/states/fold.tsx'
import { useNow } from '../../kernel/clock/now.ts'
import { ItemPage } from '../../kernel/page/item-page.tsx'
import page from '../../kernel/page/page.module.css'
import type { PageProps } from '../../kernel/screens/page.ts'
import { useMe } from '../../kernel/session/session.ts'
import { Mark } from '../../kernel/status/mark.tsx'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { Act } from './act.tsx'
import { lastDayOf, useAgo } from './dates.ts'
import { EffectOf, EffectOnPerson } from './effect.tsx'
import { EndGrant } from './end-grant.tsx'
import { Erase } from './erase.tsx'
import { GiveRole } from './give-role.tsx'
import {
  changePerson,
  decideName,
  effectOn,
  endSecondFactor,
  sendPasswordLink,
  signOutEverywhere,
  usePerson,
  type Grant,
  type NameChange,
  type Person,
} from './people.ts'
import { Unregistered } from '../../kernel/status/unregistered.tsx'
import css from './people.module.css'

/** One person: who this is, what they may and since when, and what the reader may do about it. */
export default function PersonPage({ params }: PageProps) {
  const { t } = useTexts()
  const person = usePerson(params['id'] ?? '')
  return (
    <ItemPage list={{ href: '/people', title: t('platform.screen.people') }} read={person}>
      {(data) => <Present person={data} />}
    </ItemPage>
  )
}

type Doing = 'give' | 'change' | 'sign-out' | 'second-factor' | 'activate' | 'deactivate' | { end: Grant }

function Present({ person }: { person: Person }) {
  const { t } = useTexts()
  const { date } = useFormats()
  const ago = useAgo()
  const me = useMe()
  const [doing, setDoing] = useState<Doing>()
  const { name, email, username, active, lastSeenAt, record, grants, posts, mayChange, mayGrant } = person
  const self = person.id === me.id
  // Of people in other units only name and post are told.
  const whole = username !== null
  const over = grants.filter(({ state }) => state === 'ended')
  useEffect(() => {
    document.title = t('platform.page-title', { title: name })
  }, [t, name])

  const stop = () => setDoing(undefined)
  return (
    <>
      <h1>
        {name}
        <Unregistered is={person} />
      </h1>
      <p className={page.about}>
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
      </p>
      <div className={page.acts}>
        {mayGrant.length > 0 && active && (
          <Button type="primary" onClick={() => setDoing('give')}>
            {t('platform.person.give')}
          </Button>
        )}
        {mayChange && <Button onClick={() => setDoing('change')}>{t('platform.person.change')}</Button>}
        {mayChange && <More person={person} self={self} onChoose={setDoing} />}
      </div>
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

      {posts.length > 0 && (
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
      )}

      {whole && (
        <section>
          <h2>{t('platform.person.account')}</h2>
          <dl className={css.facts}>
            <dt>{t('platform.people.username')}</dt>
            <dd>{username}</dd>
            <dt>{t('platform.people.email')}</dt>
            <dd>
              {email}{' '}
              <span className={css.soft}>
                {t(person.emailConfirmed ? 'platform.person.email-confirmed' : 'platform.person.email-not-confirmed')}
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
            <dd>{t(person.hasPassword ? 'platform.person.password-set' : 'platform.person.password-not-set')}</dd>
            <dt>{t('platform.person.second-factor')}</dt>
            <dd>{t(person.secondFactor ? 'platform.yes' : 'platform.no')}</dd>
            <dt>{t('platform.person.sessions')}</dt>
            <dd>{person.sessions}</dd>
          </dl>
        </section>
      )}

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

/** What somebody asks to be called, for whoever may confirm it. */
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

function More({ person, self, onChoose }: { person: Person; self: boolean; onChoose(doing: Doing): void }) {
  const { t } = useTexts()
  const act = useDo()
  const { modal } = App.useApp()
  const { id, name, email, active } = person
  const send = () =>
    modal.confirm({
      title: t('platform.person.link-title', { name }),
      content: t('platform.person.link-detail', { email }),
      okText: t('platform.person.link'),
      cancelText: t('platform.cancel'),
      onOk: () => act(() => sendPasswordLink(id), t('platform.person.link-sent', { email })),
    })
  return (
    <Dropdown
      trigger={['click']}
      menu={{
        items: [
          ...(active
            ? [
                { key: 'link', label: t('platform.person.link'), onClick: () => void send() },
                { key: 'out', label: t('platform.person.sign-out'), onClick: () => onChoose('sign-out') },
              ]
            : []),
          ...(person.secondFactor && !self
            ? [
                {
                  key: 'factor',
                  label: t('platform.person.second-factor-end'),
                  onClick: () => onChoose('second-factor'),
                },
              ]
            : []),
          ...(self
            ? []
            : [
                {
                  key: 'active',
                  label: t(active ? 'platform.person.deactivate' : 'platform.person.activate'),
                  danger: active,
                  onClick: () => onChoose(active ? 'deactivate' : 'activate'),
                },
              ]),
        ],
      }}
    >
      <Button>{t('platform.person.more')}</Button>
    </Dropdown>
  )
}

/** Roles as one reads them: which, where, from when until when, by whom and why. */
function Grants({
  grants,
  onEnd,
  children,
}: {
  grants: Grant[]
  onEnd?: (grant: Grant) => void
  children?: ReactNode
}) {
  const { t } = useTexts()
  const { date } = useFormats()
  if (grants.length === 0) return <p className={css.soft}>{children}</p>
  const label = (name: string) => t(`platform.grant.${name}`)
  return (
    <table className={css.table}>
      <thead>
        <tr>
          {['role', 'where', 'from', 'until', 'by', 'why'].map((name) => (
            <th key={name} scope="col">
              {label(name)}
            </th>
          ))}
          {onEnd && (
            <th scope="col">
              <span className="visually-hidden">{t('platform.register-page.actions')}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {grants.map((grant) => (
          <tr key={grant.id}>
            <td data-label={label('role')}>
              <span>
                <strong>{grant.role}</strong>
                {grant.state === 'future' && <span className={css.soft}> ({t('platform.grant.future')})</span>}
              </span>
            </td>
            <td data-label={label('where')}>{grant.scope?.name ?? t('platform.people.everywhere')}</td>
            <td data-label={label('from')}>{date(grant.startsAt)}</td>
            <td data-label={label('until')}>{grant.endsAt ? date(lastDayOf(grant.endsAt)) : '–'}</td>
            <td data-label={label('by')}>
              {grant.origin === 'post' || !grant.grantedBy
                ? t(`platform.grant.origin.${grant.origin}`)
                : grant.grantedBy.name}
            </td>
            <td data-label={label('why')} className={css.long}>
              <span>
                {grant.reason ?? '–'}
                {grant.endRefusal && <span className={css.ended}>{t(grant.endRefusal)}</span>}
                {grant.endReason && (
                  <span className={css.ended}>{t('platform.grant.end-reason', { reason: grant.endReason })}</span>
                )}
              </span>
            </td>
            {onEnd && (
              <td className={css.do}>
                {(grant.mayEnd || grant.endRefusal) && (
                  <Button
                    size="small"
                    disabled={!grant.mayEnd}
                    onClick={() => onEnd(grant)}
                    aria-label={t('platform.grant.end-of', { role: grant.role })}
                  >
                    {t('platform.grant.end')}
                  </Button>
                )}
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface Details {
  name: string
  email: string
  post?: string | null
}

function Change({ person, onClose }: { person: Person; onClose(): void }) {
  const { t } = useTexts()
  const me = useMe()
  const required = { required: true, whitespace: true, message: t('platform.field-required') }
  // The register says it; and nobody renames themselves.
  const fixed = person.record ? 'platform.name-of-register' : person.id === me.id ? 'platform.own-name' : undefined
  return (
    <Act<Details>
      title={t('platform.person.change-title', { name: person.name })}
      ok={t('platform.register-page.save')}
      onClose={onClose}
      start={{ name: person.name, email: person.email ?? '', post: person.post }}
      send={async ({ name, email, post, reason }) => {
        await changePerson(person, { name, email, post: post || null, active: person.active, reason })
        return t('platform.register-page.saved', { name })
      }}
    >
      {() => (
        <>
          <Form.Item name="name" label={t('platform.people.name')} rules={[required]} extra={fixed && t(fixed)}>
            <Input maxLength={120} autoComplete="off" disabled={fixed !== undefined} />
          </Form.Item>
          <Form.Item
            name="email"
            label={t('platform.people.email')}
            rules={[required, { type: 'email', message: t('platform.people.email-wrong') }]}
          >
            <Input type="email" maxLength={254} autoComplete="off" />
          </Form.Item>
          <Form.Item name="post" label={t('platform.people.post-optional')}>
            <Input maxLength={160} autoComplete="off" />
          </Form.Item>
        </>
      )}
    </Act>
  )
}

function Activate({ person, active, onClose }: { person: Person; active: boolean; onClose(): void }) {
  const { t } = useTexts()
  const now = useNow()
  const { id, name, email, post, sessions } = person
  // What comes with a post goes with it, and is not ended by itself.
  const held = person.grants.filter(({ state, mayEnd }) => state === 'current' && mayEnd).map((grant) => grant.id)
  const vacant = person.posts.filter(({ acting, endsAt }) => !acting && (!endsAt || Date.parse(endsAt) > now))
  return (
    <Act
      title={t(active ? 'platform.person.activate-title' : 'platform.person.deactivate-title', { name })}
      ok={t(active ? 'platform.person.activate' : 'platform.person.deactivate')}
      danger={!active}
      onClose={onClose}
      send={async ({ reason }) => {
        await changePerson(person, { name, email: email ?? '', post, active, reason })
        return t(active ? 'platform.person.activated' : 'platform.person.deactivated', { name })
      }}
      effect={() =>
        active ? (
          <Alert type="info" title={t('platform.person.activate-detail')} className={css.act ?? ''} />
        ) : (
          <EffectOf of={[id, 'deactivate', ...held]} read={() => effectOn(id, { end: held })}>
            {(effect) => (
              <>
                <p>{t('platform.person.deactivate-detail', { name, count: sessions })}</p>
                {vacant.length > 0 && (
                  <p>{t('platform.person.vacates', { posts: vacant.map((each) => each.post.title).join('; ') })}</p>
                )}
                <EffectOnPerson name={name} effect={effect} none={false} />
              </>
            )}
          </EffectOf>
        )
      }
    />
  )
}
