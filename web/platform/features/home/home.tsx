import { Button, Input } from 'antd'
import { useEffect, useState } from 'react'
import { Link, useLocation, useSearchParams } from 'wouter'
import { usePublicItems, type PublicItem } from '../../kernel/api/public-items.ts'
import type { HomeEntry } from '../../kernel/screens/match.ts'
import { screens } from '../../kernel/screens/screens.ts'
import { useSession } from '../../kernel/session/session.ts'
import { Empty } from '../../kernel/states/empty.tsx'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { Coming } from './coming.tsx'
import css from './home.module.css'

/** Rows shown per kind of result. */
const shown = 6
/** Delay between the last key and the search, in milliseconds. */
const pause = 200

type Entry = HomeEntry & { route: string }
type Searched = Entry & { search: NonNullable<HomeEntry['search']> }

const entries = screens
  .flatMap<Entry>(({ route, home, built }) => (home && built ? [{ ...home, route }] : []))
  .sort((a, b) => a.order - b.order)
const searched = entries.filter((entry): entry is Searched => entry.search !== undefined)
const ways = entries.filter(({ search }) => search === undefined)

/** /public/home: what a visitor can do here, search first. Its entries come from the screens that declare `home`. */
export default function Home() {
  const { t } = useTexts()
  const session = useSession()
  const [, navigate] = useLocation()
  const [params, setParams] = useSearchParams()
  const words = params.get('search') ?? ''
  const [typed, setTyped] = useState(words)

  useEffect(() => {
    if (typed.trim() === words) return undefined
    const waiting = setTimeout(() => setParams(typed.trim() ? { search: typed.trim() } : {}, { replace: true }), pause)
    return () => clearTimeout(waiting)
  }, [typed, words, setParams])

  // No sign-in link for people who are signed in.
  const offered = ways.filter(({ route }) => session.state !== 'in' || !route.startsWith('/session/'))
  return (
    <div className={css['home']}>
      <header>
        <h1>{t('platform.home.title')}</h1>
        <p>{t('platform.home.intro')}</p>
        <form
          role="search"
          onSubmit={(event) => {
            event.preventDefault()
            const [first] = searched
            if (first) navigate(allOf(first, typed.trim()))
          }}
        >
          <label htmlFor="home-search">{t('platform.home.search-label')}</label>
          <div>
            <Input
              id="home-search"
              type="search"
              size="large"
              value={typed}
              placeholder={t('platform.home.example')}
              onChange={({ target }) => setTyped(target.value)}
            />
            <Button type="primary" size="large" htmlType="submit">
              {t('platform.home.search')}
            </Button>
          </div>
        </form>
      </header>
      <div className={css['found']}>
        {searched.map((entry) => (
          <Found key={entry.route} entry={entry} words={words} />
        ))}
      </div>
      <div className={css['side']}>
        {offered.length > 0 && (
          <nav className={css['ways']} aria-labelledby="home-ways">
            <h2 id="home-ways">{t('platform.home.ways')}</h2>
            <ul>
              {offered.map(({ route, title, detail }) => (
                <li key={route}>
                  <Link href={route}>
                    <strong>{t(title)}</strong>
                    <span>{t(detail)}</span>
                  </Link>
                </li>
              ))}
            </ul>
          </nav>
        )}
        {searched.map(
          ({ route, search: { register, calendar } }) =>
            calendar && <Coming key={route} register={register} calendar={calendar} />,
        )}
      </div>
    </div>
  )
}

const allOf = ({ route, search }: Searched, words: string) =>
  words ? search.all.replace('{words}', encodeURIComponent(words)) : route

/** The search results of one screen. */
function Found({ entry, words }: { entry: Searched; words: string }) {
  const { t } = useTexts()
  const { count } = useFormats()
  const { data, error, mutate } = usePublicItems(entry.search.register, words, shown)
  return (
    <section aria-labelledby={`home${entry.route}`}>
      <h2 id={`home${entry.route}`}>
        <Link href={allOf(entry, words)}>{t(entry.title)}</Link> {data?.count && <small>{count(data.count)}</small>}
      </h2>
      <p>{t(entry.detail)}</p>
      <p role="status" className="visually-hidden">
        {data?.count && t('platform.home.found', { title: t(entry.title), shown: count(data.count) })}
      </p>
      {error && !data ? (
        <Trouble error={error} onRetry={() => void mutate()} />
      ) : !data ? (
        <Rows />
      ) : data.items.length === 0 ? (
        <Empty title={t('platform.home.none', { words })}>{t('platform.home.none-detail')}</Empty>
      ) : (
        <ul className={css['rows']}>
          {data.items.map((item, at) => (
            <Row key={item.id} entry={entry} item={item} titles={data.titles ?? {}} early={at < 4} />
          ))}
        </ul>
      )}
      <Link href={allOf(entry, '')} className={css['all']}>
        {t('platform.home.all')}
      </Link>
    </section>
  )
}

/** As high as the results, so that nothing below moves when they arrive. */
const Rows = () => (
  <>
    <div className="visually-hidden">
      <Skeleton lines={0} />
    </div>
    <ul className={css['rows']} aria-hidden="true">
      {Array.from({ length: shown }, (_, row) => (
        <li key={row}>
          <div>
            <i />
          </div>
        </li>
      ))}
    </ul>
  </>
)

interface RowProps {
  entry: Searched
  item: PublicItem
  titles: Record<string, string>
  /** Above the fold, so its picture loads eagerly. */
  early: boolean
}

function Row({ entry: { search }, item, titles, early }: RowProps) {
  const facts = (search.facts ?? []).flatMap((name) => {
    const value = item.data[name]
    return typeof value === 'string' && value ? [titles[value] ?? value] : []
  })
  const pictures = search.picture ? item.data[search.picture] : undefined
  const last: unknown = Array.isArray(pictures) ? pictures.at(-1) : undefined
  const picture = typeof last === 'string' ? last : undefined
  return (
    <li>
      <Link href={search.item.replace('{id}', encodeURIComponent(item.id))}>
        {picture ? (
          <img
            src={`/api/files/${encodeURIComponent(picture)}?size=small`}
            alt=""
            width={120}
            height={80}
            loading={early ? 'eager' : 'lazy'}
          />
        ) : (
          <i />
        )}
        <strong>{item.title}</strong>
        <span>{facts.join(' · ')}</span>
      </Link>
    </li>
  )
}
