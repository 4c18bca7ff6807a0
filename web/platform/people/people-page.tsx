import { enUSIntl, ProConfigProvider, ProTable, type ProColumns } from '@ant-design/pro-components'
import { Button, Form, Input, Select } from 'antd'
import { useState } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { withQuery } from '../api/client.ts'
import type { PageProps } from '../router/page.ts'
import { useMe } from '../session/session.ts'
import { Empty } from '../states/empty.tsx'
import { Trouble } from '../states/trouble.tsx'
import { useFormats } from '../texts/formats.ts'
import { useTexts } from '../texts/texts.ts'
import { Act } from './act.tsx'
import { useAgo } from './dates.tsx'
import { addPerson, usePeople, useRoles, type PersonRow } from './people.ts'
import css from './people.module.css'
import { UnitPicker } from './pickers.tsx'

/** Everybody with an account: who they are, which roles they have and where, and when they were last here. */
export default function PeoplePage({ title }: PageProps) {
  const { t } = useTexts()
  const { count } = useFormats()
  const ago = useAgo()
  const me = useMe()
  const [path, navigate] = useLocation()
  const query = new URLSearchParams(useSearch())
  const given = (name: string) => query.get(name) ?? ''
  const chosen = { search: given('search'), role: given('role'), scope: given('scope'), state: given('state') }
  const people = usePeople(chosen)
  const roles = useRoles().data?.items
  const [adding, setAdding] = useState(false)
  const filter = (change: Partial<typeof chosen>) =>
    navigate(withQuery(path, { ...chosen, ...change }), { replace: true })

  const columns: ProColumns<PersonRow>[] = [
    {
      title: t('platform.people.name'),
      key: 'name',
      render: (_, { id, name, username }) => (
        <div className={css.cell}>
          <Link href={`/people/${id}`}>{name}</Link>
          <small>{username}</small>
        </div>
      ),
    },
    {
      title: t('platform.people.post'),
      key: 'post',
      render: (_, { post, kind }) => <div className={css.cell}>{post ?? t(`platform.people.kind.${kind}`)}</div>,
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
        <span className={css.status} data-is={active ? 'on' : undefined}>
          {t(active ? 'platform.people.active' : 'platform.people.inactive')}
        </span>
      ),
    },
  ]

  if (people.error && !people.items)
    return (
      <div className={css.page}>
        <Trouble error={people.error} onRetry={people.reload} />
      </div>
    )
  return (
    <div className={css.page}>
      <h1>
        {t(title)}
        {people.count && <span className={css.count}>{count(people.count)}</span>}
      </h1>
      <ProConfigProvider intl={enUSIntl}>
        <ProTable<PersonRow>
          rowKey="id"
          size="small"
          columns={columns}
          {...(people.items ? { dataSource: people.items } : {})}
          loading={!people.items}
          search={false}
          pagination={false}
          ghost
          scroll={{ x: 'max-content' }}
          columnsState={{ persistenceKey: `prakriya.columns.${path}`, persistenceType: 'localStorage' }}
          options={{ reload: false, density: false, fullScreen: false, setting: true }}
          headerTitle={
            <div className={css.filters}>
              <Input.Search
                key={chosen.search}
                allowClear
                defaultValue={chosen.search}
                style={{ width: 232 }}
                placeholder={t('platform.people.search')}
                aria-label={t('platform.people.search')}
                onSearch={(value) => filter({ search: value.trim() })}
              />
              <Select
                style={{ width: 152 }}
                allowClear
                showSearch
                aria-label={t('platform.people.role')}
                placeholder={t('platform.people.any-role')}
                value={chosen.role || null}
                onChange={(role: string | undefined) => filter({ role: role ?? '' })}
                options={(roles ?? []).map(({ role }) => ({ value: role, label: role }))}
              />
              <UnitPicker
                style={{ width: 184 }}
                aria-label={t('platform.people.unit')}
                placeholder={t('platform.people.any-unit')}
                value={chosen.scope || undefined}
                onChange={(scope) => filter({ scope: scope ?? '' })}
              />
              <Select
                style={{ width: 128 }}
                aria-label={t('platform.people.state')}
                value={chosen.state || 'all'}
                onChange={(state) => filter({ state: state === 'all' ? '' : state })}
                options={[
                  { value: 'all', label: t('platform.people.any-state') },
                  { value: 'active', label: t('platform.people.active') },
                  { value: 'inactive', label: t('platform.people.inactive') },
                ]}
              />
            </div>
          }
          toolBarRender={() => [
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
          locale={{
            emptyText: <Empty title={t('platform.people.nobody')}>{t('platform.people.nobody-detail')}</Empty>,
          }}
        />
      </ProConfigProvider>
      {people.more && (
        <p className={css.more}>
          <Button loading={people.loading} onClick={people.loadMore}>
            {t('platform.list.more')}
          </Button>
        </p>
      )}
      {adding && <Add onClose={() => setAdding(false)} />}
    </div>
  )
}

/** The first of somebody's roles, each with where it holds. */
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
