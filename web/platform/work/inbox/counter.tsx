import { Input, type InputRef } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { request, withQuery } from '../../kernel/client/client.ts'
import { at } from '../../kernel/record/fields.ts'
import type { PageProps } from '../../kernel/screens/page.ts'
import { useFlow } from '../../kernel/api/flows.ts'
import { useAction } from '../../kernel/states/act.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { isInUse, registerOf, useRegister, type Item, type Register } from '../register/registers.ts'
import css from './counter.module.css'
import Inbox from './inbox.tsx'

/**
 * A counter: the code of an item, typed or scanned, leads to the task of the flow that waits for it. Where none waits,
 * an item in use leads to the page `free`, any other to its own. Below is the inbox of the flow.
 */
export default function Counter(props: PageProps) {
  const { parameters } = props
  const register = useRegister(registerOf(props)).data
  return (
    <>
      {register && (
        <Scan
          register={register}
          flow={String(parameters['flow'])}
          free={String(parameters['free'])}
          itemPage={String(parameters['itemPage'])}
        />
      )}
      <Inbox {...props} />
    </>
  )
}

interface ScanProps {
  register: Register
  flow: string
  free: string
  itemPage: string
}

/** A scanner types the code and Enter; so can people. */
function Scan({ register, flow, free, itemPage }: ScanProps) {
  const { t } = useTexts()
  const attempt = useAction()
  const [, navigate] = useLocation()
  const field = useRef<InputRef>(null)
  const [said, setSaid] = useState('')
  const { properties = {} } = useFlow(flow).data?.form.schema ?? {}
  const naming = Object.keys(properties).find((name) => properties[name]?.['x-register'] === register.register)
  useEffect(() => field.current?.focus(), [])
  const find = (typed: string) =>
    attempt(async () => {
      const code = typed.trim()
      const item = await itemWith(register, code)
      if (!item) {
        setSaid(t('platform.inbox.scan-none', { code }))
        field.current?.select()
        return
      }
      const [task, another] = await tasksAbout(flow, naming, item)
      const page = isInUse(register, item.status) ? free : itemPage
      navigate(task && !another ? `/tasks/${task.id}` : page.replace('{id}', item.id))
    })
  return (
    <div className={css['scan']}>
      <Input.Search
        ref={field}
        autoCapitalize="characters"
        autoComplete="off"
        onSearch={(typed) => void (typed.trim() === '' ? undefined : find(typed))}
        enterButton={t('platform.inbox.scan-find')}
        placeholder={t('platform.inbox.scan')}
        aria-label={t('platform.inbox.scan')}
        maxLength={60}
      />
      <output>{said}</output>
    </div>
  )
}

/** Queues in which a desk's task about an item can be: free, or taken by the reader or a colleague. */
const QUEUES = ['open', 'mine', 'group']

/** The tasks of the flow whose request names the item in this field. */
async function tasksAbout(flow: string, field: string | undefined, { id }: Item): Promise<{ id: string }[]> {
  if (field === undefined) return []
  const pages = QUEUES.map((queue) =>
    request<{ items: { id: string }[] }>(
      'GET',
      withQuery('/api/tasks', { flow, queue, [`filter.${field}`]: id, limit: 2 }),
    ),
  )
  return (await Promise.all(pages)).flatMap(({ items }) => items)
}

/** The item whose code this is; letter case does not count. */
async function itemWith({ register, codeField = '/' }: Register, code: string): Promise<Item | undefined> {
  const { items } = await request<{ items: Item[] }>(
    'GET',
    withQuery(`/api/registers/${register}/items`, { search: code, limit: 50 }),
  )
  return items.find(({ data }) => String(at(data, codeField)).toUpperCase() === code.toUpperCase())
}
