import { Input, type InputRef } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { request, withQuery } from '../../kernel/client/client.ts'
import { at } from '../../kernel/record/fields.ts'
import { namesIn, type PageProps } from '../../kernel/screens/page.ts'
import { ScanButton } from '../../kernel/camera/scan-button.tsx'
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
          also={namesIn(parameters['also']) ?? []}
          itemPage={String(parameters['itemPage'])}
          {...(typeof parameters['free'] === 'string' && { free: parameters['free'] })}
          {...(typeof parameters['case'] === 'string' && { caseAt: parameters['case'] })}
        />
      )}
      <Inbox {...props} />
    </>
  )
}

interface ScanProps {
  register: Register
  flow: string
  /** Further flows whose tasks may wait for the item. */
  also: readonly string[]
  itemPage: string
  /** The page of an item in use for which no task waits, if it is another. */
  free?: string
  /** The field of the item that holds the reference of its case; otherwise the case names the item. */
  caseAt?: string
}

/** A scanner types the code and Enter; so can people. What the camera reads counts as entered. */
function Scan({ register, flow, also, itemPage, free = itemPage, caseAt }: ScanProps) {
  const { t } = useTexts()
  const attempt = useAction()
  const [, navigate] = useLocation()
  const field = useRef<InputRef>(null)
  const [typed, setTyped] = useState('')
  const [said, setSaid] = useState('')
  const { properties = {} } = useFlow(flow).data?.form.schema ?? {}
  const naming = Object.keys(properties).find((name) => properties[name]?.['x-register'] === register.register)
  useEffect(() => field.current?.focus(), [])
  const find = (wanted: string) =>
    attempt(async () => {
      const code = wanted.trim()
      const item = await itemWith(register, code)
      if (!item) {
        setSaid(t('platform.inbox.scan-none', { code }))
        field.current?.select()
        return
      }
      const chosen = caseAt === undefined ? naming && about(item, naming) : ofCase(item, caseAt)
      const [task, another] = chosen ? await tasksOf([flow, ...also], chosen) : []
      const page = isInUse(register, item.status) ? free : itemPage
      navigate(task && !another ? `/tasks/${task.id}` : page.replace('{id}', item.id))
    })
  const coded = register.item.properties?.[(register.codeField ?? '').slice(1)]?.['pattern']
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
        onRead={(code) => {
          setTyped(code)
          void find(code)
        }}
      />
      <output>{said}</output>
    </div>
  )
}

/** Queues in which a desk's task about an item can be: free, or taken by the reader or a colleague. */
const QUEUES = ['open', 'mine', 'group']

/** The tasks of the flows that the query chooses. */
async function tasksOf(flows: readonly string[], chosen: Record<string, string>): Promise<{ id: string }[]> {
  const pages = flows.flatMap((flow) =>
    QUEUES.map((queue) =>
      request<{ items: { id: string }[] }>('GET', withQuery('/api/tasks', { flow, queue, ...chosen, limit: 2 })),
    ),
  )
  return (await Promise.all(pages)).flatMap(({ items }) => items)
}

/** Chooses the tasks whose request names the item in this field. */
const about = ({ id }: Item, field: string) => ({ [`filter.${field}`]: id })

/** Chooses the tasks of the case that an item was made for; there is none without its reference. */
function ofCase({ data }: Item, caseAt: string): Record<string, string> | undefined {
  const reference = at(data, caseAt)
  return typeof reference === 'string' ? { search: reference } : undefined
}

/** The item whose code this is; letter case does not count. */
async function itemWith({ register, codeField = '/' }: Register, code: string): Promise<Item | undefined> {
  const { items } = await request<{ items: Item[] }>(
    'GET',
    withQuery(`/api/registers/${register}/items`, { search: code, limit: 50 }),
  )
  return items.find(({ data }) => String(at(data, codeField)).toUpperCase() === code.toUpperCase())
}
