import { Alert, App, Button } from 'antd'
import { useState } from 'react'
import { Problem } from '../../kernel/client/client.ts'
import type { FormValue } from '../../kernel/form/conditions.ts'
import type { FormSchema } from '../../kernel/client/types.ts'
import { fieldsOf } from '../../kernel/record/fields.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { statusName } from '../../kernel/status/item-status.ts'
import css from './register.module.css'
import { changeItem, type OwnItem, type Register } from './registers.ts'
import { Editor } from './item-editor.tsx'

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

interface ChangeProps {
  register: Register
  item: OwnItem
  reload(): Promise<OwnItem | undefined>
  done(): void
}

/** The fields of an entry that people may change. */
function correctable(item: FormSchema, { fixed, corrected }: Pick<Register, 'fixed' | 'corrected'>): FormSchema {
  if (!fixed) return item
  const isShown = (name: string) => corrected?.includes(`/${name}`) ?? false
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(item.properties ?? {}).filter(([name]) => isShown(name))),
    required: (item.required ?? []).filter(isShown),
  }
}

/** Edits an entry. If somebody else changed it meanwhile, the two changes can be merged. */
export function Change({ register: { item: whole, ...of }, item, reload, done }: ChangeProps) {
  const rest = item.corrects ? { ...of, fixed: true, corrected: item.corrects } : of
  const register = { ...rest, item: correctable(whole, rest) }
  const { t } = useTexts()
  const { message } = App.useApp()
  /** The version that the edits are based on; it stays while others change the entry. */
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
      const changed = await changeItem(register.register, base, {
        ...(register.fixed && base.data),
        ...erased(data),
        ...data,
      })
      void message.success(t(register.saved ?? 'platform.register-page.saved', { name: changed.title }))
      await reload()
      done()
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 412) throw error
      setTheirs(await reload())
    }
  }
  /** An encrypted field that is not sent stays as it is, so that what was emptied is null. */
  const erased = (data: FormValue) =>
    Object.fromEntries(
      titles
        .filter(({ name, schema }) => schema['x-encrypted'] && base.data[name] !== undefined && !(name in data))
        .map(({ name }) => [name, null]),
    )
  /** Their value where only they changed it; mine where I did. */
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
