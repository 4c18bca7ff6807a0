import { Alert, Button, Dropdown, Form, Input } from 'antd'
import { useAction } from '../../kernel/states/act.ts'
import { useConfirm } from '../../kernel/states/confirm.ts'
import { useNow } from '../../kernel/clock/now.ts'
import { useMe } from '../../kernel/session/session.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { Act } from './act.tsx'
import { EffectOf, EffectOnPerson } from './effect.tsx'
import { changePerson, effectOn, sendPasswordLink, type Grant, type Person } from './people.ts'
import css from './people.module.css'

export type Doing = 'give' | 'change' | 'sign-out' | 'second-factor' | 'activate' | 'deactivate' | { end: Grant }

export function More({ person, self, onChoose }: { person: Person; self: boolean; onChoose(doing: Doing): void }) {
  const { t } = useTexts()
  const act = useAction()
  const confirm = useConfirm()
  const { id, name, email, active } = person
  const send = () =>
    confirm({
      title: t('platform.person.link-title', { name }),
      consequence: t('platform.person.link-detail', { email }),
      verb: t('platform.person.link'),
      act: () => act(() => sendPasswordLink(id), t('platform.person.link-sent', { email })),
    })
  return (
    <Dropdown
      trigger={['click']}
      menu={{
        items: [
          ...(active
            ? [
                { key: 'link', label: t('platform.person.link'), onClick: send },
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

interface Details {
  name: string
  email: string
  post?: string | null
}

export function Change({ person, onClose }: { person: Person; onClose(): void }) {
  const { t } = useTexts()
  const me = useMe()
  const required = { required: true, whitespace: true, message: t('platform.field-required') }
  // The register defines the name of people in it, and nobody renames themselves.
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

export function Activate({ person, active, onClose }: { person: Person; active: boolean; onClose(): void }) {
  const { t } = useTexts()
  const now = useNow()
  const { id, name, email, post, sessions } = person
  // A role that comes with a post ends with the post, not separately.
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
