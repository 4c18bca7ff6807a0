import { Alert, Button, Checkbox } from 'antd'
import { useState } from 'react'
import { chainFile, keyFile, verifyChain, type Verdict } from '../../kernel/api/audit.ts'
import type { Sheet } from '../../kernel/client/client.ts'
import { save } from '../../kernel/files/save.ts'
import { useFilters } from '../../kernel/list/filters.ts'
import { useAct } from '../../kernel/states/act.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './audit.module.css'
import { Days } from './days.tsx'
import { Erasures } from './erasures.tsx'

/** Whether the audit trail is intact: checked here, or elsewhere with the exported file and the public key. */
export function RecordKept() {
  const { t } = useTexts()
  const { chosen, filter } = useFilters(['show', 'from', 'until'])
  const days = { from: chosen.from, until: chosen.until }
  const act = useAct()
  const [verdict, setVerdict] = useState<Verdict>()
  const [registers, setRegisters] = useState(false)
  /** The last export reported that the audit trail is not intact. */
  const [broken, setBroken] = useState(false)
  const check = () =>
    act.run(async () => {
      setVerdict(undefined)
      setVerdict(await verifyChain(days))
    })
  const take = (read: () => Promise<Sheet>) =>
    act.run(async () => {
      const { name, content } = await read()
      save(name, content)
      setBroken(name.startsWith('audit-not-whole'))
    })
  return (
    <section className={css.record}>
      <p className={css.lead}>{t('platform.audit-record.lead')}</p>
      <div className={css.filters}>
        <Days value={chosen} onChange={filter} />
        <Button type="primary" loading={act.busy} onClick={() => void check()}>
          {t('platform.audit-record.check')}
        </Button>
      </div>
      <div aria-live="polite">
        {act.refusal && <Alert type="warning" showIcon title={act.refusal} />}
        {verdict && <Told verdict={verdict} />}
        {verdict && <Searched {...verdict} />}
      </div>
      <h2>{t('platform.audit-record.elsewhere')}</h2>
      <p className={css.lead}>{t('platform.audit-record.elsewhere-lead')}</p>
      <Checkbox
        className={css.registers ?? ''}
        checked={registers}
        onChange={({ target }) => setRegisters(target.checked)}
      >
        {t('platform.audit-record.registers')}
        <small className={css.soft}>{t('platform.audit-record.registers-lead')}</small>
      </Checkbox>
      <div className={css.acts}>
        <Button disabled={act.busy} onClick={() => void take(() => chainFile(days, registers))}>
          {t('platform.audit-record.take')}
        </Button>
        <Button disabled={act.busy} onClick={() => void take(keyFile)}>
          {t('platform.audit-record.key')}
        </Button>
      </div>
      {broken && <Alert type="error" showIcon role="alert" title={t('platform.audit-record.taken-broken')} />}
      <p className={css.command}>
        <code>npm run audit:verify -- FILE --key audit-key.pem</code>
      </p>
      <p className={css.lead}>{t('platform.audit-record.checkpoint')}</p>
      <p className={css.command}>
        <code>npm run audit:verify -- FILE --key audit-key.pem --checkpoint CHECKPOINT.json</code>
      </p>
      <Erasures />
    </section>
  )
}

/** Whether the search index matches the audit trail. */
function Searched({ links, search }: Verdict) {
  const { t } = useTexts()
  const { first, missing, altered, extra } = search
  if (first === null) return links === 0 ? null : <p className={css.soft}>{t('platform.audit-record.search-whole')}</p>
  const values = { missing, altered, extra, entry: first.entryId, sequence: first.sequence ?? '–' }
  return (
    <Alert
      type="error"
      showIcon
      title={t('platform.audit-record.search-title')}
      description={t('platform.audit-record.search', values)}
    />
  )
}

function Told({ verdict }: { verdict: Verdict }) {
  const { t } = useTexts()
  const { links, from, to, erased, checkpoints, vouched, unvouched, first } = verdict
  if (first)
    return (
      <Alert
        type="error"
        showIcon
        title={t(`platform.audit-harm.${first.harm}`)}
        description={t('platform.audit-record.first', { text: first.text, sequence: first.sequence })}
      />
    )
  if (links === 0) return <Alert type="info" showIcon title={t('platform.audit-record.nothing')} />
  return (
    <Alert
      type="success"
      showIcon
      title={t('platform.audit-record.whole', { count: links })}
      description={
        <>
          <p>{t('platform.audit-record.range', { from, to })}</p>
          <p>{t('platform.audit-record.signed', { checkpoints, vouched, unvouched })}</p>
          {erased > 0 && <p>{t('platform.audit-record.erased', { count: erased })}</p>}
        </>
      }
    />
  )
}
