import { Alert, App, Button, Modal } from 'antd'
import { useId, useRef, useState } from 'react'
import { useForm } from '../../kernel/api/flows.ts'
import type { Case } from '../../kernel/client/types.ts'
import { startingValue, type FormValue } from '../../kernel/form/conditions.ts'
import { prefilled } from '../../kernel/form/prefill.ts'
import { useSending } from '../../kernel/form/send.ts'
import { SchemaForm, type FormHandle } from '../../kernel/form/schema-form.tsx'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { useTexts } from '../../kernel/texts/texts.ts'
import { withoutDots } from './outcomes.ts'
import type { Ways } from './ways.ts'

type Act = Case['acts'][number]
type Acted = Pick<Case, 'acts' | 'title' | 'reference' | 'data' | 'facts' | 'subject'>

/** The requester's present acts, each as a button whose dialog names the case. */
export function Acts({ of, ways }: { of: Acted; ways: Ways }) {
  const [open, setOpen] = useState<Act>()
  return (
    <>
      {of.acts.map((act) => (
        <Button key={act.name} onClick={() => setOpen(act)}>
          {act.title}
        </Button>
      ))}
      {open && <Asking act={open} of={of} ways={ways} close={() => setOpen(undefined)} />}
    </>
  )
}

function Asking({ act, of, ways, close }: { act: Act; of: Acted; ways: Ways; close(): void }) {
  const { t } = useTexts()
  const { message } = App.useApp()
  const id = useId()
  const read = useForm(act.formHash)
  const form = useRef<FormHandle>(null)
  const [typed, setTyped] = useState<FormValue>()
  const { busy, words, send } = useSending(form)
  const title = withoutDots(act.title)
  const value = typed ?? (read.data ? { ...startingValue(read.data.schema), ...prefilled(read.data.schema, of) } : {})

  const ask = () =>
    send(async (data) => {
      await ways.act(act.name, data)
      void message.success(t('platform.act.done', { act: title, reference: of.reference }))
      close()
    })

  return (
    <Modal
      open
      width={640}
      title={t('platform.act.title', { act: title, title: of.title })}
      mask={{ closable: false }}
      onCancel={close}
      okText={title}
      okButtonProps={{ htmlType: 'submit', form: id, loading: busy, disabled: !read.data }}
      cancelText={t('platform.act.keep')}
    >
      {act.confirm && <p style={{ marginBottom: 16 }}>{act.confirm}</p>}
      {read.data ? (
        <form
          id={id}
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            void ask()
          }}
        >
          <SchemaForm ref={form} unavailable={act.unavailable} form={read.data} value={value} onChange={setTyped} />
        </form>
      ) : read.error ? (
        <Trouble error={read.error} onRetry={() => void read.mutate()} />
      ) : (
        <Skeleton lines={4} />
      )}
      {words && <Alert type="error" role="alert" title={words.title} description={words.detail} />}
    </Modal>
  )
}
