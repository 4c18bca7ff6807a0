import { Button, Input, Modal } from 'antd'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import type { PageProps } from '../platform/kernel/screens/page.ts'
import { PlainSelect } from '../platform/kernel/form/plain-select.tsx'
import { useSession } from '../platform/kernel/session/session.ts'
import { Empty } from '../platform/kernel/states/empty.tsx'
import { Skeleton } from '../platform/kernel/states/skeleton.tsx'
import { Trouble } from '../platform/kernel/states/trouble.tsx'
import { useFormats } from '../platform/kernel/texts/formats.ts'
import { useTexts } from '../platform/kernel/texts/texts.ts'
import css from './catalogue/catalogue.module.css'
import { Card, CardSkeleton } from './catalogue/card.tsx'
import {
  typeName,
  useOwners,
  useResource,
  useResources,
  useTypes,
  type Owners,
  type Resource,
  type ResourceFilter,
} from './catalogue/resources.ts'
import { recordOf } from '../platform/kernel/keys.ts'

const AccountDialogs = lazy(() => import('../platform/people/session/account-dialogs.tsx'))
const ViewResource = lazy(() => import('./catalogue/view-resource.tsx'))
const ResourceCalendar = lazy(() => import('./calendar/resource-calendar.tsx'))
const Timeline = lazy(() => import('./calendar/timeline.tsx'))
const BookResource = lazy(() => import('./booking/book-resource.tsx'))

const filters = ['search', 'resource_type_id', 'faculty_id', 'dep_id', 'division_id'] as const
const dialogs = ['view', 'calendar', 'book'] as const
type Dialog = (typeof dialogs)[number]
/** The period of a booking, if it was chosen before. */
const wanted = ['from', 'until'] as const
const dialogTitle: Record<Dialog, string> = {
  view: 'resource-reservation.view-resource',
  calendar: 'resource-reservation.resource-calendar',
  book: 'resource-reservation.book-resource',
}

/** /all_resoures: the reservable resources, for everybody. Filters and the open dialog are in the address. */
export default function AllResources({ title }: PageProps) {
  const { t } = useTexts()
  const [params, setParams] = useSearchParams()
  const filter: ResourceFilter = recordOf(filters, (name) => params.get(name) ?? '')
  const resources = useResources(filter)
  const owners = useOwners()
  const { count } = useFormats()
  const filtered = filters.some((name) => filter[name] !== '')

  const put = (values: Partial<ResourceFilter>) =>
    setParams((before) => {
      const next = new URLSearchParams(before)
      for (const [name, value] of Object.entries(values)) {
        if (value) next.set(name, value)
        else next.delete(name)
      }
      return next
    })
  const asTimeline = params.get('show') === 'timeline'
  const show = (how: string) =>
    setParams((before) => {
      const next = new URLSearchParams(before)
      for (const each of ['show', 'span', 'day']) next.delete(each)
      if (how === 'timeline') next.set('show', how)
      return next
    })
  const clear = () => put(Object.fromEntries(filters.map((name) => [name, ''])))
  const open = (dialog: Dialog, id: string) =>
    setParams((before) => {
      const next = new URLSearchParams(before)
      for (const each of [...dialogs, ...wanted]) next.delete(each)
      next.set(dialog, id)
      return next
    })

  return (
    <div className={css.page}>
      <header className={css.head}>
        <h1>{t(title)}</h1>
        <p>{t('resource-reservation.intro')}</p>
      </header>
      <Filters key={filter.search} filter={filter} owners={owners} put={put} />
      <p className={css.count} role="status">
        {resources.count &&
          t('resource-reservation.found', { count: resources.count.value, shown: count(resources.count) })}
        {filtered && (
          <Button type="link" size="small" onClick={clear}>
            {t('resource-reservation.filter.clear')}
          </Button>
        )}
      </p>
      <div className={css.ways} role="group" aria-label={t('resource-reservation.timeline.as')}>
        {['cards', 'timeline'].map((how) => (
          <button key={how} type="button" aria-pressed={asTimeline === (how === 'timeline')} onClick={() => show(how)}>
            {t(`resource-reservation.timeline.as-${how}`)}
          </button>
        ))}
      </div>
      {resources.items ? (
        resources.items.length > 0 && asTimeline ? (
          <Suspense fallback={<Skeleton lines={8} />}>
            <Timeline resources={resources.items} />
          </Suspense>
        ) : resources.items.length > 0 ? (
          <ul className={css.cards}>
            {resources.items.map((resource, at) => (
              <Card key={resource.id} resource={resource} owner={owners.of(resource.data)} early={at < 3} open={open} />
            ))}
          </ul>
        ) : (
          <Empty
            title={t('resource-reservation.none-found')}
            actions={filtered && <Button onClick={clear}>{t('resource-reservation.filter.clear')}</Button>}
          >
            {t('resource-reservation.none-found-help')}
          </Empty>
        )
      ) : resources.error ? (
        <Trouble error={resources.error} onRetry={resources.reload} />
      ) : (
        <CardSkeleton />
      )}
      {resources.more && (
        <div className={css.more}>
          <Button loading={resources.loading} onClick={resources.loadMore}>
            {t('resource-reservation.show-more')}
          </Button>
        </div>
      )}
      <Dialogs owners={owners} known={resources.items ?? []} open={open} />
    </div>
  )
}

interface FiltersProps {
  filter: ResourceFilter
  owners: Owners
  put(values: Partial<ResourceFilter>): void
}

function Filters({ filter, owners, put }: FiltersProps) {
  const { t } = useTexts()
  const types = useTypes()
  const [search, setSearch] = useState(filter.search)
  const managed = [
    ['faculty_id', 'resource-reservation.filter.faculties', owners.faculties],
    ['dep_id', 'resource-reservation.filter.departments', owners.departments],
    ['division_id', 'resource-reservation.filter.divisions', owners.divisions],
  ] as const
  const chosen = managed.map(([name]) => filter[name] && `${name}:${filter[name]}`).find(Boolean) ?? ''

  return (
    <form
      role="search"
      className={css.filters}
      onSubmit={(event) => {
        event.preventDefault()
        put({ search: search.trim() })
      }}
    >
      <div>
        <label htmlFor="filter-type">{t('resource-reservation.filter.type')}</label>
        <PlainSelect
          id="filter-type"
          value={filter.resource_type_id}
          onChange={(event) => put({ resource_type_id: event.target.value })}
        >
          <option value="">{t('resource-reservation.filter.any')}</option>
          {types?.map(({ id, title }) => (
            <option key={id} value={id}>
              {typeName(title, t)}
            </option>
          ))}
        </PlainSelect>
      </div>
      <div>
        <label htmlFor="filter-owner">{t('resource-reservation.filter.managed-by')}</label>
        <PlainSelect
          id="filter-owner"
          value={chosen}
          onChange={(event) => {
            const [name = '', id = ''] = event.target.value.split(':')
            put({ faculty_id: '', dep_id: '', division_id: '', ...(name ? { [name]: id } : {}) })
          }}
        >
          <option value="">{t('resource-reservation.filter.any')}</option>
          {managed.map(([name, label, units]) => (
            <optgroup key={name} label={t(label)}>
              {units.map(({ id, title }) => (
                <option key={id} value={`${name}:${id}`}>
                  {title}
                </option>
              ))}
            </optgroup>
          ))}
        </PlainSelect>
      </div>
      <div className={css.search}>
        <label htmlFor="filter-search">{t('resource-reservation.filter.name')}</label>
        <Input
          id="filter-search"
          type="search"
          value={search}
          placeholder={t('resource-reservation.filter.search-placeholder')}
          onChange={(event) => setSearch(event.target.value)}
        />
      </div>
      <Button htmlType="submit">{t('resource-reservation.filter.search')}</Button>
    </form>
  )
}

interface DialogsProps {
  owners: Owners
  known: Omit<Resource, 'titles'>[]
  open(dialog: Dialog, id: string): void
}

/** The dialog in the address, over the list. */
function Dialogs({ owners, known, open }: DialogsProps) {
  const { t } = useTexts()
  const session = useSession()
  const [params, setParams] = useSearchParams()
  const dialog = dialogs.find((name) => params.has(name))
  const id = dialog ? params.get(dialog) : null
  const listed = known.find((resource) => resource.id === id)
  // The list does not return the titles of what its entries refer to.
  const read = useResource(id && (!listed || dialog === 'view') ? id : null)
  const types = useTypes()

  // The element that opened the dialog gets the focus back when it closes.
  const opener = useRef<Element | null>(null)
  useEffect(() => {
    if (dialog) opener.current ??= document.activeElement
    else if (opener.current) {
      if (opener.current instanceof HTMLElement && opener.current !== document.body) opener.current.focus()
      opener.current = null
    }
  }, [dialog])

  const close = () =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before)
        for (const each of [...dialogs, ...wanted, 'as']) next.delete(each)
        return next
      },
      { replace: true },
    )
  const putGuest = (guest: boolean) =>
    setParams((before) => {
      const next = new URLSearchParams(before)
      if (guest) next.set('as', 'guest')
      else next.delete('as')
      return next
    })

  if (!dialog || !id) return null
  const found = read.data ?? listed
  if (!found) {
    return (
      <Modal open title={t(dialogTitle[dialog])} footer={null} onCancel={close}>
        {read.error ? <Trouble error={read.error} onRetry={() => void read.mutate()} /> : <Skeleton lines={5} />}
      </Modal>
    )
  }
  const owner = owners.of(found.data)
  const type = typeName(types?.find((each) => each.id === found.data.resource_type)?.title, t)
  const props = { resource: found, owner: owner.name, type, close, open }

  const [from, until] = wanted.map((name) => params.get(name) ?? '')
  const guest = session.state === 'out' && params.get('as') === 'guest'
  if (dialog === 'book' && session.state === 'out' && !guest) {
    return (
      <Suspense fallback={null}>
        <AccountDialogs
          expired={session.expired}
          target={`/all_resoures?${params}`}
          why={t(session.expired ? 'resource-reservation.session-over-kept' : 'resource-reservation.account-why', {
            name: found.data.name,
          })}
          {...(session.expired ? {} : { asGuest: () => putGuest(true) })}
          close={close}
        />
      </Suspense>
    )
  }
  return (
    <Suspense fallback={null}>
      {dialog === 'view' && <ViewResource {...props} />}
      {dialog === 'calendar' && <ResourceCalendar {...props} />}
      {dialog === 'book' && (guest || session.state === 'in') && (
        <BookResource
          key={id}
          {...props}
          me={session.state === 'in' ? session.me : undefined}
          signIn={() => putGuest(false)}
          {...(isMoment(from) && isMoment(until) && { wanted: { from, until } })}
        />
      )}
    </Suspense>
  )
}

const isMoment = (text: string | undefined): text is string => !Number.isNaN(Date.parse(text ?? ''))
