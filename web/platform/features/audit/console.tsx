import { Link, useLocation, useSearch } from 'wouter'
import page from '../../kernel/page/page.module.css'
import type { PageProps } from '../../kernel/screens/page.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './audit.module.css'
import { Cases } from './cases.tsx'
import { Entries } from './entries.tsx'
import { RecordKept } from './record-kept.tsx'
import { Reports } from './reports.tsx'
import { isKeyOf } from '../../kernel/keys.ts'

const parts = { entries: Entries, cases: Cases, reports: Reports, record: RecordKept } as const

/** The auditor's console: audit trail search, cases, saved queries and the integrity of the trail. */
export default function AuditConsole({ title }: PageProps) {
  const { t } = useTexts()
  const [path] = useLocation()
  const wanted = new URLSearchParams(useSearch()).get('show') ?? 'entries'
  const shown = isKeyOf(parts, wanted) ? wanted : 'entries'
  const Shown = parts[shown]
  return (
    <div className={page.page}>
      <h1>{t(title)}</h1>
      <nav className={css.parts} aria-label={t(title)}>
        {Object.keys(parts).map((key) => (
          <Link
            key={key}
            href={key === 'entries' ? path : `${path}?show=${key}`}
            aria-current={key === shown ? 'page' : undefined}
          >
            {t(`platform.audit-part.${key}`)}
          </Link>
        ))}
      </nav>
      <Shown />
    </div>
  )
}
