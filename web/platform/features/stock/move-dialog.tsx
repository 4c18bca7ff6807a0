import { Alert, App, Form, Input, InputNumber, Modal } from 'antd'
import { useState } from 'react'
import DateWidget from '../../kernel/form/date-widget.tsx'
import { newKey } from '../../kernel/client/key.ts'
import { useAct } from '../../kernel/states/act.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { move, type Act } from './stock.ts'

/** The words of each act. */
const WORDS = {
  receipts: { title: 'platform.stock.receive', units: 'platform.stock.units' },
  issues: { title: 'platform.stock.issue', units: 'platform.stock.units' },
  counts: { title: 'platform.stock.count', units: 'platform.stock.counted' },
  corrections: { title: 'platform.stock.correct', units: 'platform.stock.by' },
}

/** The form gives id, value and change. */
function LastDay({
  id = '',
  value,
  onChange,
}: {
  id?: string
  value?: string
  onChange?(day: string | undefined): void
}) {
  return <DateWidget id={id} value={value} wrong={false} onChange={(day) => onChange?.(day)} />
}

interface MoveDialogProps {
  register: string
  act: Act
  onClose(moved: boolean): void
}

/** Receives, issues, counts or corrects; each with a reason. */
export function MoveDialog({ register, act, onClose }: MoveDialogProps) {
  const { t } = useTexts()
  const { message } = App.useApp()
  const [form] = Form.useForm<Record<string, unknown>>()
  const [open, setOpen] = useState(true)
  const [key] = useState(newKey)
  const [moved, setMoved] = useState(false)
  const { run, busy, refusal } = useAct()
  const { title, units } = WORDS[act.kind]
  const of = 'batch' in act ? ` · ${t('platform.stock.batch', { number: act.batch.number })}` : ''
  const wanted = [{ required: true, message: t('platform.field-required') }]
  const save = async (values: Record<string, unknown>) => {
    let waits = false
    if (!(await run(async () => ({ waits } = await move(register, act, values, key)), form))) return
    setMoved(true)
    void message.success(t(waits ? 'platform.stock.saved-waits' : 'platform.stock.saved'))
    setOpen(false)
  }
  return (
    <Modal
      open={open}
      title={`${t(title).replace('…', '')}: ${act.shelf.title}${of}`}
      okText={t('platform.stock.save')}
      cancelText={t('platform.cancel')}
      okButtonProps={{ loading: busy }}
      onOk={() => form.submit()}
      onCancel={() => setOpen(false)}
      afterClose={() => onClose(moved)}
    >
      <Form form={form} layout="vertical" requiredMark={false} onFinish={(values) => void save(values)}>
        {act.kind === 'receipts' && (
          <>
            <Form.Item name="number" label={t('platform.stock.number')} rules={wanted}>
              <Input maxLength={40} />
            </Form.Item>
            <Form.Item name="expiresOn" label={t('platform.stock.expires-on')} rules={wanted}>
              <LastDay />
            </Form.Item>
          </>
        )}
        <Form.Item
          name="units"
          label={`${t(units)} (${t(act.shelf.unit)})`}
          rules={wanted}
          {...('batch' in act && act.kind === 'counts' && { initialValue: act.batch.onHand })}
          {...('batch' in act &&
            act.kind === 'corrections' &&
            act.batch.expired && { initialValue: -act.batch.onHand })}
        >
          <InputNumber precision={0} min={act.kind === 'corrections' ? -1_000_000 : act.kind === 'counts' ? 0 : 1} />
        </Form.Item>
        <Form.Item name="reason" label={t('platform.stock.reason')} rules={wanted}>
          <Input maxLength={300} />
        </Form.Item>
      </Form>
      {refusal && <Alert type="error" role="alert" title={refusal} />}
    </Modal>
  )
}
