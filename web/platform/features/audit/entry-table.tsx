import { Link } from 'wouter'
import type { AuditEntry } from '../../kernel/api/audit.ts'
import table from '../../people/people/people.module.css'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { Unregistered } from '../../kernel/status/unregistered.tsx'
import css from './audit.module.css'

/** Entries in plain words: when, what, who with post and authority, and in which case. */
export function EntryTable({ entries }: { entries: readonly AuditEntry[] }) {
  const { t } = useTexts()
  const { dateTime } = useFormats()
  return (
    <table className={`${table.table} ${css.entries}`}>
      <thead>
        <tr>
          {(['at', 'what', 'who', 'case'] as const).map((column) => (
            <th key={column} scope="col">
              {t(`platform.audit-head.${column}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.id}>
            <td data-label={t('platform.audit-head.at')}>
              <time dateTime={entry.at}>{dateTime(entry.at)}</time>
            </td>
            <td data-label={t('platform.audit-head.what')}>
              <div>
                {entry.text}
                {entry.reason && <q className={css.reason}>{entry.reason}</q>}
                {entry.erased && <small className={css.soft}>{t('platform.audit-erased')}</small>}
                {entry.missing && <strong className={css.missing}>{t('platform.audit-missing')}</strong>}
              </div>
            </td>
            <td data-label={t('platform.audit-head.who')}>
              <Who {...entry} />
            </td>
            <td data-label={t('platform.audit-head.case')}>
              {entry.caseId && (
                <div>
                  <Link href={`/audit_trail/cases/${entry.caseId}?at=${encodeURIComponent(entry.at)}`}>
                    {entry.reference ?? t('platform.audit-case')}
                  </Link>
                  {entry.flow && <small className={css.soft}>{entry.flow.text}</small>}
                </div>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
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
