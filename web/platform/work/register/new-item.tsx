import { App } from 'antd'
import { useState, type ReactNode } from 'react'
import { useLocation, useSearch } from 'wouter'
import { startingValue, type FormValue } from '../../kernel/form/conditions.ts'
import { PageHeader } from '../../kernel/page/page-header.tsx'
import { usePageTitle } from '../../kernel/page/title.ts'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { type Translate, useTexts } from '../../kernel/texts/texts.ts'
import NotAllowed from '../../people/session/not-allowed.tsx'
import { Editor } from './item-editor.tsx'
import { createItem, nextVersionOf, useItem, usePlainItem, type Register } from './registers.ts'

/** The link back to the register. */
export function listOf(register: Register, t: Translate) {
  return { href: `/registers/${register.register}`, title: t(register.title) }
}

/** Values of a new entry from the address: references and check boxes. */
function filledIn(schema: Register['item'], query: URLSearchParams): FormValue {
  const filled: FormValue = {}
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    if (!query.has(name)) continue
    if (field['x-register']) filled[name] = query.get(name)
    if (field.type === 'boolean') filled[name] = query.get(name) === 'true'
  }
  return filled
}

interface NewProps {
  register: Register
  heading: string
  /** What is filled in at first, besides what the query gives. */
  given: FormValue
  /** Called once it is saved, instead of leading to its page. */
  saved?(): Promise<unknown>
}

interface NewWithinProps {
  register: Register
  /** The field that names the entry of the address, whose id this is. */
  field: string | undefined
  id: string | undefined
  children: ReactNode
}

/** The form of a new entry that names the one of the address, if the reader sees that one and the field may name it. */
export function NewWithin({ register, field, id, children }: NewWithinProps) {
  const { t } = useTexts()
  const { 'x-register': around, 'x-selection': selection } = register.item.properties?.[field ?? ''] ?? {}
  const place = usePlainItem(around ?? '', around === undefined ? undefined : id)
  if (place.error?.status === 404) return <NotAllowed />
  // A form that is being filled in stays, whatever becomes of a later reading.
  if (place.error && !place.data) return <Trouble error={place.error} onRetry={() => void place.mutate()} />
  if (place.isLoading) return <Skeleton lines={8} />
  if (!place.data || selection === undefined || place.data.selections.includes(selection)) return children
  return (
    <>
      <PageHeader title={t('platform.register-page.not-for', { name: place.data.title })} />
      <p>{t('platform.register-page.not-for-detail')}</p>
    </>
  )
}

/** A new entry, empty or as the next version of the one that the address names. */
export function NewOrNext({ register, given, ...rest }: Omit<NewProps, 'saved'>) {
  const from = new URLSearchParams(useSearch()).get('from') ?? undefined
  const earlier = useItem(register.register, register.versions ? from : undefined)
  if (earlier.error) return <Trouble error={earlier.error} onRetry={() => void earlier.mutate()} />
  if (earlier.isLoading) return <Skeleton lines={8} />
  const next = earlier.data && nextVersionOf(register, earlier.data)
  return <New register={register} given={{ ...next, ...given }} {...rest} />
}

export function New({ register, heading, given, saved }: NewProps) {
  const { t } = useTexts()
  const [, navigate] = useLocation()
  const { message } = App.useApp()
  const query = useSearch()
  const [value, setValue] = useState<FormValue>(() => ({
    ...startingValue(register.item),
    ...filledIn(register.item, new URLSearchParams(query)),
    ...given,
  }))
  usePageTitle(heading)
  const save = async (data: FormValue) => {
    const made = await createItem(register.register, data)
    void message.success(t(register.saved ?? 'platform.register-page.created', { name: made.title }))
    if (saved) await saved()
    else navigate(`/registers/${register.register}/${made.id}`)
  }
  return (
    <>
      <PageHeader {...(!saved && { back: listOf(register, t) })} title={heading} />
      <Editor
        register={register}
        value={value}
        setValue={setValue}
        save={save}
        cancel={() => navigate(saved ? '/' : `/registers/${register.register}`)}
      />
    </>
  )
}
