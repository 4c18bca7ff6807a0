import { Form, Radio } from 'antd'
import { useTexts } from '../../kernel/texts/texts.ts'
import { Act } from './act.tsx'
import { endOf } from './dates.ts'
import { Day } from './day.tsx'
import { EffectOf, EffectOnPerson } from './effect.tsx'
import { effectOn, endGrant, type Grant, type Person } from './people.ts'

/** When something ends: now, or after a day. */
export interface End {
  when: 'now' | 'day'
  endsAt?: string
}

/** The choice between now and a day, for dialogs that end something. */
export function EndFields({ when }: { when: End['when'] | undefined }) {
  const { t } = useTexts()
  return (
    <>
      <Form.Item name="when" label={t('platform.grant.ends')}>
        <Radio.Group
          options={[
            { value: 'now', label: t('platform.grant.ends-now') },
            { value: 'day', label: t('platform.grant.ends-on') },
          ]}
        />
      </Form.Item>
      {when === 'day' && (
        <Form.Item
          name="endsAt"
          label={t('platform.grant.last-day')}
          rules={[{ required: true, message: t('platform.field-required') }]}
        >
          <Day />
        </Form.Item>
      )}
    </>
  )
}

/** The end as the API expects it. */
export const endOfChoice = ({ when, endsAt }: End): { endsAt?: string } =>
  when === 'day' && endsAt ? { endsAt: endOf(endsAt) } : {}

/** Ends a role of somebody, with a preview of what they lose. */
export function EndGrant({ person, grant, onClose }: { person: Person; grant: Grant; onClose(): void }) {
  const { t } = useTexts()
  const { id, name } = person
  const { role, scope } = grant
  const what = scope ? t('platform.people.role-at', { role, where: scope.name }) : role
  return (
    <Act<End>
      title={t('platform.grant.end-title', { what, name })}
      ok={t('platform.grant.end-of', { role })}
      danger
      onClose={onClose}
      start={{ when: 'now' }}
      send={async ({ reason, ...end }) => {
        await endGrant(grant.id, { ...endOfChoice(end), reason })
        return t(end.when === 'now' ? 'platform.grant.ended-now' : 'platform.grant.ends-later', { name, what })
      }}
      effect={() => (
        <EffectOf of={[id, 'end', grant.id]} read={() => effectOn(id, { end: [grant.id] })}>
          {(effect) => <EffectOnPerson name={name} effect={effect} />}
        </EffectOf>
      )}
    >
      {({ when }) => <EndFields when={when} />}
    </Act>
  )
}
