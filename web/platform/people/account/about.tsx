import { Alert, App, Button, Form, Input } from 'antd'
import { useRef } from 'react'
import { askForName, confirmEmailAgain, putPhoto, removePhoto, takeBackName } from '../../kernel/api/me.ts'
import { useMe } from '../../kernel/session/session.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './account.module.css'
import { Refused, useAct, useAction } from '../../kernel/states/act.ts'
import { useConfirm } from '../../kernel/states/confirm.ts'
import { Unregistered } from '../../kernel/status/unregistered.tsx'

const pictures = ['image/jpeg', 'image/png', 'image/webp']
const largest = 5_000_000

/** Photo, name, email address and username. */
export function About() {
  return (
    <>
      <Photo />
      <Name />
      <Address />
    </>
  )
}

function Photo() {
  const { t } = useTexts()
  const me = useMe()
  const { message } = App.useApp()
  const confirm = useConfirm()
  const input = useRef<HTMLInputElement>(null)
  const act = useAct()

  const choose = async (file: File | undefined) => {
    if (!file) return
    const send = async () => {
      if (!pictures.includes(file.type)) throw new Refused(t('platform.profile.photo-wrong-type'))
      if (file.size > largest) throw new Refused(t('platform.profile.photo-too-large'))
      await putPhoto(file)
    }
    if (await act.run(send)) void message.success(t('platform.profile.photo-saved'))
  }
  const remove = () =>
    confirm({
      title: t('platform.profile.photo-remove-question'),
      consequence: t('platform.profile.photo-remove-detail'),
      verb: t('platform.profile.photo-remove'),
      danger: true,
      keep: t('platform.profile.keep'),
      act: () => act.run(removePhoto),
    })

  return (
    <div className={css['field']}>
      <h3>{t('platform.profile.photo')}</h3>
      <input
        ref={input}
        type="file"
        hidden
        accept={pictures.join(',')}
        aria-label={t('platform.profile.photo')}
        onChange={({ target }) => {
          void choose(target.files?.[0])
          target.value = ''
        }}
      />
      <div className={css['actions']}>
        <Button loading={act.busy} onClick={() => input.current?.click()}>
          {t(me.photo ? 'platform.profile.photo-change' : 'platform.profile.photo-add')}
        </Button>
        {me.photo && (
          <Button type="text" disabled={act.busy} onClick={remove}>
            {t('platform.profile.photo-remove')}
          </Button>
        )}
      </div>
      <p className={css['help']}>{t('platform.profile.photo-help')}</p>
      {act.refusal && <Alert type="error" role="alert" title={act.refusal} />}
    </div>
  )
}

/** The name from the register, or as confirmed, with any requested change. */
function Name() {
  const { t } = useTexts()
  const me = useMe()
  const attempt = useAction()
  const { nameChange: asked } = me
  if (me.record === null && asked === null) return <AskForName />
  return (
    <div className={css['field']}>
      <h3>{t('platform.profile.name')}</h3>
      <p>
        {me.name}
        <Unregistered is={me} />
      </p>
      {asked === null ? (
        <p className={css['help']}>
          {t(me.student ? 'platform.profile.name-of-students' : 'platform.profile.name-of-employees')}
        </p>
      ) : (
        <p className={css['help']} role="status">
          {t('platform.profile.name-waits', { name: asked.name })}{' '}
          <Button
            type="link"
            size="small"
            onClick={() => void attempt(() => takeBackName(asked.id), t('platform.profile.name-taken-back'))}
          >
            {t('platform.profile.name-take-back')}
          </Button>
        </p>
      )}
    </div>
  )
}

function AskForName() {
  const { t } = useTexts()
  const me = useMe()
  const { message } = App.useApp()
  const act = useAct()
  const [form] = Form.useForm<{ name: string }>()
  const wanted = Form.useWatch('name', form)

  const ask = async ({ name }: { name: string }) => {
    if (await act.run(() => askForName(name.trim()), form)) void message.success(t('platform.profile.name-asked'))
  }
  return (
    <Form
      form={form}
      name="about"
      scrollToFirstError={{ focus: true }}
      layout="vertical"
      requiredMark={false}
      initialValues={{ name: me.name }}
      onFinish={(values) => void ask(values)}
    >
      <Form.Item
        label={
          <>
            {t('platform.profile.name')}
            <Unregistered is={me} />
          </>
        }
        htmlFor="profile-name"
        extra={t('platform.profile.name-help')}
      >
        <div className={css['inline']}>
          <Form.Item
            name="name"
            noStyle
            rules={[{ required: true, whitespace: true, message: t('platform.field-required') }]}
          >
            <Input id="profile-name" autoComplete="name" maxLength={120} />
          </Form.Item>
          <Button htmlType="submit" loading={act.busy} disabled={wanted === undefined || wanted.trim() === me.name}>
            {t('platform.profile.name-ask')}
          </Button>
        </div>
      </Form.Item>
      {act.refusal && <Alert type="error" role="alert" title={act.refusal} />}
    </Form>
  )
}

function Address() {
  const { t } = useTexts()
  const me = useMe()
  const attempt = useAction()
  return (
    <dl className={css['facts']}>
      <dt>{t('platform.profile.username')}</dt>
      <dd>{me.username}</dd>
      <dt>{t('platform.profile.email')}</dt>
      <dd>
        {me.email}
        <small data-state={me.emailConfirmed ? 'done' : 'returned'}>
          {t(me.emailConfirmed ? 'platform.profile.email-confirmed' : 'platform.profile.email-unconfirmed')}
        </small>
        {!me.emailConfirmed && (
          <Button
            type="link"
            size="small"
            onClick={() => void attempt(confirmEmailAgain, t('platform.profile.email-sent', { email: me.email }))}
          >
            {t('platform.profile.email-again')}
          </Button>
        )}
      </dd>
    </dl>
  )
}
