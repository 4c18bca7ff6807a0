import { Form, Input, Radio, Select } from 'antd'
import { useInboxFields } from '../../kernel/api/inbox.ts'
import { askSubstitute, substitutesPath } from '../../kernel/api/substitutions.ts'
import { Act } from '../people/act.tsx'
import { endOf, startOf, today } from '../people/dates.ts'
import { Day } from '../people/day.tsx'
import people from '../people/people.module.css'
import { PersonSelect } from '../people/person-select.tsx'
import { PersonPicker } from '../people/pickers.tsx'
import { useMe } from '../../kernel/session/session.ts'
import { useTexts } from '../../kernel/texts/texts.ts'

interface Asking {
  absent?: string
  substitute: string
  from: string
  until: string
  which: 'all' | 'some'
  flows?: string[]
  limit?: string
  why?: string
}

/** Rupees as people write them, in cents; undefined if invalid. */
const centsOf = (typed: string | undefined): number | undefined => {
  const plain = (typed ?? '').replace(/^\s*Rs\.?/i, '').replaceAll(/[,\s]/g, '')
  return /^\d{1,12}(\.\d{1,2})?$/.test(plain) ? Math.round(Number(plain) * 100) : undefined
}

/** Asks a colleague to substitute for the reader from one day to another, for all requests or some. */
export function AskSubstitute({ onClose }: { onClose(): void }) {
  const { t } = useTexts()
  const me = useMe()
  const flows = useInboxFields(undefined).data?.flows ?? []
  const administers = me.grants.some(({ role }) => role === 'ADMIN')
  const required = { required: true, message: t('platform.field-required') }
  return (
    <Act<Asking>
      title={t('platform.substitutes.ask')}
      ok={t('platform.substitutes.ask-ok')}
      reasoned={false}
      start={{ from: today(), which: 'all' }}
      onClose={onClose}
      send={async ({ absent, substitute, from, until, which, flows: some = [], limit, why }) => {
        const amountLimit = centsOf(limit)
        const made = await askSubstitute({
          substitute,
          from: startOf(from) ?? new Date().toISOString(),
          until: endOf(until),
          ...(which === 'some' ? { flows: some } : {}),
          ...(amountLimit === undefined ? {} : { amountLimit }),
          ...(why?.trim() ? { reason: why.trim() } : {}),
          ...(absent && absent !== me.id ? { absent } : {}),
        })
        return t('platform.substitutes.ask-done', { name: made.substitute.name })
      }}
    >
      {(values) => (
        <>
          <p className={people.note}>{t('platform.substitutes.ask-detail')}</p>
          {administers && (
            <Form.Item
              name="absent"
              label={t('platform.substitutes.absent')}
              extra={t('platform.substitutes.absent-help')}
            >
              <PersonPicker />
            </Form.Item>
          )}
          <Form.Item name="substitute" label={t('platform.substitutes.substitute')} rules={[required]}>
            <PersonSelect pathOf={substitutesPath} placeholder={t('platform.substitutes.find')} />
          </Form.Item>
          <div className={people.pair}>
            <Form.Item name="from" label={t('platform.substitutes.from')} rules={[required]}>
              <Day />
            </Form.Item>
            <Form.Item name="until" label={t('platform.substitutes.until')} rules={[required]}>
              <Day first={values.from ?? today()} />
            </Form.Item>
          </div>
          <Form.Item name="which" label={t('platform.substitutes.which')}>
            <Radio.Group
              options={[
                { value: 'all', label: t('platform.substitutes.all-flows') },
                { value: 'some', label: t('platform.substitutes.some-flows') },
              ]}
            />
          </Form.Item>
          {values.which === 'some' && (
            <Form.Item name="flows" label={t('platform.substitutes.flows')} rules={[required]}>
              <Select
                mode="multiple"
                showSearch={{ optionFilterProp: 'label' }}
                placeholder={t('platform.form.search-and-choose')}
                options={flows.map(({ key, title }) => ({ value: key, label: title }))}
              />
            </Form.Item>
          )}
          <Form.Item
            name="limit"
            label={t('platform.substitutes.limit')}
            extra={t('platform.substitutes.limit-help')}
            rules={[
              {
                validator: async (_, typed: string | undefined) => {
                  if (typed?.trim() && centsOf(typed) === undefined)
                    throw new Error(t('platform.substitutes.limit-wrong'))
                },
              },
            ]}
          >
            <Input prefix="Rs." inputMode="decimal" style={{ maxWidth: 240 }} autoComplete="off" />
          </Form.Item>
          <Form.Item name="why" label={t('platform.substitutes.reason')}>
            <Input.TextArea autoSize={{ minRows: 2, maxRows: 5 }} maxLength={500} />
          </Form.Item>
        </>
      )}
    </Act>
  )
}
