import { App, Checkbox, Form, Input, Select } from 'antd'
import { useState } from 'react'
import { changeView, choose, saveView, type View } from '../../kernel/api/inbox.ts'
import { useMe } from '../../kernel/session/session.ts'
import { useAct } from '../../kernel/states/act.ts'
import { FormDialog } from '../../kernel/form/form-dialog.tsx'
import { useTexts } from '../../kernel/texts/texts.ts'

interface ViewDialogProps {
  /** The view to change; without one, a new view is saved. */
  view?: View
  query: Record<string, string>
  /** Called when the dialog has closed, with the saved view. */
  onClose(saved?: View): void
}

interface Given {
  name: string
  sharedWith?: string
  start?: boolean
}

/** Saves a list under a name, for the reader only or shared with a role of theirs. */
export default function ViewDialog({ view, query, onClose }: ViewDialogProps) {
  const { t } = useTexts()
  const { message } = App.useApp()
  const me = useMe()
  const [form] = Form.useForm<Given>()
  const act = useAct()
  const [open, setOpen] = useState(true)
  const [saved, setSaved] = useState<View>()
  const roles = [...new Set(me.grants.map(({ role }) => role))].sort()

  const save = ({ name, sharedWith, start }: Given) =>
    act.run(async () => {
      const given = { name: name.trim(), sharedWith: sharedWith ?? null }
      const kept = view ? await changeView(view, given) : await saveView({ ...given, query })
      if (start) await choose({ startView: kept.id })
      void message.success(t('platform.inbox.view.saved', { name: given.name }))
      setSaved(kept)
      setOpen(false)
    }, form)

  return (
    <FormDialog
      open={open}
      title={t(view ? 'platform.inbox.view.change-title' : 'platform.inbox.view.save-title')}
      verb={t('platform.inbox.view.save')}
      act={act}
      form={form}
      close={() => setOpen(false)}
      afterClose={() => onClose(saved)}
      focusFirst
      initialValues={{ name: view?.name ?? '', ...(view?.sharedWith ? { sharedWith: view.sharedWith } : {}) }}
      onFinish={(given) => void save(given)}
    >
      <Form.Item
        name="name"
        label={t('platform.inbox.view.name')}
        extra={t('platform.inbox.view.name-help')}
        rules={[{ required: true, whitespace: true, message: t('platform.field-required') }]}
      >
        <Input maxLength={60} autoComplete="off" />
      </Form.Item>
      {roles.length > 0 && (
        <Form.Item name="sharedWith" label={t('platform.inbox.view.share')} extra={t('platform.inbox.view.share-help')}>
          <Select
            allowClear
            placeholder={t('platform.inbox.view.share-nobody')}
            options={roles.map((role) => ({ value: role, label: role }))}
          />
        </Form.Item>
      )}
      {!view && (
        <Form.Item name="start" valuePropName="checked" noStyle>
          <Checkbox>{t('platform.inbox.view.start-with')}</Checkbox>
        </Form.Item>
      )}
    </FormDialog>
  )
}
