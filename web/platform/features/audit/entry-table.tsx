import { Link } from 'wouter'
import { DataTable } from '../../kernel/list/data-table.tsx'
import type { AuditEntry } from '../../kernel/api/audit.ts'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { Unregistered } from '../../kernel/status/unregistered.tsx'
import css from './audit.module.css'

/** Entries in plain words: when, what, who with post and authority, and in which case. */
export function EntryTable({ entries }: { entries: readonly AuditEntry[] }) {
  const { t } = useTexts()
  const { dateTime } = useFormats()
  return (
    <DataTable
      className={css.entries}
      rows={entries}
      keyOf={(entry) => entry.id}
      columns={[
        { label: t('platform.audit-head.at'), cell: (entry) => <time dateTime={entry.at}>{dateTime(entry.at)}</time> },
        {
          label: t('platform.audit-head.what'),
          cell: (entry) => (
            <div>
              {entry.text}
              {entry.reason && <q className={css.reason}>{entry.reason}</q>}
              {entry.erased && <small className={css.soft}>{t('platform.audit-erased')}</small>}
              {entry.missing && <strong className={css.missing}>{t('platform.audit-missing')}</strong>}
            </div>
          ),
        },
        { label: t('platform.audit-head.who'), cell: (entry) => <Who {...entry} /> },
        {
          label: t('platform.audit-head.case'),
          cell: (entry) =>
            entry.caseId && (
              <div>
                <Link href={`/audit_trail/cases/${entry.caseId}?at=${encodeURIComponent(entry.at)}`}>
                  {entry.reference ?? t('platform.audit-case')}
                </Link>
                {entry.flow && <small className={css.soft}>{entry.flow.text}</small>}
              </div>
            ),
        },
      ]}
    />
  )
}

/** A person by name and post, the authority they acted on, and the person they substituted for. */
export function Who({ by, authority, for: absent }: Pick<AuditEntry, 'by' | 'authority' | 'for'>) {
  const { t } = useTexts()
  return (
    <div>
      {by.name}
      <Unregistered is={by} />
      {by.post && <small className={css.soft}>{by.post}</small>}
      {authority && authority !== by.post && (
        <small className={css.soft}>{t('platform.audit-as', { authority })}</small>
      )}
      {absent && <small className={css.soft}>{t('platform.audit-for', { name: absent })}</small>}
    </div>
  )
}
