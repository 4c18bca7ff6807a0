import { Alert, App, Button, Form, Input, Modal } from 'antd'
import { useState } from 'react'
import type { Case } from '../../kernel/client/types.ts'
import { inWords } from '../../kernel/states/trouble.tsx'
import { useSession } from '../../kernel/session/session.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import type { Ways } from './ways.ts'

/** Withdraws a case after a confirmation that names it: this cannot be undone. */
export function Withdraw({
  of,
  ways,
}: {
  of: Pick<Case, 'reference' | 'title'> & Partial<Pick<Case, 'requester' | 'linked'>>
  ways: Ways
}) {
  const { t } = useTexts()
  const session = useSession()
  const forOther = session.state === 'in' && of.requester !== undefined && of.requester.id !== session.me.id
  const { message } = App.useApp()
  const [form] = Form.useForm<{ reason: string }>()
  const [open, setOpen] = useState(false)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<unknown>()

  const withdraw = async ({ reason }: { reason: string }) => {
    setBusy(true)
    setProblem(undefined)
    try {
      await ways.withdraw(reason)
      message.success(t('platform.withdraw.done', { reference: of.reference }))
      setOpen(false)
    } catch (error) {
      setProblem(error)
    } finally {
      setBusy(false)
    }
  }
  const ending = (of.linked ?? []).filter(({ endsToo }) => endsToo)
  const words = problem === undefined ? undefined : inWords(problem, t)
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t('platform.withdraw')}</Button>
      <Modal
        open={open}
        title={t('platform.withdraw.title', { title: of.title })}
        okText={t('platform.withdraw.confirm')}
        okButtonProps={{ danger: true, loading: busy }}
        cancelText={t('platform.withdraw.keep')}
        onOk={() => form.submit()}
        onCancel={() => setOpen(false)}
      >
        <p>
          {forOther
            ? t('platform.withdraw.detail-for', { reference: of.reference, requester: of.requester?.name ?? '' })
            : t('platform.withdraw.detail', { reference: of.reference })}
        </p>
        {ending.length > 0 && (
          <>
            <p>{t('platform.withdraw.ends-too')}</p>
            <ul>
              {ending.map(({ reference, flowTitle, status }) => (
                <li key={reference}>
                  {flowTitle} {reference}, {status.text}
                </li>
              ))}
            </ul>
          </>
        )}
        <Form
          form={form}
          layout="vertical"
          requiredMark={false}
          onFinish={(values) => void withdraw(values)}
          style={{ marginTop: 16 }}
        >
          <Form.Item
            name="reason"
            label={t('platform.withdraw.reason')}
            rules={[{ required: true, whitespace: true, message: t('platform.field-required') }]}
          >
            <Input.TextArea autoSize={{ minRows: 2 }} maxLength={2000} />
          </Form.Item>
        </Form>
        {words && <Alert type="error" role="alert" title={words.title} description={words.detail} />}
      </Modal>
    </>
  )
}
