import { Alert, Button, Form, Input, Modal, Radio } from 'antd'
import { useState } from 'react'
import { ScanButton } from '../../kernel/camera/scan-button.tsx'
import { useAct } from '../../kernel/states/act.ts'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { openRecord, type OwnItem } from './registers.ts'
import css from './sealed.module.css'

interface SealedProps {
  register: string
  item: OwnItem
  reload(): Promise<unknown>
}

/** Whether an entry has encrypted fields that the reader has not opened. */
export const isClosed = ({ sealed }: OwnItem): boolean => sealed !== null && sealed.openUntil === null

/** Of an entry with encrypted fields: until when they are open, or what opens them. */
export function Sealed({ register, item: { id, sealed }, reload }: SealedProps) {
  const { t } = useTexts()
  const { moment } = useFormats()
  if (!sealed?.mayOpen) return null
  if (sealed.lost)
    return (
      <Alert
        type="error"
        role="alert"
        showIcon
        className={css['box']}
        title={t('platform.sealed.lost')}
        description={t('platform.sealed.lost-detail')}
      />
    )
  if (sealed.openUntil !== null)
    return (
      <Alert
        type="info"
        showIcon
        className={css['box']}
        title={t('platform.sealed.open', { until: moment(sealed.openUntil) })}
      />
    )
  return (
    <Alert
      type="warning"
      role="status"
      showIcon
      className={css['box']}
      title={t('platform.sealed.closed')}
      description={
        <>
          <p>{t(sealed.restricted ? 'platform.sealed.restricted-detail' : 'platform.sealed.closed-detail')}</p>
          <Open register={register} id={id} sealed={sealed} reload={reload} />
        </>
      }
    />
  )
}

function Open({
  register,
  id,
  sealed: { restricted, reasons },
  reload,
}: {
  register: string
  id: string
  sealed: NonNullable<OwnItem['sealed']>
  reload(): Promise<unknown>
}) {
  const { t } = useTexts()
  const [shown, setShown] = useState('')
  const [asks, setAsks] = useState(false)
  const { run, busy, refusal } = useAct()
  const open = (number: string) =>
    void run(async () => {
      await openRecord(register, id, { shown: number })
      await reload()
    })
  return (
    <>
      {!restricted && (
        <form
          className={css['open']}
          onSubmit={(event) => {
            event.preventDefault()
            open(shown)
          }}
        >
          <Input
            value={shown}
            onChange={({ target }) => setShown(target.value)}
            placeholder={t('platform.sealed.shown')}
            aria-label={t('platform.sealed.shown')}
            maxLength={60}
          />
          <ScanButton
            onRead={(code) => {
              setShown(code)
              open(code)
            }}
          />
          <Button type="primary" htmlType="submit" loading={busy} disabled={shown.trim() === ''}>
            {t('platform.sealed.open-act')}
          </Button>
        </form>
      )}
      {reasons.length > 0 && (
        <Button className={css['without']} onClick={() => setAsks(true)}>
          {t('platform.sealed.without')}
        </Button>
      )}
      {refusal && <Alert type="error" role="alert" title={refusal} />}
      {asks && (
        <BreakGlass register={register} id={id} reasons={reasons} reload={reload} onClose={() => setAsks(false)} />
      )}
    </>
  )
}

/** Opens a record without its person, for a reason that others read. */
function BreakGlass({
  register,
  id,
  reasons,
  reload,
  onClose,
}: {
  register: string
  id: string
  reasons: NonNullable<OwnItem['sealed']>['reasons']
  reload(): Promise<unknown>
  onClose(): void
}) {
  const { t } = useTexts()
  const [form] = Form.useForm<{ reason: string }>()
  const [open, setOpen] = useState(true)
  const { run, busy, refusal } = useAct()
  const give = async ({ reason }: { reason: string }) => {
    const done = await run(async () => {
      await openRecord(register, id, { reason })
      await reload()
    }, form)
    if (done) setOpen(false)
  }
  return (
    <Modal
      open={open}
      title={t('platform.sealed.without').replace('…', '')}
      okText={t('platform.sealed.reason-act')}
      cancelText={t('platform.cancel')}
      okButtonProps={{ loading: busy }}
      onOk={() => form.submit()}
      onCancel={() => setOpen(false)}
      afterClose={onClose}
    >
      <p>{t('platform.sealed.reason-help')}</p>
      <Form form={form} layout="vertical" requiredMark={false} onFinish={(values) => void give(values)}>
        <Form.Item
          name="reason"
          label={t('platform.sealed.reason')}
          rules={[{ required: true, message: t('platform.sealed.reason-choose') }]}
        >
          <Radio.Group vertical options={reasons.map(({ const: value, title }) => ({ value, label: t(title) }))} />
        </Form.Item>
      </Form>
      {refusal && <Alert type="error" role="alert" title={refusal} />}
    </Modal>
  )
}
