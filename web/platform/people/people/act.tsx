import { App, Form, Input, type FormInstance } from 'antd'
import { useState, type ReactNode } from 'react'
import { useAct } from '../../kernel/states/act.ts'
import { FormDialog } from '../../kernel/form/form-dialog.tsx'
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
  const act = useAct()

  const submit = (given: V & { reason: string }) =>
    act.run(async () => {
      void message.success(await send(given), 5)
      setOpen(false)
    }, form)
  return (
    <FormDialog
      open={open}
      title={title}
      width={600}
      verb={ok}
      danger={danger}
      act={act}
      form={form}
      close={() => setOpen(false)}
      afterClose={onClose}
      focusFirst
      scrollToFirstError
      initialValues={start ?? {}}
      onFinish={(given: V & { reason: string }) => void submit(given)}
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
    </FormDialog>
  )
}
