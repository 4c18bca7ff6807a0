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
  /** What came of the last code, where one is entered after the other. */
  came?: string
}

/**
 * A field for the code of an entry. A scanner types the code and Enter; so can people. What the camera reads counts as
 * entered.
 */
export function CodeField({ register, onFound, came }: CodeFieldProps) {
  const { t } = useTexts()
  const attempt = useAction()
  const field = useRef<InputRef>(null)
  const [typed, setTyped] = useState('')
  const [unknown, setUnknown] = useState<string>()
  useEffect(() => field.current?.focus(), [])
  const find = (wanted: string) =>
    attempt(async () => {
      const code = wanted.trim()
      const item = await itemWith(register, code)
      setUnknown(item ? undefined : t('platform.inbox.scan-none', { code }))
      if (item) await onFound(item)
      if (item && came !== undefined) setTyped('')
      else field.current?.select()
    })
  const coded = register.item.properties?.[(register.codeField ?? '').slice(1)]?.['pattern']
  const said = unknown ?? came
  return (
    <div className={css['scan']}>
      <Input.Search
        ref={field}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        autoCapitalize="characters"
        autoComplete="off"
        onSearch={(wanted) => void (wanted.trim() === '' ? undefined : find(wanted))}
        enterButton={t('platform.inbox.scan-find')}
        placeholder={t('platform.inbox.scan')}
        aria-label={t('platform.inbox.scan')}
        maxLength={60}
      />
      <ScanButton
        pattern={typeof coded === 'string' ? coded : undefined}
        {...(came !== undefined && { came: said ?? '' })}
        onRead={(code) => {
          setTyped(code)
          void find(code)
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
