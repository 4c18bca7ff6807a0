import { Button, Form, Input } from 'antd'
import { useState } from 'react'
import { numberCheques, printRun, type Run } from '../../kernel/api/runs.ts'
import { useDownload } from '../../kernel/files/download.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { Act } from '../../people/people/act.tsx'

/** The cheques of a paid run: their first number is entered once, then they print as a list. */
export function Cheques({ caseId, run: { may, cheques, counts } }: { caseId: string; run: Run }) {
  const { t } = useTexts()
  const { busy, download } = useDownload()
  const [asks, setAsks] = useState(false)
  return (
    <>
      {may.numberCheques && <Button onClick={() => setAsks(true)}>{t('platform.run.cheques-number')}</Button>}
      {cheques > 0 && (
        <Button loading={busy} onClick={() => void download(() => printRun(caseId, 'cheque-list'))}>
          {t('platform.run.paper.cheque-list')} (PDF)
        </Button>
      )}
      {asks && (
        <Act<{ first: string; torn?: string }>
          title={t('platform.run.cheques-number')}
          ok={t('platform.run.cheques-number')}
          reasoned={false}
          onClose={() => setAsks(false)}
          send={async ({ first, torn = '' }) => {
            await numberCheques(caseId, { first, torn: torn.match(/\d+/g) ?? [] })
            return t('platform.run.cheques-done', { count: counts.states.included })
          }}
        >
          {() => (
            <>
              <Form.Item
                name="first"
                label={t('platform.run.cheques-first')}
                extra={t('platform.run.cheques-help', { count: counts.states.included })}
                rules={[{ required: true, pattern: /^[0-9]{6}$/, message: t('platform.run.cheques-six') }]}
              >
                <Input maxLength={6} inputMode="numeric" autoComplete="off" />
              </Form.Item>
              <Form.Item
                name="torn"
                label={t('platform.run.cheques-torn')}
                extra={t('platform.run.cheques-torn-help')}
                rules={[{ pattern: /^\s*([0-9]{6}([\s,]+|$))*$/, message: t('platform.run.cheques-six') }]}
              >
                <Input autoComplete="off" />
              </Form.Item>
            </>
          )}
        </Act>
      )}
    </>
  )
}
