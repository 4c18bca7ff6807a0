import { Link } from 'wouter'
import { DataTable } from '../../kernel/list/data-table.tsx'
import { useAuditCases, useVocabulary } from '../../kernel/api/audit.ts'
import { Choice } from '../../kernel/list/choice.tsx'
import { useFilters } from '../../kernel/list/filters.ts'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './audit.module.css'
import { CommonFilters } from './common-filters.tsx'
import { Days } from './days.tsx'
import { Found } from './found.tsx'
import { HowEnded } from './how-ended.tsx'
import { Unregistered } from '../../kernel/status/unregistered.tsx'

const asked = ['show', 'text', 'reference', 'person', 'flow', 'from', 'until'] as const

/** Every case, regardless of other permissions. */
export function Cases() {
  const { t } = useTexts()
  const { dateTime } = useFormats()
  const { chosen, filter } = useFilters(asked)
  const list = useAuditCases({ ...chosen, show: '' })
  const flows = useVocabulary().data?.flows ?? []
  return (
    <>
      <div className={css.filters}>
        <CommonFilters label={t('platform.audit-filter.about')} chosen={chosen} filter={filter} />
        <Choice
          showSearch
          label={t('platform.audit-filter.flow')}
          value={chosen.flow}
          options={flows.map(({ key, text }) => ({ value: key, label: text }))}
          onChange={(flow) => filter({ flow })}
        />
        <Days value={chosen} onChange={filter} />
      </div>
      <Found list={list}>
        {(items) => (
          <DataTable
            className={css.cases}
            rows={items}
            keyOf={(one) => one.id}
            columns={[
              {
                label: t('platform.audit-head.case'),
                cell: (one) => <Link href={`/audit_trail/cases/${one.id}`}>{one.reference}</Link>,
              },
              {
                label: t('platform.audit-head.about'),
                cell: (one) => (
                  <div>
                    {one.title}
                    <small className={css.soft}>{one.flow.text}</small>
                  </div>
                ),
              },
              {
                label: t('platform.audit-head.requester'),
                cell: (one) => (
                  <>
                    {one.requester.name}
                    <Unregistered is={one.requester} />
                  </>
                ),
              },
              {
                label: t('platform.audit-head.status'),
                cell: (one) => (
                  <div>
                    {one.status.text}
                    <HowEnded {...one} />
                  </div>
                ),
              },
              {
                label: t('platform.audit-head.began'),
                cell: (one) => <time dateTime={one.createdAt}>{dateTime(one.createdAt)}</time>,
              },
            ]}
          />
        )}
      </Found>
    </>
  )
}
