import { Link } from 'wouter'
import { withQuery } from '../../kernel/client/client.ts'
import { useRead } from '../../kernel/api/read.ts'
import type { Page } from '../../kernel/client/types.ts'
import { usePost, usePosts, type PostRow } from '../../people/people/people.ts'
import { at } from '../../kernel/record/fields.ts'
import { useMe } from '../../kernel/session/session.ts'
import { Picture } from '../../kernel/files/picture.tsx'
import { Mark } from '../../kernel/status/mark.tsx'
import { statusName } from '../../kernel/status/item-status.ts'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { usePlain } from './plain.ts'
import css from './related.module.css'
import { isInUse, useRegister, type Item, type Register } from './registers.ts'

const POSTS = 'platform/post'
/** Registers whose entries have a head. */
const HEADED = ['faculty', 'department', 'division']
/** Entries shown per kind; a link leads to the rest. */
const MAX_SHOWN = 8

/** Entries that refer to an entry, in short lists. Posts are shown with their holders. */
export default function Related({
  register: { register, related },
  only,
  id,
  mine,
}: {
  register: Register
  /** The registers whose entries are shown; all by default. */
  only?: readonly string[] | undefined
  id: string
  /** The entry is about the reader, who then sees those about them that name it. */
  mine: boolean
}) {
  const me = useMe()
  const seesPosts = me.groups.includes('roleSetup') || me.seesAll
  const shown = only ? related.filter((one) => only.includes(one.register)) : related
  const kind = register.slice(register.indexOf('/') + 1)
  return (
    <div className={css.related}>
      {register === POSTS && seesPosts && <OwnHolder id={id} />}
      {shown.map((one) =>
        one.register === POSTS && seesPosts ? (
          <Posts key={one.register} {...one} id={id} kind={kind} />
        ) : (
          <Short key={one.register} {...one} id={id} mine={mine} />
        ),
      )}
    </div>
  )
}

function Short({
  register,
  field,
  title,
  columns = [],
  picture,
  states = false,
  id,
  mine = false,
}: Register['related'][number] & { id: string; mine?: boolean }) {
  const { t } = useTexts()
  const { count } = useFormats()
  const of = useRegister(register).data
  const code = of?.codeField
  const name = field.slice(1)
  const { data, error } = useRead<Page<Item>>(
    withQuery(`/api/registers/${register}/items`, {
      [`filter.${name}`]: id,
      inUse: !states || undefined,
      limit: MAX_SHOWN,
      mine: mine || undefined,
    }),
  )
  const plain = usePlain()(data?.titles ?? {})
  if (error || data?.items.length === 0) return null
  const beside = ({ data: values }: Item) =>
    columns.map((pointer) => plain(of?.item.properties?.[pointer.slice(1)] ?? {}, at(values, pointer))).filter(Boolean)
  return (
    <section>
      <h2>
        {t(title)} {data?.count && <span className={css.count}>{count(data.count)}</span>}
      </h2>
      {data ? (
        <ul>
          {data.items.map((item) => (
            <li key={item.id}>
              {picture && <Pictured id={at(item.data, picture)} of={item.title} />}
              <Link href={`/registers/${register}/${item.id}`}>{item.title}</Link>{' '}
              {states && of && <Mark is={isInUse(of, item.status) ? 'on' : 'off'}>{statusName(item.status, t)}</Mark>}{' '}
              {code && code !== of.titleField && <small>{String(at(item.data, code) ?? '')}</small>}{' '}
              {columns.length > 0 && <small>{beside(item).join(' · ')}</small>}
            </li>
          ))}
        </ul>
      ) : (
        <Skeleton lines={3} />
      )}
      {data?.next && (
        <p>
          <Link href={withQuery(`/registers/${register}`, { [name]: id })}>
            {t('platform.register-page.related-all')}
          </Link>
        </p>
      )}
    </section>
  )
}

/** The picture of an entry, if it has one. */
function Pictured({ id, of }: { id: unknown; of: string }) {
  return typeof id === 'string' && <Picture id={id} alt={of} className={css.picture} />
}

/** The posts of a unit, its head first. */
function Posts({ kind, ...related }: Register['related'][number] & { id: string; kind: string }) {
  const { t } = useTexts()
  const unit = `${kind}:${related.id}`
  const { items, more, error } = usePosts({ unit })
  const mayMake = useRegister(POSTS).data?.mayCreate
  const own = items?.filter(({ scope }) => scope && `${scope.kind}:${scope.id}` === unit)
  if (error) return <Short {...related} />
  const headless = own && !more && mayMake && HEADED.includes(kind) && !own.some(({ head }) => head)
  if (own?.length === 0 && !headless) return null
  return (
    <section>
      <h2>{t(related.title)}</h2>
      {own ? (
        <ul>
          {own
            .toSorted((a, b) => Number(b.head) - Number(a.head))
            .map((post) => (
              <li key={post.id}>
                <Link href={`/posts/${post.id}`}>{post.title}</Link>
                <Holders post={post} />
              </li>
            ))}
        </ul>
      ) : (
        <Skeleton lines={3} />
      )}
      {headless && (
        <p>
          {t('platform.register-page.no-head')}{' '}
          <Link href={withQuery(`/registers/${POSTS}/new`, { [kind]: related.id, head: true })}>
            {t('platform.register-page.make-head')}
          </Link>
        </p>
      )}
    </section>
  )
}

function OwnHolder({ id }: { id: string }) {
  const { t } = useTexts()
  const { data } = usePost(id)
  if (!data) return null
  return (
    <section>
      <h2>{t('platform.posts.holder')}</h2>
      <Holders post={data} />
      <p>
        <Link href={`/posts/${id}`}>{t('platform.screen.post')}</Link>
      </p>
    </section>
  )
}

function Holders({ post: { holder, acting } }: { post: Pick<PostRow, 'holder' | 'acting'> }) {
  const { t } = useTexts()
  const held = [holder, acting].filter((one) => one !== null)
  if (held.length === 0) return <span className={css.vacant}>{t('platform.register-page.vacant')}</span>
  return held.map(({ holderId, account }) => (
    <Link key={holderId} className={css.holder ?? ''} href={`/people/${account.id}`}>
      {account.name}
    </Link>
  ))
}
