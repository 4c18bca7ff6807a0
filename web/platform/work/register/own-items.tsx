import { Alert, Button } from 'antd'
import { Link } from 'wouter'
import { useCases } from '../../kernel/api/cases.ts'
import { PageHeader } from '../../kernel/page/page-header.tsx'
import page from '../../kernel/page/page.module.css'
import { Record } from '../../kernel/record/record.tsx'
import type { PageProps } from '../../kernel/screens/page.ts'
import { Empty } from '../../kernel/states/empty.tsx'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { statusName } from '../../kernel/status/item-status.ts'
import { Mark } from '../../kernel/status/mark.tsx'
import { Status } from '../../kernel/status/status.tsx'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './paper.module.css'
import { Paper, PrintPaper } from './paper.tsx'
import { isInUse, registerOf, useItems, useRegister, type Item, type Register } from './registers.ts'

const textIn = (value: unknown) => (typeof value === 'string' ? value : undefined)

/**
 * The entries of a register that belong to the reader: the one in use with its paper, and what they can do with it; the
 * others below. With `print` the page is only about printing.
 */
export default function OwnItems(props: PageProps) {
  const { parameters, title } = props
  const { t } = useTexts()
  const key = registerOf(props)
  const register = useRegister(key)
  const { items, error, reload } = useItems(key, { filters: {}, mine: true })
  const problem = register.error ?? error
  const of = register.data
  const inUse = of && items?.find(({ status }) => isInUse(of, status))
  const others = items?.filter((one) => one !== inUse) ?? []
  return (
    <article className={page.item}>
      <PageHeader title={t(title)} />
      {parameters['print'] === true && <p>{t('platform.paper.print-help')}</p>}
      {!register.data || !items ? (
        problem ? (
          <Trouble error={problem} onRetry={reload} />
        ) : (
          <Skeleton lines={8} />
        )
      ) : (
        <>
          <Running flow={textIn(parameters['flow'])} />
          {inUse ? (
            <InUse register={register.data} item={inUse} parameters={parameters} />
          ) : (
            <Empty title={t('platform.own-items.none')} actions={<Begin flow={textIn(parameters['flow'])} />} />
          )}
          {others.length > 0 && parameters['print'] !== true && <Others items={others} />}
        </>
      )}
    </article>
  )
}

/** The reader's running case of the flow, if there is one. */
function Running({ flow }: { flow: string | undefined }) {
  const { items } = useCases({ mine: true, ...(flow && { flow }), limit: 1 })
  const newest = flow === undefined ? undefined : items?.[0]
  if (newest?.state !== 'running') return null
  return (
    <Alert
      type="info"
      title={
        <>
          <Link href={`/cases/${newest.id}`}>{newest.title}</Link> <Status of={newest} />
        </>
      }
    />
  )
}

/** Leads to the start of a flow. */
function Begin({ flow }: { flow: string | undefined }) {
  const { t } = useTexts()
  if (flow === undefined) return null
  return (
    <Link href={`/start/${flow}`} asChild>
      <Button>{t('platform.front.start')}</Button>
    </Link>
  )
}

interface InUseProps {
  register: Register
  item: Item
  parameters: PageProps['parameters']
}

function InUse({ register, item, parameters }: InUseProps) {
  const { t } = useTexts()
  const printPage = textIn(parameters['printPage'])
  const request = textIn(parameters['request'])
  const isShown = ({ name }: { name: string }) => register.columns.includes(`/${name}`)
  return (
    <>
      {register.prints && <Paper register={register.register} item={item} />}
      <div className={page.acts}>
        {parameters['print'] === true && <PrintPaper register={register.register} item={item} />}
        {printPage && (
          <Link href={printPage} asChild>
            <Button type="primary">{t('platform.paper.show')}</Button>
          </Link>
        )}
        {request && (
          <Link href={request.replace('{id}', item.id)} asChild>
            <Button>{t(`${register.item.title ?? ''}.request`)}</Button>
          </Link>
        )}
      </div>
      {parameters['print'] !== true && <Record schema={register.item} data={item.data} only={isShown} />}
    </>
  )
}

function Others({ items }: { items: readonly Item[] }) {
  const { t } = useTexts()
  return (
    <section>
      <h2>{t('platform.own-items.others')}</h2>
      <ul className={css['items']}>
        {items.map(({ id, title, status }) => (
          <li key={id}>
            <span>{title}</span>
            <Mark is="off">{statusName(status, t)}</Mark>
          </li>
        ))}
      </ul>
    </section>
  )
}
