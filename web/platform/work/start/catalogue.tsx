import { Button, Input } from 'antd'
import { useState } from 'react'
import { Link } from 'wouter'
import { usePublicFlow } from '../../kernel/api/public-flows.ts'
import {
  usePublicItem,
  useAllPublicItems,
  usePublicRegister,
  type PublicItem,
  type PublicRegister,
} from '../../kernel/api/public-items.ts'
import { usePages } from '../../kernel/api/read.ts'
import { asFilters, withQuery } from '../../kernel/client/client.ts'
import { PlainSelect } from '../../kernel/form/plain-select.tsx'
import { useFilters } from '../../kernel/list/filters.ts'
import { namesIn, type PageProps } from '../../kernel/screens/page.ts'
import { Empty } from '../../kernel/states/empty.tsx'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { useFormats } from '../../kernel/texts/formats.ts'
import { hasText, useTexts } from '../../kernel/texts/texts.ts'
import css from './catalogue.module.css'
import { Offers, type Offered } from './offers.tsx'

/** Entries of one page of the list. */
const PAGE_SIZE = 20

/** What the screen declares: the register, the fields shown, and the flow by which one applies. */
interface Catalogue {
  register: string
  of: PublicRegister
  fields: string[]
  itemPage: string
  /** By what one applies, if by anything. */
  offers?: Offered
}

/** Published entries of a register, with search and filters, each with what one can apply for; or one of them. */
export default function CataloguePage({ params, parameters, title }: PageProps) {
  const register = String(parameters['register'])
  const told = usePublicRegister(register)
  const applied = typeof parameters['flow'] === 'string' ? parameters['flow'] : undefined
  const flow = usePublicFlow(applied)
  const problem = told.error ?? flow.error
  const catalogue = told.data &&
    (applied === undefined || flow.data) && {
      register,
      of: told.data,
      fields: (namesIn(parameters['fields']) ?? []).map((pointer) => pointer.slice(1)),
      itemPage: String(parameters['itemPage']),
      ...(flow.data && {
        offers: { flow: flow.data, by: String(parameters['by']), apply: String(parameters['apply']) },
      }),
    }
  return (
    <div className={css['page']}>
      {catalogue ? (
        params['id'] === undefined ? (
          <List catalogue={catalogue} title={title} />
        ) : (
          <One catalogue={catalogue} id={params['id']} title={title} />
        )
      ) : problem ? (
        <Trouble error={problem} onRetry={() => void Promise.all([told.mutate(), flow.mutate()])} />
      ) : (
        <Skeleton lines={12} />
      )}
    </div>
  )
}

/** The list; search and filters are in the address. */
function List({ catalogue, title }: { catalogue: Catalogue; title: string }) {
  const { t } = useTexts()
  const { count } = useFormats()
  const { register, of } = catalogue
  const names = of.filters.map((pointer) => pointer.slice(1))
  const { chosen, filter } = useFilters(['search', ...names])
  const { search, ...filters } = chosen
  const entries = usePages<PublicItem>(
    withQuery(`/api/public/registers/${register}/items`, {
      search,
      ...asFilters(filters),
      limit: PAGE_SIZE,
    }),
  )
  const filtered = Object.values(chosen).some((value) => value !== '')
  const clear = () => filter(Object.fromEntries(Object.keys(chosen).map((name) => [name, ''])))
  return (
    <>
      <h1>{t(title)}</h1>
      {hasText(`${of.title}.about`) && <p className={css['about']}>{t(`${of.title}.about`)}</p>}
      {catalogue.offers && hasText(`${of.title}.choose`) && (
        <p className={css['about']}>
          <Link href={catalogue.offers.apply.replace(/\?.*/, '')}>{t(`${of.title}.choose`)}</Link>
        </p>
      )}
      <Filters key={chosen['search']} of={of} names={names} chosen={chosen} filter={filter} />
      <p className={css['count']} role="status">
        {entries.count && t(`${of.title}.found`, { count: entries.count.value, shown: count(entries.count) })}
        {filtered && (
          <Button type="link" size="small" onClick={clear}>
            {t(`${of.title}.clear`)}
          </Button>
        )}
      </p>
      {entries.items ? (
        entries.items.length > 0 ? (
          <ul className={css['cards']}>
            {entries.items.map((item) => (
              <li key={item.id}>
                <h2>
                  <Link href={catalogue.itemPage.replace('{id}', encodeURIComponent(item.id))}>{item.title}</Link>
                </h2>
                <About catalogue={catalogue} item={item} titles={entries.titles} />
              </li>
            ))}
          </ul>
        ) : (
          <Empty
            title={t(`${of.title}.${filtered ? 'none-found' : 'none'}`)}
            actions={filtered && <Button onClick={clear}>{t(`${of.title}.clear`)}</Button>}
          >
            {t(`${of.title}.${filtered ? 'none-found' : 'none'}-detail`)}
          </Empty>
        )
      ) : entries.error ? (
        <Trouble error={entries.error} onRetry={entries.reload} />
      ) : (
        <Skeleton lines={12} />
      )}
      {entries.more && (
        <Button loading={entries.loading} onClick={entries.loadMore}>
          {t(`${of.title}.more`)}
        </Button>
      )}
    </>
  )
}

/** One entry of the register, at its own address. */
function One({ catalogue, id, title }: { catalogue: Catalogue; id: string; title: string }) {
  const { t } = useTexts()
  const { data, error, mutate } = usePublicItem(catalogue.register, id)
  return (
    <article>
      <h1>{data?.title ?? t(title)}</h1>
      {data ? (
        <About catalogue={catalogue} item={data} titles={data.titles} />
      ) : error?.status === 404 ? (
        <Empty title={t(`${catalogue.of.title}.gone`)} />
      ) : error ? (
        <Trouble error={error} onRetry={() => void mutate()} />
      ) : (
        <Skeleton lines={8} />
      )}
    </article>
  )
}

interface AboutProps {
  catalogue: Catalogue
  item: PublicItem
  titles: Record<string, string>
}

/** Facts of an entry, and what one can apply for. */
function About({ catalogue, item, titles }: AboutProps) {
  const { of, fields } = catalogue
  const { t } = useTexts()
  const { money } = useFormats()
  const told = fields.flatMap((name) => {
    const field = of.schema.properties?.[name]
    const value = item.data[name]
    if (!field?.title || value === undefined || value === '' || value === 0) return []
    const choice = field.oneOf?.find((one) => one.const === value)?.title
    const words = choice
      ? t(choice)
      : typeof value === 'number' && field['x-unit'] === 'LKR cents'
        ? money(value)
        : (titles[String(value)] ?? String(value))
    return [{ name, title: t(field.title), words, long: field['x-widget'] === 'textarea' }]
  })
  return (
    <>
      <dl className={css['facts']}>
        {told.map(({ name, title, words, long }) => (
          <div key={name} data-long={long || undefined}>
            <dt>{title}</dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
      {catalogue.offers && <Offers of={catalogue.offers} entry={item.id} />}
    </>
  )
}

interface FiltersProps {
  of: PublicRegister
  names: string[]
  chosen: Record<string, string>
  filter(change: Record<string, string>): void
}

function Filters({ of, names, chosen, filter }: FiltersProps) {
  const { t } = useTexts()
  const [search, setSearch] = useState(chosen['search'] ?? '')
  return (
    <form
      role="search"
      className={css['filters']}
      onSubmit={(event) => {
        event.preventDefault()
        filter({ search: search.trim() })
      }}
    >
      <div className={css['search']}>
        <div>
          <label htmlFor="catalogue-search">{t(`${of.title}.search`)}</label>
          <Input
            id="catalogue-search"
            type="search"
            value={search}
            onChange={({ target }) => setSearch(target.value)}
          />
        </div>
        <Button htmlType="submit">{t(`${of.title}.find`)}</Button>
      </div>
      {names.map((name) => (
        <Filter
          key={name}
          of={of}
          name={name}
          value={chosen[name] ?? ''}
          onChange={(value) => filter({ [name]: value })}
        />
      ))}
    </form>
  )
}

interface FilterProps {
  of: PublicRegister
  name: string
  value: string
  onChange(value: string): void
}

/** A filter by a field: the entries of its register, or its choices. */
function Filter({ of, name, value, onChange }: FilterProps) {
  const { t } = useTexts()
  const field = of.schema.properties?.[name]
  const register = field?.['x-register']
  const id = `catalogue-${name}`
  const choices = (field?.oneOf ?? []).map((one) => ({
    id: String(one.const),
    title: t(one.title ?? String(one.const)),
  }))
  return (
    <div>
      <label htmlFor={id}>{t(field?.title ?? name)}</label>
      <PlainSelect id={id} value={value} onChange={({ target }) => onChange(target.value)}>
        <option value="">{t(`${of.title}.any`)}</option>
        {register ? <Entries register={register} /> : <Options of={choices} />}
      </PlainSelect>
    </div>
  )
}

const Entries = ({ register }: { register: string }) => <Options of={useAllPublicItems(register).data?.items ?? []} />

const Options = ({ of }: { of: readonly { id: string; title: string }[] }) =>
  of.map(({ id, title }) => (
    <option key={id} value={id}>
      {title}
    </option>
  ))
