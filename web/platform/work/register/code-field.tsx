import { Input, type InputRef } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { ScanButton } from '../../kernel/camera/scan-button.tsx'
import { request, withQuery } from '../../kernel/client/client.ts'
import { at } from '../../kernel/record/fields.ts'
import { useAction } from '../../kernel/states/act.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './code-field.module.css'
import type { Item, Register } from './registers.ts'

interface CodeFieldProps {
  register: Register
  onFound(item: Item): Promise<unknown>
  /** Where one code is entered after the other: what came of the last, and what is said if none came of one. */
  counting?: { came: string; failed(code: string): string }
}

/**
 * A field for the code of an entry. A scanner types the code and Enter; so can people. What the camera reads counts as
 * entered.
 */
export function CodeField({ register, onFound, counting }: CodeFieldProps) {
  const { t } = useTexts()
  const attempt = useAction()
  const field = useRef<InputRef>(null)
  const before = useRef<Promise<unknown>>(Promise.resolve())
  const [typed, setTyped] = useState('')
  const [instead, setInstead] = useState<string>()
  useEffect(() => field.current?.focus(), [])
  const find = async (code: string) => {
    const done = await attempt(async () => {
      const item = await itemWith(register, code)
      setInstead(item ? undefined : t('platform.inbox.scan-none', { code }))
      await (item && onFound(item))
    })
    if (!done && counting) setInstead(counting.failed(code))
    if (!counting) field.current?.select()
  }
  const enter = (wanted: string) => {
    const code = wanted.trim()
    if (code === '') return
    // What a scanner types meanwhile is the next code, which waits for this one.
    if (counting) setTyped('')
    before.current = before.current.then(() => find(code))
  }
  const coded = register.item.properties?.[(register.codeField ?? '').slice(1)]?.['pattern']
  const said = instead ?? counting?.came
  return (
    <div className={css['scan']}>
      <Input.Search
        ref={field}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        autoCapitalize="characters"
        autoComplete="off"
        onSearch={enter}
        enterButton={t(counting ? 'platform.tally.count' : 'platform.inbox.scan-find')}
        placeholder={t('platform.inbox.scan')}
        aria-label={t('platform.inbox.scan')}
        maxLength={60}
      />
      <ScanButton
        pattern={typeof coded === 'string' ? coded : undefined}
        {...(counting && { came: said ?? '' })}
        onRead={(code) => {
          if (!counting) setTyped(code)
          enter(code)
        }}
      />
      <output>{said}</output>
    </div>
  )
}

/** The item whose code this is; letter case does not count. */
async function itemWith({ register, codeField = '/' }: Register, code: string): Promise<Item | undefined> {
  const { items } = await request<{ items: Item[] }>(
    'GET',
    withQuery(`/api/registers/${register}/items`, { search: code, limit: 50 }),
  )
  return items.find(({ data }) => String(at(data, codeField)).toUpperCase() === code.toUpperCase())
}
