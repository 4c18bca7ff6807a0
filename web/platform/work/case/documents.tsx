import { Button } from 'antd'
import { useState } from 'react'
import type { Case } from '../../kernel/client/types.ts'
import { save } from '../../kernel/files/save.ts'
import { useAction } from '../../kernel/states/act.ts'
import { useFormats } from '../../kernel/texts/formats.ts'
import { hasText, useTexts } from '../../kernel/texts/texts.ts'
import css from './case.module.css'
import type { Ways } from './ways.ts'

/** Documents issued for a case, such as its invoice, as PDF downloads. */
export function Documents({ of, ways }: { of: Pick<Case, 'documents' | 'flow'>; ways: Ways }) {
  const { t } = useTexts()
  const { date } = useFormats()
  const attempt = useAction()
  const [busy, setBusy] = useState<string>()
  if (of.documents.length === 0) return null
  const area = of.flow.split('/')[0]
  /** Text keys are `<area>/<kind>`, or the kind alone. */
  const nameOf = (kind: string) => {
    const key = kind.includes('/') ? kind.replace('/', '.') : `${area}.${kind}`
    return hasText(key) ? t(key) : kind
  }
  const fetch = async (id: string, name: string) => {
    setBusy(id)
    await attempt(async () => save(`${name}.pdf`, await ways.document(id)))
    setBusy(undefined)
  }
  return (
    <section className={css['part']}>
      <h2>{t('platform.case.documents')}</h2>
      <ul className={css['documents']}>
        {of.documents.map(({ id, kind, number, issuedAt, endedAt }) => (
          <li key={id}>
            <span>
              <strong>{nameOf(kind)}</strong> {number} · {date(issuedAt)}
              {endedAt !== null && ` · ${t('platform.verify.ended')} ${date(endedAt)}`}
            </span>
            <Button
              size="small"
              loading={busy === id}
              aria-label={t('platform.case.document-fetch-named', { name: nameOf(kind), number })}
              onClick={() => void fetch(id, number.replaceAll('/', '-'))}
            >
              {t('platform.case.document-fetch')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
