import { Alert, Button } from 'antd'
import { Link } from 'wouter'
import { usePublicFlow } from '../../kernel/api/public-flows.ts'
import type { FormSchema, PublicFlow } from '../../kernel/client/types.ts'
import type { PageProps } from '../../kernel/screens/page.ts'
import { Empty } from '../../kernel/states/empty.tsx'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { useFormats } from '../../kernel/texts/formats.ts'
import { hasText, useTexts } from '../../kernel/texts/texts.ts'
import { isRecord } from '../../kernel/record/fields.ts'
import css from './open-items.module.css'

type Item = PublicFlow['items'][number]

const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

/** What visitors can apply for: guides, when each is open, and the way to the form; or what comes next. */
export default function OpenItems({ parameters, title }: PageProps) {
  const { t } = useTexts()
  const { data, error, mutate } = usePublicFlow(String(parameters['flow']))
  return (
    <article className={css['page']}>
      <h1>{t(title)}</h1>
      {data ? (
        <Loaded of={data} parameters={parameters} />
      ) : error ? (
        <Trouble error={error} onRetry={() => void mutate()} />
      ) : (
        <Skeleton lines={8} />
      )}
    </article>
  )
}

function Loaded({ of, parameters }: { of: PublicFlow; parameters: PageProps['parameters'] }) {
  const { t } = useTexts()
  const { day } = useFormats()
  const about = `${of.title}-about`
  const next = of.items.findLast(({ state }) => state === 'coming')
  const open = of.items.filter(({ state }) => state === 'open')
  const closed = of.items.filter(({ state }) => state === 'closed')
  const guided = open[0] ?? next
  return (
    <>
      {hasText(about) && <p className={css['about']}>{t(about)}</p>}
      {guided && <Guides of={of} item={guided} fields={listOf(parameters['guides'])} />}
      {of.items.length === 0 && <Empty title={t(`${of.title}.closed`)}>{t(`${of.title}.none`)}</Empty>}
      {of.items.length > 0 && open.length === 0 && (
        <Alert
          className={css['closed']}
          type="info"
          title={t(`${of.title}.closed`)}
          description={
            next ? t(`${of.title}.opens-next`, { title: next.title, opens: day(next.opens) }) : t(`${of.title}.none`)
          }
        />
      )}
      <ul className={css['items']}>
        {[...open, ...(next ? [next] : []), ...closed].map((item) => (
          <li key={item.id} data-state={item.state}>
            <Entry of={of} item={item} parameters={parameters} />
          </li>
        ))}
      </ul>
    </>
  )
}

function Entry({ of, item, parameters }: { of: PublicFlow; item: Item; parameters: PageProps['parameters'] }) {
  const { t } = useTexts()
  const { day } = useFormats()
  const times = { opens: day(item.opens), closes: day(item.closes) }
  const said = {
    open: t(`${of.title}.until`, times),
    coming: t(`${of.title}.opens`, times),
    closed: t(`${of.title}.closed-on`, times),
  }
  const address = String(parameters['apply']).replace('{id}', encodeURIComponent(item.id))
  return (
    <>
      <h2>{item.title}</h2>
      <p className={css['when']}>{said[item.state]}</p>
      {item.state === 'open' && <Details of={of} item={item} fields={listOf(parameters['fields'])} />}
      {item.state === 'open' ? (
        <Link href={address} asChild>
          <Button type="primary" size="large">
            {t(`${of.title}.apply`)}
          </Button>
        </Link>
      ) : (
        <Button size="large" disabled>
          {t(`${of.title}.closed`)}
        </Button>
      )}
    </>
  )
}

/** Public fields of an item; of rows only the first field, by which people know them. */
function Details({ of, item, fields }: { of: PublicFlow; item: Item; fields: string[] }) {
  const { t } = useTexts()
  const { money } = useFormats()
  const shown = fields.flatMap((pointer) => {
    const name = pointer.slice(1)
    const field = fieldOf(of, name)
    const value = item.data[name]
    if (!field?.title || value === undefined || value === null) return []
    const first = field.items?.['x-order']?.[0] ?? 'name'
    const words = Array.isArray(value)
      ? value.map((row) => String(isRecord(row) ? row[first] : row))
      : [typeof value === 'number' && field['x-unit'] === 'LKR cents' ? money(value) : String(value)]
    return [{ name, title: t(field.title), words }]
  })
  return (
    <dl className={css['details']}>
      {shown.map(({ name, title, words }) => (
        <div key={name}>
          <dt>{title}</dt>
          {words.map((one) => (
            <dd key={one}>{one}</dd>
          ))}
        </div>
      ))}
    </dl>
  )
}

/** Links to documents and videos that explain how to apply. */
function Guides({ of, item, fields }: { of: PublicFlow; item: Item; fields: string[] }) {
  const { t } = useTexts()
  const guides = fields.flatMap((pointer) => {
    const field = fieldOf(of, pointer.slice(1))
    const value = item.data[pointer.slice(1)]
    if (!field?.title || typeof value !== 'string') return []
    const href = field['x-widget'] === 'file' ? `/api/files/${encodeURIComponent(value)}` : value
    return [{ href, title: t(field.title) }]
  })
  if (guides.length === 0) return null
  return (
    <ul className={css['guides']}>
      {guides.map(({ href, title }) => (
        <li key={href}>
          <a href={href} target="_blank" rel="noreferrer">
            {title}
          </a>
        </li>
      ))}
    </ul>
  )
}

function fieldOf(of: PublicFlow, name: string): FormSchema | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the API sends a form's schema
  return (of.schema as FormSchema).properties?.[name]
}
