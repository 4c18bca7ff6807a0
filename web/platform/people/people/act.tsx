import { Alert, App, Form, Input, Modal, type FormInstance } from 'antd'
import { useRef, useState, type ReactNode } from 'react'
import { useAct } from '../../kernel/states/act.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './people.module.css'

interface ActProps<V extends object> {
  title: string
  /** The label of the submit button. */
  ok: string
  danger?: boolean
  /** The fields' initial values. */
  start?: Partial<V>
  /** Submits, and returns the success message. */
  send(values: V & { reason: string }): Promise<string>
  /** Called when the dialog has closed. */
  onClose(): void
  /** Whether a reason is required, as for every change of permissions. */
  reasoned?: boolean
  /** The fields, by their present values. */
  children?(values: Partial<V>, form: FormInstance): ReactNode
  /** A preview of the effect, below the fields. */
  effect?(values: Partial<V>): ReactNode
}

/** A dialog for one act: fields, preview and reason; a refusal is shown in it and the input is kept. */
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
  const values: Partial<V> = Form.useWatch([], form) ?? start ?? {}
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
      // Otherwise the close button would get the focus.
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
