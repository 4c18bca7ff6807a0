import { Alert, App, Button } from 'antd'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Problem } from '../../kernel/client/client.ts'
import { startingValue, type FormValue } from '../../kernel/form/conditions.ts'
import { SchemaForm, type FormHandle } from '../../kernel/form/schema-form.tsx'
import { prepareProof } from '../../kernel/session/proof.ts'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { inWords, Trouble } from '../../kernel/states/trouble.tsx'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './account-dialogs.module.css'
import { useAccountForm, type AccountFormName } from './accounts.ts'
import { storedAt } from '../../kernel/client/json.ts'

interface AccountFormProps {
  name: AccountFormName
  /** Known values, which are not asked again. */
  known?: FormValue
  /** The name under which input is stored while the tab is open, without passwords. */
  keptAs?: string
  submit: string
  /** Another button beside the submit button. */
  beside?: ReactNode
  send(data: FormValue): Promise<void>
  focusFirst?: boolean
}

/** Input survives a closed dialog and a reload; closing the tab deletes it, because the computer may be shared. */
const placeOf = (keptAs: string) => `prakriya.draft.${keptAs}`
export const dropKept = (keptAs: string): void => sessionStorage.removeItem(placeOf(keptAs))

/** An account form with its submit button. A refusal is shown and the input is kept. */
export function AccountForm({ name, known = {}, keptAs, submit, beside, send, focusFirst = false }: AccountFormProps) {
  const { t } = useTexts()
  const { message } = App.useApp()
  const read = useAccountForm(name)
  const [typed, setTyped] = useState(() => (keptAs ? storedAt<FormValue>(placeOf(keptAs)) : undefined))
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<unknown>()
  const form = useRef<FormHandle>(null)
  useEffect(() => prepareProof(), [])

  if (!read.data)
    return read.error ? <Trouble error={read.error} onRetry={() => void read.mutate()} /> : <Skeleton lines={6} />

  const { schema, ...rest } = read.data
  const asked = Object.entries(schema.properties ?? {}).filter(([field]) => !(field in known))
  const shown = {
    ...rest,
    schema: {
      ...schema,
      properties: Object.fromEntries(asked),
      required: (schema.required ?? []).filter((field) => !(field in known)),
    },
  }
  const value = typed ?? startingValue(shown.schema)

  const change = (changed: FormValue) => {
    setTyped(changed)
    if (!keptAs) return
    const open = asked.filter(([field, part]) => part['x-widget'] !== 'password' && changed[field] !== undefined)
    sessionStorage.setItem(
      placeOf(keptAs),
      JSON.stringify(Object.fromEntries(open.map(([field]) => [field, changed[field]]))),
    )
  }

  const onSend = async () => {
    if (busy) return
    setBusy(true)
    setProblem(undefined)
    // Removes the message of the previous attempt.
    message.destroy()
    try {
      if (await form.current?.checked()) await send({ ...known, ...form.current?.data() })
    } catch (error) {
      const told = error instanceof Problem && error.status > 0 && error.status < 500
      void message.error(told ? (error.errors[0]?.message ?? error.detail ?? t('platform.error')) : t('platform.error'))
      setProblem(error)
      if (error instanceof Problem) form.current?.show(error.errors)
    } finally {
      setBusy(false)
    }
  }

  // An error shown at its field needs no message below.
  const atField =
    problem instanceof Problem && problem.errors.some(({ field }) => field.slice(1) in shown.schema.properties)
  const words = problem === undefined || atField ? undefined : inWords(problem, t)
  return (
    <form
      noValidate
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault()
        void onSend()
      }}
    >
      {typeof known['username'] === 'string' && (
        // For password managers: they store a password with its username.
        <input
          type="text"
          className="visually-hidden"
          autoComplete="username"
          value={known['username']}
          readOnly
          tabIndex={-1}
          aria-hidden
        />
      )}
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- pages ask for it whose one thing this form is */}
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- pages ask for it whose one thing this form is */}
      <SchemaForm ref={form} form={shown} value={value} onChange={change} autoFocus={focusFirst} />
      {words && (
        <Alert
          className={css.problem}
          type="error"
          role="alert"
          title={words.title}
          description={
            <>
              {words.detail} {t('platform.account-form.kept')}
            </>
          }
        />
      )}
      <div className={css.buttons}>
        {beside}
        <Button type="primary" htmlType="submit" loading={busy}>
          {submit}
        </Button>
      </div>
    </form>
  )
}
