import { Button, Form, Select } from 'antd'
import { useState } from 'react'
import { Link } from 'wouter'
import { ItemPage } from '../../kernel/page/item-page.tsx'
import { PageHeader } from '../../kernel/page/page-header.tsx'
import type { PageProps } from '../../kernel/screens/page.ts'
import { Empty } from '../../kernel/states/empty.tsx'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { usePageTitle } from '../../kernel/page/title.ts'
import { Act } from './act.tsx'
import { EffectOf, EffectOfGroup } from './effect.tsx'
import { changeGroup, effectOfGroup, useGroups, useRoles, type Group } from './people.ts'
import css from './people.module.css'
import table from '../../kernel/list/data-table.module.css'

/** One permission group: its roles, and the pages that it opens. */
export default function GroupPage({ params }: PageProps) {
  const { t } = useTexts()
  const groups = useGroups()
  return (
    <ItemPage list={{ href: '/groups', title: t('platform.screen.groups') }} read={groups}>
      {({ items }) => {
        const group = items.find(({ name }) => name === params['name'])
        return group ? (
          <Present group={group} />
        ) : (
          <Empty title={t('platform.groups.none')}>{t('platform.groups.unknown', { name: params['name'] })}</Empty>
        )
      }}
    </ItemPage>
  )
}

function Present({ group }: { group: Group }) {
  const { t } = useTexts()
  const { count, moment } = useFormats()
  const [changing, setChanging] = useState(false)
  const { name, roles, holders, screens, changedAt, changedBy } = group
  usePageTitle(name)
  return (
    <>
      <PageHeader
        title={name}
        about={
          <>
            <span>{t('platform.groups.held-by', { count: holders.value, shown: count(holders) })}</span>
            <span>
              {changedBy
                ? t('platform.groups.changed-by', { at: moment(changedAt), name: changedBy.name })
                : t('platform.groups.as-delivered')}
            </span>
          </>
        }
        actions={
          <Button type="primary" onClick={() => setChanging(true)}>
            {t('platform.groups.change')}
          </Button>
        }
      />
      <section>
        <h2>{t('platform.groups.roles')}</h2>
        <p className={css.note}>{t('platform.groups.always')}</p>
        {roles.length > 0 ? (
          <ul className={css.names}>
            {roles.map((role) => (
              <li key={role}>
                <Link href={`/people?role=${encodeURIComponent(role)}`}>{role}</Link>
              </li>
            ))}
          </ul>
        ) : (
          <p className={css.soft}>{t('platform.groups.nobody')}</p>
        )}
      </section>
      <section>
        <h2>{t('platform.groups.pages')}</h2>
        {screens.length > 0 ? (
          <table className={table.table}>
            <tbody>
              {screens.map(({ route, title, built }) => (
                <tr key={route}>
                  <td data-label={t('platform.groups.page')}>
                    {built && !route.includes('{') ? <Link href={route}>{title}</Link> : title}
                  </td>
                  <td data-label={t('platform.groups.address')} className={css.soft}>
                    <code>{route}</code>
                  </td>
                  <td className={css.soft}>{!built && t('platform.not-built.mark')}</td>
                </tr>
              ))}
            </tbody>
          </table>
        ) : (
          <p className={css.soft}>{t('platform.groups.no-page-detail')}</p>
        )}
      </section>
      {changing && <Change group={group} onClose={() => setChanging(false)} />}
    </>
  )
}

/** These roles hold every group, so they cannot be chosen. */
const always = ['ADMIN', 'SA']

function Change({ group, onClose }: { group: Group; onClose(): void }) {
  const { t } = useTexts()
  const known = useRoles().data?.items ?? []
  const { name } = group
  const same = (roles: string[]) => roles.toSorted().join() === group.roles.toSorted().join()
  return (
    <Act<{ roles: string[] }>
      title={t('platform.groups.change-title', { name })}
      ok={t('platform.groups.change')}
      onClose={onClose}
      start={{ roles: group.roles }}
      send={async ({ roles, reason }) => {
        await changeGroup(group, roles, reason)
        return t('platform.groups.changed', { name })
      }}
      effect={({ roles }) => (
        <EffectOf
          of={roles && !same(roles) ? ['group', name, ...roles] : null}
          read={() => effectOfGroup(name, roles ?? [])}
        >
          {(effect) => <EffectOfGroup effect={effect} />}
        </EffectOf>
      )}
    >
      {() => (
        <Form.Item name="roles" label={t('platform.groups.roles')} extra={t('platform.groups.always')}>
          <Select
            mode="multiple"
            showSearch
            placeholder={t('platform.form.search-and-choose')}
            options={known
              .filter(({ role }) => !always.includes(role))
              .map(({ role, holders }) => ({
                value: role,
                label: t('platform.groups.role-held', { role, count: holders }),
              }))}
          />
        </Form.Item>
      )}
    </Act>
  )
}
