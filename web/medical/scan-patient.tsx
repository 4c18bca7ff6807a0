import { Alert, Button, Input, type InputRef } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { ScanButton } from '../platform/kernel/camera/scan-button.tsx'
import { request } from '../platform/kernel/client/client.ts'
import type { ReceivePatient } from '../platform/kernel/client/operations.generated.ts'
import page from '../platform/kernel/page/page.module.css'
import type { PageProps } from '../platform/kernel/screens/page.ts'
import { useAct } from '../platform/kernel/states/act.ts'
import { useTexts } from '../platform/kernel/texts/texts.ts'
import css from './medical.module.css'

/** Somebody comes: their card leads to their record, and opens it. */
export default function ScanPatientPage({ title }: PageProps) {
  const { t } = useTexts()
  const [, navigate] = useLocation()
  const field = useRef<InputRef>(null)
  const [shown, setShown] = useState('')
  const { run, busy, refusal } = useAct()
  useEffect(() => field.current?.focus(), [])
  const receive = (number: string) =>
    void run(async () => {
      const body = { shown: number.trim() }
      const { id } = await request<ReceivePatient['answer']>('POST', '/api/medical/arrivals', { body })
      navigate(`/medicalunit/patient_info/${id}`)
    })
  return (
    <div className={page.page}>
      <h1>{t(title)}</h1>
      <p className={page.lead}>{t('medical.scan.lead')}</p>
      <form
        className={css['scan']}
        onSubmit={(event) => {
          event.preventDefault()
          receive(shown)
        }}
      >
        <Input
          ref={field}
          value={shown}
          onChange={({ target }) => setShown(target.value)}
          placeholder={t('medical.scan.number')}
          aria-label={t('medical.scan.number')}
          maxLength={60}
        />
        <ScanButton
          onRead={(code) => {
            setShown(code)
            receive(code)
          }}
        />
        <Button type="primary" htmlType="submit" loading={busy} disabled={shown.trim() === ''}>
          {t('medical.scan.open')}
        </Button>
      </form>
      {refusal && <Alert type="error" role="alert" title={refusal} />}
    </div>
  )
}
