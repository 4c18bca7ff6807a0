import { useStatusChange } from './status-change.ts'
import { Button } from 'antd'
import { lazy, Suspense } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { Problem, withQuery } from '../../kernel/client/client.ts'
import { PageHeader } from '../../kernel/page/page-header.tsx'
import page from '../../kernel/page/page.module.css'
import { at, isBlank } from '../../kernel/record/fields.ts'
import { Record, Titles } from '../../kernel/record/record.tsx'
import { namesIn, type PageProps } from '../../kernel/screens/page.ts'
import NotAllowed from '../../people/session/not-allowed.tsx'
import { Empty } from '../../kernel/states/empty.tsx'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { Mark } from '../../kernel/status/mark.tsx'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import Batches from './batches.tsx'
import { FacultyDot, isFaculty } from '../../kernel/record/faculty.tsx'
import { usePageTitle } from '../../kernel/page/title.ts'
import css from './register.module.css'
import { Paper, PrintPaper } from './paper.tsx'
import Related from './related.tsx'
import {
  fieldWithin,
  isMine,
  isInUse,
  mayAdd,
  newOne,
  registerOf,
  useItem,
  useOwnItems,
  useRegister,
  settableOf,
  withoutReader,
  type OwnItem,
  type Register,
} from './registers.ts'
import { listOf, New, NewOrNext, NewWithin } from './new-item.tsx'
import { Ending } from './ending.tsx'
import { Leads } from './leads.tsx'
import { overviewOf, type Overview } from './overview-parameters.ts'
import { isClosed, Sealed } from './sealed.tsx'
import { Told } from './told.tsx'
import { OwedOf } from './owed.tsx'
import { Change } from './item-change.tsx'
import { isRecord } from '../../kernel/record/fields.ts'
import { statusName } from '../../kernel/status/item-status.ts'

const ItemOverview = lazy(() => import('./overview.tsx'))

/** One register entry: view, change, set its status; or a new one. */
export default function RegisterItemPage(props: PageProps) {
  const { params, parameters, title } = props
  const { t } = useTexts()
  const key = registerOf(props)
  const mine = isMine(parameters)
  const fresh = parameters['create'] === true || params['id'] === 'new'
  const within = fieldWithin(parameters)
  const { data: whole, ...asked } = useRegister(key)
  const register = { ...asked, data: whole && mine ? withoutReader(whole) : whole }
  const { id } = params
  const own = useOwnItems(mine && id === undefined ? key : undefined)
  const item = useItem(key, fresh ? undefined : mine ? (id ?? own.data?.items[0]?.id) : id)
  const problem = register.error ?? own.error ?? item.error
  const retry = () => {
    void asked.mutate()
    void own.mutate()
    void item.mutate()
  }
  return (
    <div className={page.item}>
      {item.data && !isAtItsPlace(item.data, props) ? (
        <Trouble error={new Problem(404, {})} />
      ) : register.data && own.data?.items.length === 0 ? (
        register.data.writesOwn ? (
          <New register={register.data} heading={t(title)} given={{}} saved={() => own.mutate()} />
        ) : (
          <>
            <PageHeader title={t(title)} />
            <Empty title={t('platform.register-page.none-of-you')}>
              {t('platform.register-page.none-of-you-detail')}
            </Empty>
          </>
        )
      ) : register.data && fresh ? (
        mayAdd(register.data) ? (
          <NewWithin register={register.data} field={within} id={params['id']}>
            <NewOrNext
              register={register.data}
              heading={parameters['create'] === true ? t(title) : newOne(register.data, t)}
              given={within !== undefined && params['id'] !== undefined ? { [within]: params['id'] } : {}}
            />
          </NewWithin>
        ) : (
          <NotAllowed />
        )
      ) : register.data && item.data ? (
        <Present
          key={item.data.id}
          register={register.data}
          item={item.data}
          reload={() => item.mutate()}
          isChangePage={parameters['change'] === true}
          leads={namesIn(parameters['leads']) ?? []}
          related={namesIn(parameters['related'])}
          overview={overviewOf(parameters)}
          {...(mine && { heading: t(title) })}
        />
      ) : problem ? (
        <Trouble error={problem} onRetry={retry} />
      ) : (
        <Skeleton lines={8} />
      )}
    </div>
  )
}

/** Whether the entry matches the rest of the address: an id in a field, or the title of what that refers to. */
function isAtItsPlace({ data, titles }: OwnItem, { params, parameters }: PageProps): boolean {
  const holds = isRecord(parameters['holds']) ? Object.entries(parameters['holds']) : []
  return holds.every(([hole, pointer]) => {
    const value = at(data, String(pointer))
    return value === params[hole] || (typeof value === 'string' && titles[value] === params[hole])
  })
}

interface PresentProps {
  register: Register
  item: OwnItem
  reload(): Promise<OwnItem | undefined>
  /** Its route is for changing the entry. */
  isChangePage: boolean
  /** Routes to which the entry leads, with `{id}`. */
  leads: readonly string[]
  /** The registers of its related lists; all by default. */
  related: readonly string[] | undefined
  overview: Overview | undefined
  /** The title of a page about its reader, which belongs to no list. */
  heading?: string
}

function Present({ register, item, reload, isChangePage, leads, related, overview, heading }: PresentProps) {
  const { t } = useTexts()
  const { moment } = useFormats()
  const confirm = useStatusChange(register, reload)
  const [path, navigate] = useLocation()
  const query = new URLSearchParams(useSearch())
  const mayChange = item.mayChange && (!register.fixed || register.corrected !== undefined)
  const changing = (isChangePage || query.has('change')) && mayChange
  query.delete('change')
  const here = isChangePage
    ? `/registers/${register.register}/${item.id}`
    : [path, query.toString()].filter(Boolean).join('?')
  const code = register.codeField ? at(item.data, register.codeField) : undefined
  usePageTitle(heading ?? item.title)

  return (
    <>
      <PageHeader
        {...(heading === undefined && { back: listOf(register, t) })}
        title={
          isFaculty(register.register) ? (
            <FacultyDot theme={item.data['theme']}>{item.title}</FacultyDot>
          ) : (
            (heading ?? item.title)
          )
        }
        code={typeof code === 'string' && !item.title.includes(code) ? code : undefined}
        about={
          <>
            {item.owner && <span>{item.owner}</span>}
            {item.ends && <Ending of={register} data={item.data} />}
            <Mark is={isInUse(register, item.status) ? 'on' : 'off'}>{statusName(item.status, t)}</Mark>
            <span>{t('platform.register-page.changed-at', { at: moment(item.changedAt) })}</span>
            {item.ledBy && (
              <Link href={`/cases/${item.ledBy.id}`}>
                {t(item.ledBy.title)} {item.ledBy.reference}
              </Link>
            )}
          </>
        }
      />
      {changing ? (
        <Change register={register} item={item} reload={reload} done={() => navigate(here)} />
      ) : (
        <>
          <div className={page.acts}>
            {mayChange && (
              <Link href={`${here}${query.size > 0 ? '&' : '?'}change`} asChild>
                <Button type="primary">{t('platform.register-page.change')}</Button>
              </Link>
            )}
            {item.mayChange &&
              settableOf(register, item).map((status) => (
                <Button key={status} onClick={() => confirm(item, status)}>
                  {t('platform.register-page.set', { status: statusName(status, t) })}
                </Button>
              ))}
            {register.versions && register.mayCreate && (
              <Link href={`/registers/${register.register}/new?from=${item.id}`} asChild>
                <Button>{t('platform.register-page.next-version')}</Button>
              </Link>
            )}
            {register.versions?.compare && (
              <Link href={register.versions.compare.replace('{id}', item.id)} asChild>
                <Button>{t('platform.register-page.compare')}</Button>
              </Link>
            )}
            {!isClosed(item) && <Leads routes={leads} of={item} />}
          </div>
          {register.prints && (
            <>
              <Paper register={register.register} item={item} />
              <div className={page.acts}>
                <PrintPaper register={register.register} item={item} />
              </div>
            </>
          )}
          <Sealed register={register.register} item={item} reload={reload} />
          <Titles value={item.titles}>
            <Parts register={register} data={item.data} />
          </Titles>
          <Told tells={item.tells} />
          <OwedOf register={register} id={item.id} />
          {overview && (
            <Suspense fallback={<Skeleton lines={3} />}>
              <ItemOverview {...overview} id={item.id} />
            </Suspense>
          )}
          {register.reports.length > 0 && (
            <ul className={css.reports}>
              {register.reports.map(({ report, field, title }) => (
                <li key={report}>
                  <Link href={withQuery(`/reports/${report}`, { [field]: item.id })}>{t(title)}</Link>
                </li>
              ))}
            </ul>
          )}
          {register.batches.length > 0 && <Batches register={register} id={item.id} />}
          <Related register={register} only={related} id={item.id} mine={heading !== undefined} />
        </>
      )}
    </>
  )
}

/** The values of an entry; a long form has its headings. */
function Parts({ register: { item: schema }, data }: { register: Register; data: OwnItem['data'] }) {
  const { t } = useTexts()
  const groups = schema['x-groups']
  if (!groups) return <Record schema={schema} data={data} />
  return groups
    .filter(({ fields }) => fields.some((name) => !isBlank(data[name])))
    .map(({ title, fields }) => (
      <section key={title}>
        <h2>{t(title)}</h2>
        <Record schema={schema} data={data} only={({ name }) => fields.includes(name)} />
      </section>
    ))
}
