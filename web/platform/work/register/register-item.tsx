import { Alert, App, Button } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { Problem, withQuery } from '../../kernel/client/client.ts'
import { sendable, startingValue, type FormValue } from '../../kernel/form/conditions.ts'
import { SchemaForm, type FormHandle } from '../../kernel/form/schema-form.tsx'
import { useSending } from '../../kernel/form/send.ts'
import page from '../../kernel/page/page.module.css'
import { at, fieldsOf, isBlank } from '../../kernel/record/fields.ts'
import { Record } from '../../kernel/record/record.tsx'
import type { PageProps } from '../../kernel/screens/page.ts'
import NotAllowed from '../../people/session/not-allowed.tsx'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { inWords, Trouble } from '../../kernel/states/trouble.tsx'
import { Mark } from '../../kernel/status/mark.tsx'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import Batches from './batches.tsx'
import { FacultyDot, isFaculty } from '../../kernel/record/faculty.tsx'
import css from './register.module.css'
import Related from './related.tsx'
import {
  changeItem,
  createItem,
  isInUse,
  newOne,
  settingDetail,
  registerOf,
  setItemStatus,
  statusName,
  useItem,
  useRegister,
  type OwnItem,
  type Register,
} from './registers.ts'

/** One item of a register: to read, to change, to put out of use; or a new one. */
export default function RegisterItemPage(props: PageProps) {
  const { params, parameters, title } = props
  const { t } = useTexts()
  const key = registerOf(props)
  const fresh = parameters['create'] === true || params['id'] === 'new'
  const register = useRegister(key)
  const item = useItem(key, fresh ? undefined : params['id'])
  const problem = register.error ?? item.error
  const retry = () => {
    void register.mutate()
    void item.mutate()
  }
  return (
    <div className={page.item}>
      {item.data && !isAtItsPlace(item.data, props) ? (
        <Trouble error={new Problem(404, {})} />
      ) : register.data && fresh ? (
        register.data.mayCreate ? (
          <New register={register.data} heading={parameters['create'] === true ? t(title) : newOne(register.data, t)} />
        ) : (
          <NotAllowed />
        )
      ) : register.data && item.data ? (
        <Present key={item.data.id} register={register.data} item={item.data} reload={() => item.mutate()} />
      ) : problem ? (
        <Trouble error={problem} onRetry={retry} />
      ) : (
        <Skeleton lines={8} />
      )}
    </div>
  )
}

/** Whether what else the address says holds of the item: an id in a field, or the title of what that names. */
function isAtItsPlace({ data, titles }: OwnItem, { params, parameters }: PageProps): boolean {
  const holds = Object.entries((parameters['holds'] ?? {}) as { [hole: string]: string })
  return holds.every(([hole, pointer]) => {
    const value = at(data, pointer)
    return value === params[hole] || (typeof value === 'string' && titles[value] === params[hole])
  })
}

const formOf = ({ register, item }: Register) => ({ key: register, schema: item })

function Back({ register }: { register: Register }) {
  const { t } = useTexts()
  return (
    <p className={page.back}>
      <Link href={`/registers/${register.register}`}>{t(register.title)}</Link>
    </p>
  )
}

/** What the address says of a new item: what it belongs to, and ticks. */
function filledIn(schema: Register['item'], query: URLSearchParams): FormValue {
  const filled: FormValue = {}
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    if (!query.has(name)) continue
    if (field['x-register']) filled[name] = query.get(name)
    if (field.type === 'boolean') filled[name] = query.get(name) === 'true'
  }
  return filled
}

function New({ register, heading }: { register: Register; heading: string }) {
  const { t } = useTexts()
  const [, navigate] = useLocation()
  const { message } = App.useApp()
  const given = useSearch()
  const [value, setValue] = useState<FormValue>(() => ({
    ...startingValue(register.item),
    ...filledIn(register.item, new URLSearchParams(given)),
  }))
  useEffect(() => {
    document.title = t('platform.page-title', { title: heading })
  }, [t, heading])
  const save = async (data: FormValue) => {
    const made = await createItem(register.register, data)
    void message.success(t('platform.register-page.created', { name: made.title }))
    navigate(`/registers/${register.register}/${made.id}`)
  }
  return (
    <>
      <Back register={register} />
      <h1>{heading}</h1>
      <Editor
        register={register}
        value={value}
        setValue={setValue}
        save={save}
        cancel={() => navigate(`/registers/${register.register}`)}
      />
    </>
  )
}

interface PresentProps {
  register: Register
  item: OwnItem
  reload(): Promise<OwnItem | undefined>
}

function Present({ register, item, reload }: PresentProps) {
  const { t } = useTexts()
  const { moment } = useFormats()
  const { message, modal } = App.useApp()
  const [path, navigate] = useLocation()
  const query = new URLSearchParams(useSearch())
  const changing = query.has('change') && item.mayChange && !register.fixed
  query.delete('change')
  const here = [path, query.toString()].filter(Boolean).join('?')
  const code = register.codeField ? at(item.data, register.codeField) : undefined
  useEffect(() => {
    document.title = t('platform.page-title', { title: item.title })
  }, [t, item.title])

  const put = async (status: string) => {
    try {
      await setItemStatus(register.register, item, status)
      void message.success(t('platform.register-page.status-set', { name: item.title, status: statusName(status, t) }))
    } catch (error) {
      const words = inWords(error, t)
      void message.error(`${words.title}. ${words.detail}`, 6)
    }
    await reload()
  }
  const confirm = (status: string) =>
    modal.confirm({
      title: t('platform.register-page.status-question', { name: item.title, status: statusName(status, t) }),
      content: t(settingDetail(register, status)),
      okText: statusName(status, t),
      cancelText: t('platform.cancel'),
      onOk: () => put(status),
    })

  return (
    <>
      <Back register={register} />
      <h1>
        {isFaculty(register.register) ? <FacultyDot theme={item.data['theme']}>{item.title}</FacultyDot> : item.title}{' '}
        {typeof code === 'string' && <span className={page.code}>{code}</span>}
      </h1>
      <p className={page.about}>
        <Mark is={isInUse(register, item.status) ? 'on' : 'off'}>{statusName(item.status, t)}</Mark>
        <span>{t('platform.register-page.changed-at', { at: moment(item.changedAt) })}</span>
      </p>
      {changing ? (
        <Change register={register} item={item} reload={reload} done={() => navigate(here)} />
      ) : (
        <>
          {item.mayChange && (
            <div className={page.acts}>
              {!register.fixed && (
                <Link href={`${here}${query.size > 0 ? '&' : '?'}change`} asChild>
                  <Button type="primary">{t('platform.register-page.change')}</Button>
                </Link>
              )}
              {register.statuses
                .filter((status) => status !== item.status)
                .map((status) => (
                  <Button key={status} onClick={() => void confirm(status)}>
                    {t('platform.register-page.set', { status: statusName(status, t) })}
                  </Button>
                ))}
            </div>
          )}
          <Parts register={register} data={item.data} />
          {register.reports.length > 0 && (
            <ul className={css.reports}>
              {register.reports.map(({ report, field, title }) => (
                <li key={report}>
                  <Link href={withQuery(`/reports/${report}`, { [field]: item.id })}>{t(title)}</Link>
                </li>
              ))}
            </ul>
          )}
          {register.batches.length > 0 && <Batches register={register} id={item.id} />}
          <Related register={register} id={item.id} />
        </>
      )}
    </>
  )
}

/** What the item holds, that of a long form under the form's headings. */
function Parts({ register: { item: schema }, data }: { register: Register; data: OwnItem['data'] }) {
  const { t } = useTexts()
  const groups = schema['x-groups']
  if (!groups) return <Record schema={schema} data={data} />
  return groups
    .filter(({ fields }) => fields.some((name) => !isBlank(data[name])))
    .map(({ title, fields }) => (
      <section key={title}>
        <h2>{t(title)}</h2>
        <Record schema={schema} data={data} only={({ name }) => fields.includes(name)} />
      </section>
    ))
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

function Change({ register, item, reload, done }: PresentProps & { done(): void }) {
  const { t } = useTexts()
  const { message } = App.useApp()
  /** What the changes are made on; it stays while others change the item. */
  const [base, setBase] = useState(item)
  const [value, setValue] = useState<FormValue>(item.data)
  const [theirs, setTheirs] = useState<OwnItem>()
  const titles = fieldsOf(register.item)
  const between =
    theirs &&
    titles
      .filter(({ name }) => !same(base.data[name], theirs.data[name]))
      .map(({ name, schema }) => t(schema.title ?? name))

  const save = async (data: FormValue) => {
    try {
      const changed = await changeItem(register.register, base, data)
      void message.success(t('platform.register-page.saved', { name: changed.title }))
      await reload()
      done()
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 412) throw error
      setTheirs(await reload())
    }
  }
  /** What they changed and I did not, from theirs; what I changed, from mine. */
  const merge = () => {
    if (!theirs) return
    const mine = Object.fromEntries(
      titles.filter(({ name }) => !same(value[name], base.data[name])).map(({ name }) => [name, value[name]]),
    )
    setValue({ ...theirs.data, ...mine })
    setBase(theirs)
    setTheirs(undefined)
  }
  return (
    <>
      {theirs && (
        <Alert
          type="warning"
          role="alert"
          className={css.conflict}
          title={t('platform.register-page.conflict')}
          description={t('platform.register-page.conflict-detail', {
            fields: between?.join(', ') || statusName(theirs.status, t),
          })}
          action={<Button onClick={merge}>{t('platform.register-page.merge')}</Button>}
        />
      )}
      <Editor register={register} value={value} setValue={setValue} save={save} cancel={done} />
    </>
  )
}

interface EditorProps {
  register: Register
  value: FormValue
  setValue(value: FormValue): void
  save(data: FormValue): Promise<void>
  cancel(): void
}

function Editor({ register, value, setValue, save, cancel }: EditorProps) {
  const { t } = useTexts()
  const form = useRef<FormHandle>(null)
  const { busy, problem, words, send } = useSending(form)
  const fields = register.item.properties ?? {}
  // What is said at a field need not be said again below.
  const atField =
    problem instanceof Problem && problem.errors.some(({ field }) => (field.split('/')[1] ?? '') in fields)
  return (
    <form
      noValidate
      className={css.editor}
      onSubmit={(event) => {
        event.preventDefault()
        void send(() => save(sendable(register.item, value)))
      }}
    >
      <SchemaForm ref={form} form={formOf(register)} value={value} onChange={setValue} />
      {words && !atField && (
        <Alert type="error" role="alert" className={css.conflict} title={words.title} description={words.detail} />
      )}
      <div className={page.acts}>
        <Button type="primary" htmlType="submit" loading={busy}>
          {t('platform.register-page.save')}
        </Button>
        <Button onClick={cancel}>{t('platform.cancel')}</Button>
      </div>
    </form>
  )
}
