import { Alert, Button } from 'antd'
import { useEffect, useRef, useState } from 'react'
import useSWR from 'swr'
import { Link, Redirect, useSearch } from 'wouter'
import { mayOpen } from '../../../../forms/platform/may-open.ts'
import { confirmEmailAgain } from '../../kernel/api/me.ts'
import { usePublicForm } from '../../kernel/api/flows.ts'
import { applyWithAccount, beginApplication, usePublicFlow } from '../../kernel/api/public-flows.ts'
import { Problem, withQuery } from '../../kernel/client/client.ts'
import { storedAt } from '../../kernel/client/json.ts'
import type { FormRef, FormSchema, PublicFlow } from '../../kernel/client/types.ts'
import { startingValue, type FormValue } from '../../kernel/form/conditions.ts'
import { SchemaForm, type FormHandle } from '../../kernel/form/schema-form.tsx'
import type { PageProps } from '../../kernel/screens/page.ts'
import { matchScreen, wantStaffScreens } from '../../kernel/screens/screens.ts'
import { prepareProof } from '../../kernel/session/proof.ts'
import { useSession } from '../../kernel/session/session.ts'
import { withTarget } from '../../kernel/session/target.ts'
import { Empty } from '../../kernel/states/empty.tsx'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { inWords, Trouble } from '../../kernel/states/trouble.tsx'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { signIn } from '../../people/session/entering.ts'
import { Resend } from '../../people/session/resend.tsx'
import { ChooseItem } from './choose-item.tsx'
import { ClosingNotice, stillBegun, useBegun } from './closing.tsx'
import { type Given, useGiven, withinOf } from './given.ts'
import { LeadsOn } from './leads-on.tsx'
import css from './apply.module.css'

type Item = PublicFlow['items'][number]
type Parameters = PageProps['parameters']

interface Sent {
  username: string
  reference: string
}

const placeOf = (flow: string, item: string) => `prakriya.draft.apply.${flow}.${item}`

/**
 * A public flow whose guests get an account: the start form of the item in `?id=`, then email and password. While the
 * item is not open, it leads to the page that says when it is. Without an item, where one lies within another choice,
 * it offers those that are open.
 */
export default function Apply({ parameters, title }: PageProps) {
  const { t } = useTexts()
  const id = new URLSearchParams(useSearch()).get('id')
  const flow = String(parameters['flow'])
  const { data, error: problem, mutate } = usePublicFlow(flow)
  const form = usePublicForm(data?.form ?? null)
  const [sent, setSent] = useState<Sent>()
  const item = data?.items.find((one) => one.id === id)
  const given = useGiven(form.data?.schema, data?.field ?? '', item)
  const error = problem ?? form.error ?? given.error
  if (sent && data) return <Done of={data} sent={sent} parameters={parameters} />
  // Who has begun may finish.
  if (item && item.state !== 'open' && !stillBegun(flow, item.id))
    return <Redirect to={String(parameters['closed'])} replace />
  return (
    <article className={css['page']}>
      <h1>{[given.data?.title, item?.title].filter(Boolean).join(', ') || t(title)}</h1>
      {data && form.data && item && given.data ? (
        <Admitted of={data} item={item} form={form.data} given={given.data} parameters={parameters} onSent={setSent} />
      ) : data && form.data && id === null && withinOf(form.data.schema, data.field) ? (
        <ChooseItem of={data} schema={form.data.schema} />
      ) : data && !item ? (
        <NoData of={data} closed={String(parameters['closed'])} />
      ) : error ? (
        <Trouble error={error} onRetry={() => void Promise.all([mutate(), form.mutate(), given.mutate()])} />
      ) : (
        <Skeleton lines={8} />
      )}
    </article>
  )
}

/** There is no item with the id in the address. */
function NoData({ of, closed }: { of: PublicFlow; closed: string }) {
  const { t } = useTexts()
  return (
    <Empty
      title={t(`${of.title}.no-data`)}
      actions={
        <Link href={closed} asChild>
          <Button type="primary">{t(`${of.title}.all`)}</Button>
        </Link>
      }
    >
      {t(`${of.title}.no-data-detail`)}
    </Empty>
  )
}

interface AdmittedProps {
  of: PublicFlow
  item: Item
  form: FormRef
  given: Given
  parameters: Parameters
  onSent(sent: Sent): void
}

/** The form for visitors; people who are signed in apply on their own page, if they may. */
function Admitted({ of, item, form, given, parameters, onSent }: AdmittedProps) {
  const { t } = useTexts()
  const { day } = useFormats()
  const session = useSession()
  const account = usePublicForm(of.account.form)
  const { [of.field]: _item, ...around } = given.values
  const signedIn = String(parameters['signedIn'])
  const ownPage = withQuery(signedIn, { ...around, id: item.id })
  // Signing in with the new account must not take the form away before the page says that it is sent.
  const [startedOut] = useState(session.state !== 'in')
  const isOwner = session.state === 'in' && !startedOut
  const { data: complete } = useSWR(isOwner ? 'staff-screens' : null, () => wantStaffScreens().then(() => true))
  if (isOwner) {
    if (!complete) return <Skeleton lines={4} />
    const screen = matchScreen(signedIn)?.screen
    if (screen && mayOpen(session.me, screen)) return <Redirect to={ownPage} replace />
    return (
      <Alert
        type="info"
        title={t(`${of.title}.signed-in`, { name: session.me.name })}
        description={t(`${of.title}.signed-in-detail`)}
      />
    )
  }
  return (
    <>
      {of.description && <p className={css['about']}>{t(of.description)}</p>}
      <p className={css['about']}>{t(`${of.title}.until`, { closes: day(item.closes) })}</p>
      <p className={css['about']}>
        {t(`${of.title}.have-account`)}{' '}
        <Link href={withTarget('/session/signin', ownPage)}>{t('platform.signin.login')}</Link>
      </p>
      {account.data ? (
        <Form
          flow={String(parameters['flow'])}
          of={of}
          item={item}
          form={form}
          given={given.values}
          account={account.data}
          onSent={onSent}
        />
      ) : account.error ? (
        <Trouble error={account.error} onRetry={() => void account.mutate()} />
      ) : (
        <Skeleton lines={8} />
      )}
    </>
  )
}

interface FormProps {
  flow: string
  of: PublicFlow
  item: Item
  form: FormRef
  /** The fields that the item decides. */
  given: FormValue
  account: FormRef
  onSent(sent: Sent): void
}

/** What is typed stays in this tab until it is sent, except the password. */
function Form({ flow, of, item, form, given, account, onSent }: FormProps) {
  const { t } = useTexts()
  const place = placeOf(flow, item.id)
  const [value, setValue] = useState<FormValue>(() => ({
    ...startingValue(form.schema),
    ...storedAt<FormValue>(place),
    ...given,
  }))
  const [credentials, setCredentials] = useState<FormValue>({})
  const [key] = useState(() => crypto.getRandomValues(new Uint32Array(4)).join('-'))
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<unknown>()
  const asked = useRef<FormHandle>(null)
  const own = useRef<FormHandle>(null)
  const begun = useBegun(flow, item.id, beginApplication)
  const declared = of.account.after === null || value[of.account.after.slice(1)] === true
  useEffect(() => prepareProof(), [])

  const send = async () => {
    if (busy) return
    setBusy(true)
    setProblem(undefined)
    try {
      if (!(await asked.current?.checked()) || !(await own.current?.checked())) return
      const data = { ...asked.current?.data(), ...given }
      const who = own.current?.data() ?? {}
      const { username, reference } = await applyWithAccount(
        { flow, data, account: who, ...(begun && { begun: begun.id }) },
        key,
      )
      sessionStorage.removeItem(place)
      await signIn(username, String(who['password']), () => {}).catch((error: unknown) =>
        console.warn('the new account could not be signed in at once', error),
      )
      onSent({ username, reference })
    } catch (error) {
      setProblem(error)
      if (!(error instanceof Problem)) return
      const { theirs, others } = split(error.errors)
      own.current?.show(theirs)
      if (others.length > 0) asked.current?.show(others)
    } finally {
      setBusy(false)
    }
  }

  const atField = problem instanceof Problem && problem.errors.some(({ field }) => field.length > 1)
  const words = problem === undefined || atField ? undefined : inWords(problem, t)
  return (
    <form
      noValidate
      className={css['form']}
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <ClosingNotice begun={begun} />
      <SchemaForm
        ref={asked}
        form={{ ...form, schema: without(form.schema, Object.keys(given)) }}
        value={value}
        onChange={(changed) => {
          sessionStorage.setItem(place, JSON.stringify(changed))
          setValue(changed)
        }}
      />
      {declared && (
        <section className={css['account']}>
          <h2>{t(`${of.title}.account`)}</h2>
          <p className={css['about']}>{t(`${of.title}.account-about`)}</p>
          <SchemaForm ref={own} form={account} value={credentials} onChange={setCredentials} />
        </section>
      )}
      {words && (
        <Alert className={css['problem']} type="error" role="alert" title={words.title} description={words.detail} />
      )}
      <Button type="primary" htmlType="submit" size="large" loading={busy}>
        {t(`${of.title}.send`)}
      </Button>
      <p className={css['next']}>{t(`${of.title}-next`)}</p>
    </form>
  )
}

/** Errors of the account, at the fields of its form, and the others. */
function split(errors: Problem['errors']): { theirs: Problem['errors']; others: Problem['errors'] } {
  const prefix = '/account/'
  return {
    theirs: errors.flatMap((one) =>
      one.field.startsWith(prefix) ? [{ ...one, field: `/${one.field.slice(prefix.length)}` }] : [],
    ),
    others: errors.filter(({ field }) => !field.startsWith(prefix)),
  }
}

/** The form without the fields that are given; they stay in the schema, because others depend on them. */
function without(schema: FormSchema, given: readonly string[]): FormSchema {
  const groups = (schema['x-groups'] ?? []).map((group) => ({
    ...group,
    fields: group.fields.filter((name) => !given.includes(name)),
  }))
  return { ...schema, 'x-groups': groups.filter(({ fields }) => fields.length > 0) }
}

/** What comes next: the mail that confirms the address, which can be sent again after a minute. */
function Done({ of, sent, parameters }: { of: PublicFlow; sent: Sent; parameters: Parameters }) {
  const own = String(parameters['own'])
  const after = parameters['leadsOn']
  const { t } = useTexts()
  const session = useSession()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <article className={css['page']}>
      <h1 ref={heading} tabIndex={-1}>
        {t(`${of.title}.sent`)}
      </h1>
      <p className={css['about']}>
        {t(`${of.title}.sent-detail`, { reference: sent.reference, email: sent.username })}
      </p>
      {session.state === 'in' && typeof after === 'number' && (
        <LeadsOn text={`${of.title}.leads-on`} to={own} after={after} />
      )}
      <p className={css['buttons']}>
        <Link href={own} asChild>
          <Button type="primary" size="large">
            {t(`${of.title}.view`)}
          </Button>
        </Link>
        {session.state === 'in' && <Resend size="large" send={confirmEmailAgain} />}
      </p>
    </article>
  )
}
