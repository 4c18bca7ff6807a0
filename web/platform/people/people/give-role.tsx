import { Form, Select } from 'antd'
import { useMe } from '../../kernel/session/session.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { Act } from './act.tsx'
import { endOf, startOf, today } from './dates.ts'
import { Day } from './day.tsx'
import { EffectOf, EffectOnPerson } from './effect.tsx'
import { effectOn, giveRole, type Person } from './people.ts'
import css from './people.module.css'
import { scopeOf, UnitPicker } from './pickers.tsx'

interface Given {
  role: string
  scope: string
  startsAt?: string
  endsAt?: string
}

/** Gives somebody a role: unit, period and reason, with a preview of the effect. */
export function GiveRole({ person, onClose }: { person: Person; onClose(): void }) {
  const { t } = useTexts()
  const { id, name, mayGrant } = person
  const administers = useMe().grants.some(({ role }) => role === 'ADMIN')
  const required = { required: true, message: t('platform.field-required') }
  return (
    <Act<Given>
      title={t('platform.person.give-title', { name })}
      ok={t('platform.person.give')}
      onClose={onClose}
      start={{ startsAt: today() }}
      send={async ({ role, scope, startsAt, endsAt, reason }) => {
        const start = startOf(startsAt)
        await giveRole(id, {
          role,
          scope: scopeOf(scope),
          reason,
          ...(start ? { startsAt: start } : {}),
          ...(endsAt ? { endsAt: endOf(endsAt) } : {}),
        })
        return t(start ? 'platform.person.will-have' : 'platform.person.has-now', { name, role })
      }}
      effect={({ role, scope }) => {
        const ready = role !== undefined && scope !== undefined
        const add = ready ? [{ role, scope: scopeOf(scope) }] : []
        return (
          <EffectOf of={ready ? [id, 'give', role, scope] : null} read={() => effectOn(id, { add })}>
            {(effect) => <EffectOnPerson name={name} effect={effect} />}
          </EffectOf>
        )
      }}
    >
      {({ role, startsAt }, form) => {
        const may = mayGrant.find((each) => each.role === role)
        const refusal = may?.scopes.find((each) => each.refusal !== null)?.refusal
        return (
          <>
            <Form.Item
              name="role"
              label={t('platform.people.role')}
              extra={administers ? undefined : t('platform.person.only-own')}
              rules={[required]}
            >
              <Select
                showSearch
                placeholder={t('platform.form.search-and-choose')}
                // The unit of another role may not fit this one.
                onChange={() => form.setFieldValue('scope', undefined)}
                options={mayGrant.map((each) => ({ value: each.role, label: each.role }))}
              />
            </Form.Item>
            <Form.Item
              name="scope"
              label={t('platform.grant.where')}
              extra={refusal ? t('platform.grant.not-all', { reason: t(refusal) }) : undefined}
              rules={[required]}
            >
              <UnitPicker
                whole={may?.anywhere === true && may.scoped !== 'always'}
                {...(may?.anywhere && may.scoped !== 'never' ? {} : { only: may?.scopes ?? [] })}
              />
            </Form.Item>
            <div className={css.pair}>
              <Form.Item name="startsAt" label={t('platform.grant.from')} rules={[required]}>
                <Day />
              </Form.Item>
              <Form.Item
                name="endsAt"
                label={t('platform.grant.until-optional')}
                extra={t('platform.grant.until-help')}
              >
                <Day first={startsAt ?? today()} />
              </Form.Item>
            </div>
          </>
        )
      }}
    </Act>
  )
}
