import { Input } from 'antd'
import { useId, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { Problem } from '../../kernel/client/client.ts'
import { PageHeader } from '../../kernel/page/page-header.tsx'
import page from '../../kernel/page/page.module.css'
import { usePageTitle } from '../../kernel/page/title.ts'
import { at } from '../../kernel/record/fields.ts'
import type { PageProps } from '../../kernel/screens/page.ts'
import { Empty } from '../../kernel/states/empty.tsx'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { CodeField } from './code-field.tsx'
import {
  createItem,
  fieldWithin,
  isInUse,
  registerOf,
  useItem,
  useItems,
  useRegister,
  type Item,
  type Register,
} from './registers.ts'
import css from './tally.module.css'

/** Number of things counted last that are listed; a wrong one is withdrawn on its own page. */
const LATEST = 10

/**
 * Counts things by their codes, one after the other: each becomes an entry of the register, within the entry of the
 * address. What the page does not ask is changed in the entry.
 */
export default function Tally(props: PageProps) {
  const { params, parameters } = props
  const rows = useRegister(registerOf(props))
  const fields = rows.data?.item.properties ?? {}
  const within = fieldWithin(parameters) ?? ''
  const counts = String(parameters['counts']).slice(1)
  // The register of the rows stands in until it is read and says which ones they are.
  const registerAt = (name: string) => String(fields[name]?.['x-register'] ?? registerOf(props))
  const of = useItem(registerAt(within), rows.data && params['id'])
  const ofRegister = useRegister(registerAt(within))
  const things = useRegister(registerAt(counts))
  const failed = [rows, of, ofRegister, things].find(({ error }) => error)
  return (
    <div className={page.item}>
      {failed ? (
        <Trouble error={failed.error} onRetry={() => void failed.mutate()} />
      ) : rows.data && of.data && ofRegister.data && things.data ? (
        <Counting
          rows={rows.data}
          things={things.data}
          of={of.data}
          reload={() => of.mutate()}
          isOpen={isInUse(ofRegister.data, of.data.status)}
          title={props.title}
          fields={{ within, counts, code: asked(parameters['code']), keeps: asked(parameters['keeps']) }}
        />
      ) : (
        <Skeleton lines={6} />
      )}
    </div>
  )
}

const asked = (pointer: unknown): string => String(pointer).slice(1)

interface CountingProps {
  /** Of what is counted. */
  rows: Register
  things: Register
  /** The entry within which one counts, in use as long as it is open. */
  of: Item
  isOpen: boolean
  /** Reads it again. */
  reload(): Promise<unknown>
  /** Text key. */
  title: string
  /** Fields of a row: the count, the thing, its code, and what is said of each until it is changed. */
  fields: { within: string; counts: string; code: string; keeps: string }
}

function Counting({ rows, things, of, isOpen, reload, title, fields }: CountingProps) {
  const { t } = useTexts()
  const { count: shown } = useFormats()
  const [path] = useLocation()
  const id = useId()
  const [inUse = ''] = rows.statuses
  const counted = useItems(rows.register, { status: inUse, filters: { [fields.within]: of.id } })
  const [also, setAlso] = useState('')
  const [came, setCame] = useState('')
  const [latest, setLatest] = useState<{ id: string; title: string }[]>([])
  usePageTitle(t(title))
  const count = async (thing: Item) => {
    const row = {
      [fields.within]: of.id,
      [fields.counts]: thing.id,
      [fields.code]: at(thing.data, things.codeField ?? '/'),
      ...(also.trim() !== '' && { [fields.keeps]: also.trim() }),
    }
    try {
      const made = await createItem(rows.register, row)
      setLatest((all) => [{ id: made.id, title: thing.title }, ...all].slice(0, LATEST))
    } catch (error) {
      const wrong = error instanceof Problem ? error.errors[0] : undefined
      if (wrong === undefined) throw error
      // Somebody else may have ended it meanwhile.
      if (wrong.field === `/${fields.within}`) await reload()
      else setCame(`${thing.title}: ${wrong.message}`)
      return
    }
    setCame(t('platform.tally.done', { name: thing.title }))
    counted.reload()
  }
  const property = rows.item.properties?.[fields.keeps]
  return (
    <>
      <PageHeader
        back={{ href: path.replace(/\/[^/]+$/, ''), title: of.title }}
        title={t(title)}
        count={counted.count && t('platform.tally.counted', { shown: shown(counted.count) })}
      />
      {isOpen ? (
        <>
          <div className={css['scan']}>
            <CodeField
              register={things}
              onFound={count}
              counting={{ came, failed: (code) => t('platform.tally.failed', { code }) }}
            />
          </div>
          <div className={css['also']}>
            <label htmlFor={id}>{t(property?.title ?? fields.keeps)}</label>
            <Input
              id={id}
              value={also}
              maxLength={property?.maxLength}
              aria-describedby={`${id}-help`}
              onChange={({ target }) => setAlso(target.value)}
            />
            <p id={`${id}-help`}>{t('platform.tally.also')}</p>
          </div>
        </>
      ) : (
        <Empty title={t('platform.tally.over', { name: of.title })} />
      )}
      {isOpen && latest.length === 0 && counted.items?.length === 0 && (
        <Empty title={t('platform.tally.none')}>{t('platform.tally.none-detail')}</Empty>
      )}
      {latest.length > 0 && (
        <>
          <h2>{t('platform.tally.latest')}</h2>
          <ul className={css['latest']}>
            {latest.map((one) => (
              <li key={one.id}>
                <Link href={`/registers/${rows.register}/${one.id}`}>{one.title}</Link>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}
