import { Alert, App, Form, Input, Modal, type FormInstance } from 'antd'
import { useRef, useState, type ReactNode } from 'react'
import { useAct } from '../../kernel/states/act.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './people.module.css'

interface ActProps<V extends object> {
  title: string
  /** What the button that does it says. */
  ok: string
  danger?: boolean
  /** What the fields hold at first. */
  start?: Partial<V>
  /** Does it, and gives the sentence that says so. */
  send(values: V & { reason: string }): Promise<string>
  /** Called when the dialog is gone. */
  onClose(): void
  /** Whether a reason is asked for, as for everything that changes what somebody may do. */
  reasoned?: boolean
  /** Its fields, by what they hold now. */
  children?(values: Partial<V>, form: FormInstance): ReactNode
  /** What it would do, shown below the fields. */
  effect?(values: Partial<V>): ReactNode
}

/** A dialog for one act: its fields, what it would do, and why; what is refused is said in it and nothing typed is lost. */
export function Act<V extends object>({
  title,
  ok,
  danger = false,
  start,
  send,
  onClose,
  reasoned = true,
  children,
  effect,
}: ActProps<V>) {
  const { t } = useTexts()
  const { message } = App.useApp()
  const [form] = Form.useForm()
  const values = (Form.useWatch([], form) ?? start ?? {}) as Partial<V>
  const [open, setOpen] = useState(true)
  const { run, busy, refusal } = useAct()
  const fields = useRef<HTMLDivElement>(null)

  const act = (given: V & { reason: string }) =>
    run(async () => {
      void message.success(await send(given), 5)
      setOpen(false)
    }, form)
  return (
    <Modal
      open={open}
      title={title}
      width={600}
      okText={ok}
      okButtonProps={{ danger, loading: busy }}
      cancelText={t('platform.cancel')}
      onOk={() => form.submit()}
      onCancel={() => setOpen(false)}
      afterClose={onClose}
      // Else the button that closes the dialog has the focus.
      afterOpenChange={(opened) => {
        if (opened) fields.current?.querySelector<HTMLElement>('input, textarea')?.focus()
      }}
    >
      <div ref={fields}>
        <Form
          form={form}
          layout="vertical"
          requiredMark={false}
          scrollToFirstError
          initialValues={start ?? {}}
          onFinish={(given: V & { reason: string }) => void act(given)}
          className={css.act ?? ''}
        >
          {children?.(values, form)}
          {effect?.(values)}
          {reasoned && (
            <Form.Item
              name="reason"
              label={t('platform.people.reason')}
              extra={t('platform.people.reason-help')}
              rules={[{ required: true, whitespace: true, message: t('platform.field-required') }]}
            >
              <Input.TextArea autoSize={{ minRows: 2, maxRows: 6 }} maxLength={500} />
            </Form.Item>
          )}
        </Form>
      </div>
      {refusal && <Alert type="error" role="alert" title={refusal} />}
    </Modal>
  )
}
