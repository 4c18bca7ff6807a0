import { Button, Form, Input } from 'antd'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { Choice } from '../../kernel/list/choice.tsx'
import { useFilters } from '../../kernel/list/filters.ts'
import { ListPage, type Column } from '../../kernel/list/list-page.tsx'
import cells from '../../kernel/list/list-page.module.css'
import type { PageProps } from '../../kernel/screens/page.ts'
import { useMe } from '../../kernel/session/session.ts'
import { Empty } from '../../kernel/states/empty.tsx'
import { Mark } from '../../kernel/status/mark.tsx'
import { useTexts } from '../../kernel/texts/texts.ts'
import { Act } from './act.tsx'
import { useAgo } from './dates.ts'
import { addPerson, usePeople, useRoles, type PersonRow } from './people.ts'
import css from './people.module.css'
import { UnitPicker } from './pickers.tsx'

/** Everybody with an account: roles, units and last sign-in. */
export default function PeoplePage({ title }: PageProps) {
  const { t } = useTexts()
  const ago = useAgo()
  const me = useMe()
  const { chosen, filter } = useFilters(['search', 'role', 'scope', 'state'])
  const people = usePeople(chosen)
  const roles = useRoles().data?.items
  const [adding, setAdding] = useState(false)

  const columns: Column<PersonRow>[] = [
    {
      title: t('platform.people.name'),
      key: 'name',
      render: (_, { id, name, username }) => (
        <div className={cells.cell}>
          <Link href={`/people/${id}`}>{name}</Link>
          <small>{username}</small>
        </div>
      ),
    },
    {
      title: t('platform.people.post'),
      key: 'post',
      render: (_, { post, kind }) => <div className={cells.cell}>{post ?? t(`platform.people.kind.${kind}`)}</div>,
    },
    { title: t('platform.people.roles'), key: 'roles', render: (_, { grants }) => <Roles of={grants} /> },
    {
      title: t('platform.people.last-seen'),
      key: 'lastSeenAt',
      render: (_, { lastSeenAt }) => (lastSeenAt ? ago(lastSeenAt) : t('platform.people.never')),
    },
    {
      title: t('platform.people.state'),
      key: 'active',
      render: (_, { active }) => (
        <Mark is={active ? 'on' : 'off'}>{t(active ? 'platform.people.active' : 'platform.people.inactive')}</Mark>
      ),
    },
  ]

  return (
    <ListPage
      title={t(title)}
      list={people}
      search={{ label: t('platform.people.search'), value: chosen.search }}
      onSearch={(search) => filter({ search })}
      filters={
        <>
          <Choice
            showSearch
            label={t('platform.people.role')}
            placeholder={t('platform.people.any-role')}
            value={chosen.role}
            options={(roles ?? []).map(({ role }) => ({ value: role, label: role }))}
            onChange={(role) => filter({ role })}
          />
          <UnitPicker
            style={{ width: 184 }}
            aria-label={t('platform.people.unit')}
            placeholder={t('platform.people.any-unit')}
            value={chosen.scope || undefined}
            onChange={(scope) => filter({ scope: scope ?? '' })}
          />
          <Choice
            label={t('platform.people.state')}
            value={chosen.state}
            any={t('platform.people.any-state')}
            options={[
              { value: 'active', label: t('platform.people.active') },
              { value: 'inactive', label: t('platform.people.inactive') },
            ]}
            onChange={(state) => filter({ state })}
          />
        </>
      }
      actions={[
        <Link key="import" href="/people/import" asChild>
          <Button>{t('platform.people.import')}</Button>
        </Link>,
        ...(me.grants.some(({ role }) => role === 'ADMIN' || role === 'SA')
          ? [
              <Button key="add" type="primary" onClick={() => setAdding(true)}>
                {t('platform.people.add')}
              </Button>,
            ]
          : []),
      ]}
      columns={columns}
      columnsOf="/people"
      empty={<Empty title={t('platform.people.nobody')}>{t('platform.people.nobody-detail')}</Empty>}
    >
      {adding && <Add onClose={() => setAdding(false)} />}
    </ListPage>
  )
}

/** The first of somebody's roles, each with its unit. */
function Roles({ of }: { of: PersonRow['grants'] }) {
  const { t } = useTexts()
  const shown = of.slice(0, 3)
  return (
    <ul className={css.roles}>
      {shown.map(({ role, scope }) => (
        <li key={`${role} ${scope?.id}`}>
          {role}
          {scope && <span className={css.soft}>, {scope.name}</span>}
        </li>
      ))}
      {of.length > shown.length && (
        <li className={css.soft}>{t('platform.people.more-roles', { count: of.length - shown.length })}</li>
      )}
    </ul>
  )
}

interface Fresh {
  name: string
  email: string
  username?: string
  post?: string
}

function Add({ onClose }: { onClose(): void }) {
  const { t } = useTexts()
  const [, navigate] = useLocation()
  const required = { required: true, whitespace: true, message: t('platform.field-required') }
  return (
    <Act<Fresh>
      title={t('platform.people.add-title')}
      ok={t('platform.people.add')}
      onClose={onClose}
      send={async ({ name, email, username, post, reason }) => {
        const made = await addPerson({
          name,
          email,
          reason,
          ...(username ? { username } : {}),
          ...(post ? { post } : {}),
        })
        navigate(`/people/${made.id}`)
        return t('platform.people.added', { name: made.name, email: made.email })
      }}
    >
      {() => (
        <>
          <p className={css.note}>{t('platform.people.add-detail')}</p>
          <Form.Item name="name" label={t('platform.people.name')} rules={[required]}>
            <Input maxLength={120} autoComplete="off" />
          </Form.Item>
          <Form.Item
            name="email"
            label={t('platform.people.email')}
            rules={[required, { type: 'email', message: t('platform.people.email-wrong') }]}
          >
            <Input type="email" maxLength={254} autoComplete="off" />
          </Form.Item>
          <Form.Item
            name="username"
            label={t('platform.people.username-optional')}
            extra={t('platform.people.username-help')}
          >
            <Input maxLength={60} autoComplete="off" />
          </Form.Item>
          <Form.Item name="post" label={t('platform.people.post-optional')}>
            <Input maxLength={160} autoComplete="off" />
          </Form.Item>
        </>
      )}
    </Act>
  )
}
