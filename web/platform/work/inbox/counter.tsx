import { useLocation } from 'wouter'
import { request, withQuery } from '../../kernel/client/client.ts'
import { at } from '../../kernel/record/fields.ts'
import { namesIn, type PageProps } from '../../kernel/screens/page.ts'
import { useFlow } from '../../kernel/api/flows.ts'
import { CodeField } from '../register/code-field.tsx'
import { isInUse, registerOf, useRegister, type Item, type Register } from '../register/registers.ts'
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

function Scan({ register, flow, also, itemPage, free = itemPage, caseAt }: ScanProps) {
  const [, navigate] = useLocation()
  const { properties = {} } = useFlow(flow).data?.form.schema ?? {}
  const naming = Object.keys(properties).find((name) => properties[name]?.['x-register'] === register.register)
  const lead = async (item: Item) => {
    const chosen = caseAt === undefined ? naming && about(item, naming) : ofCase(item, caseAt)
    const [task, another] = chosen ? await tasksOf([flow, ...also], chosen) : []
    const page = isInUse(register, item.status) ? free : itemPage
    navigate(task && !another ? `/tasks/${task.id}` : page.replace('{id}', item.id))
  }
  return <CodeField register={register} onFound={lead} />
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
