import { Alert, App, Form, Input, Modal } from 'antd'
import { useState } from 'react'
import { useAct } from '../../kernel/states/act.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { decide, type Shelf, type Waiting } from './stock.ts'

interface DropDialogProps {
  register: string
  shelf: Shelf
  batch: string
  waits: Waiting
  onClose(dropped: boolean): void
}

/** Keeps units that were to be removed, with a reason. */
export function DropDialog({ register, shelf, batch, waits, onClose }: DropDialogProps) {
  const { t } = useTexts()
  const { message } = App.useApp()
  const [form] = Form.useForm<{ reason: string }>()
  const [open, setOpen] = useState(true)
  const [dropped, setDropped] = useState(false)
  const { run, busy, refusal } = useAct()
  const title = t(waits.mayConfirm ? 'platform.stock.drop' : 'platform.stock.take-back')
  const drop = async ({ reason }: { reason: string }) => {
    if (!(await run(() => decide(register, batch, waits.id, { confirmed: false, reason }), form))) return
    setDropped(true)
    void message.success(t('platform.stock.drop-done'))
    setOpen(false)
  }
  return (
    <Modal
      open={open}
      title={`${title}: ${shelf.title}`}
      okText={title}
      cancelText={t('platform.cancel')}
      okButtonProps={{ loading: busy }}
      onOk={() => form.submit()}
      onCancel={() => setOpen(false)}
      afterClose={() => onClose(dropped)}
    >
      {waits.mayConfirm && <p>{t('platform.stock.drop-detail', { units: waits.units, unit: t(shelf.unit) })}</p>}
      <Form form={form} layout="vertical" requiredMark={false} onFinish={(values) => void drop(values)}>
        <Form.Item
          name="reason"
          label={t('platform.stock.reason')}
          rules={[{ required: true, whitespace: true, message: t('platform.field-required') }]}
        >
          <Input maxLength={300} />
        </Form.Item>
      </Form>
      {refusal && <Alert type="error" role="alert" title={refusal} />}
    </Modal>
  )
}
