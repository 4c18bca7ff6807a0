import { Alert, Form, Modal, type FormInstance, type FormProps } from 'antd'
import { useRef, type ReactNode } from 'react'
import { useTexts } from '../texts/texts.ts'
import type { Act } from '../states/act.ts'

interface FormDialogProps<V> extends Pick<
  FormProps<V>,
  'name' | 'initialValues' | 'scrollToFirstError' | 'onFinish' | 'className'
> {
  title: string
  /** What follows from the act, or what to know first. */
  consequence?: ReactNode
  /** What the button does, as its label. */
  verb: string
  /** The label of the other button, if it is not *Cancel*. */
  keep?: string
  /** The act takes something away. */
  danger?: boolean
  disabled?: boolean
  width?: number
  /** Whether the act is in progress, and why it was refused. */
  act: Pick<Act, 'busy' | 'refusal'>
  form: FormInstance<V>
  open?: boolean
  close(): void
  /** Called when the dialog has closed. */
  afterClose?(): void
  /** The first field gets the focus; otherwise the close button does, unless a field takes it. */
  focusFirst?: boolean
  /** The fields. */
  children: ReactNode
}

/** A dialog for one act that asks for something first. A refusal is shown in it, and the input is kept. */
export function FormDialog<V>({
  title,
  consequence,
  verb,
  keep,
  danger = false,
  disabled = false,
  width = 520,
  act: { busy, refusal },
  form,
  open = true,
  close,
  afterClose,
  focusFirst = false,
  children,
  ...ofForm
}: FormDialogProps<V>) {
  const { t } = useTexts()
  const fields = useRef<HTMLDivElement>(null)
  return (
    <Modal
      open={open}
      title={title}
      width={width}
      okText={verb}
      okButtonProps={{ danger, disabled, loading: busy }}
      cancelText={keep ?? t('platform.cancel')}
      onOk={() => form.submit()}
      onCancel={close}
      afterClose={afterClose}
      afterOpenChange={(opened) => {
        if (opened && focusFirst) fields.current?.querySelector<HTMLElement>('input, textarea')?.focus()
      }}
    >
      {consequence}
      <div ref={fields}>
        <Form form={form} layout="vertical" requiredMark={false} {...ofForm}>
          {children}
        </Form>
      </div>
      {refusal && <Alert type="error" role="alert" title={refusal} />}
    </Modal>
  )
}
