import { Alert, Button, Checkbox, Progress } from 'antd'
import { useState } from 'react'
import {
  listLines,
  signFromSheet,
  useLines,
  type LineAct,
  type LineFilter,
  type Run,
  type RunLine,
  type Signatures,
} from '../../kernel/api/runs.ts'
import { Choice } from '../../kernel/list/choice.tsx'
import { Search } from '../../kernel/list/search.tsx'
import { useAction } from '../../kernel/states/act.ts'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { useTexts } from '../../kernel/texts/texts.ts'
import { actsOnMany, LineDialog, LineHistory, ManyDialog, type ActOnMany } from './line-dialog.tsx'
import { Line } from './line.tsx'
import css from './run.module.css'

/** The filters of the lines, with their API queries. */
const views: Record<string, LineFilter> = {
  included: { state: 'included' },
  held: { state: 'held' },
  struck: { state: 'struck' },
  'left-out': { state: 'left-out' },
  returned: { state: 'returned' },
  questioned: { questioned: 'true' },
  changed: { changed: 'true' },
  pending: { signature: 'pending' },
}

/** Every line of a run, with filter and search; each act on a line has a dialog. */
export function Lines({ caseId, run }: { caseId: string; run: Run }) {
  const { t } = useTexts()
  const [view, setView] = useState('')
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState<{ line: RunLine; act: LineAct }>()
  const [read, setRead] = useState<RunLine>()
  const filter = { ...views[view], ...(search && { search }) }
  const { items, count, more, loading, error, loadMore, reload } = useLines(caseId, filter)
  return (
    <>
      <div className={`${css['tools']} no-print`}>
        <Choice
          label={t('platform.run.filter')}
          value={view}
          any={t('platform.run.filter-all')}
          options={Object.keys(views).map((value) => ({ value, label: t(`platform.run.filter.${value}`) }))}
          onChange={setView}
        />
        <Search label={t('platform.run.search')} value={search} onSearch={setSearch} />
      </div>
      {error && <Trouble error={error} onRetry={reload} />}
      {!items ? (
        <Skeleton lines={6} />
      ) : items.length === 0 ? (
        <p>{t('platform.run.nobody')}</p>
      ) : (
        <Table
          caseId={caseId}
          run={run}
          items={items}
          filter={filter}
          onAct={(line, act) => setChosen({ line, act })}
          onHistory={setRead}
        />
      )}
      {more && (
        <Button onClick={loadMore} loading={loading}>
          {t('platform.run.more', { shown: items?.length ?? 0, count: count?.more ? '99+' : (count?.value ?? 0) })}
        </Button>
      )}
      {chosen && <LineDialog caseId={caseId} {...chosen} onClose={() => setChosen(undefined)} />}
      {read && <LineHistory caseId={caseId} line={read} onClose={() => setRead(undefined)} />}
    </>
  )
}

/** The lines that are marked, and which of them can be signed or acted on now. */
function useMarked(items: RunLine[]) {
  const [marked, setMarked] = useState<ReadonlyMap<string, RunLine>>(new Map())
  // Lines of other pages are as they were when they were marked.
  const now = [...marked.values()].map((line) => items.find(({ id }) => id === line.id) ?? line)
  const toSign = idsOf(now.filter(isSignable))
  const toMove = idsOf(now.filter(isMovable))
  const mark = (lines: RunLine[]) =>
    setMarked((before) => new Map([...before, ...lines.map((line) => [line.id, line] as const)]))
  const unmark = (ids: string[]) => setMarked((before) => new Map([...before].filter(([id]) => !ids.includes(id))))
  return { marked, toSign, toMove, mark, unmark, unmarkAll: () => setMarked(new Map()) }
}

interface TableProps {
  caseId: string
  run: Run
  items: RunLine[]
  /** What the items are the first of. */
  filter: LineFilter
  onAct(line: RunLine, act: LineAct): void
  onHistory(line: RunLine): void
}

function Table({ caseId, run, items, filter, onAct, onHistory }: TableProps) {
  const { t } = useTexts()
  const attempt = useAction()
  const { marked, toSign, toMove, mark, unmark, unmarkAll } = useMarked(items)
  const [entered, setEntered] = useState<Signatures>()
  const [signing, setSigning] = useState<{ done: number; of: number }>()
  const [onMany, setOnMany] = useState<ActOnMany>()
  const isMarkable = (line: RunLine) => (run.may.sign && isSignable(line)) || (run.may.act && isMovable(line))
  const signable = run.may.sign ? items.filter((line) => isSignable(line)) : []
  const sign = async () => {
    const of = toSign.length
    setSigning({ done: 0, of })
    await attempt(async () => {
      const answer = await signFromSheet(caseId, toSign, (some) => {
        unmark(some)
        setSigning((before) => ({ done: (before?.done ?? 0) + some.length, of }))
      })
      setEntered(answer)
    })
    setSigning(undefined)
  }
  // Those of the pages that are not open yet too.
  const markAll = () =>
    attempt(async () => {
      const all = await listLines(caseId, { ...filter, signature: 'pending' })
      mark(all.filter(isSignable))
    })
  return (
    <>
      {signable.length > 0 && (
        <p className={`${css['tools']} no-print`}>
          <Checkbox
            checked={signable.every(({ id }) => marked.has(id))}
            onChange={({ target }) => (target.checked ? void markAll() : unmarkAll())}
          >
            {t('platform.run.mark-all')}
          </Checkbox>
          <Button disabled={toSign.length === 0} loading={signing !== undefined} onClick={() => void sign()}>
            {t('platform.run.sign-marked', { count: toSign.length })}
          </Button>
        </p>
      )}
      {run.may.act && toMove.length > 0 && (
        <p className={`${css['tools']} no-print`}>
          {actsOnMany.map((one) => (
            <Button key={one} danger={one === 'strike'} onClick={() => setOnMany(one)}>
              {t(`platform.run.act-on-many.${one}`, { count: toMove.length })}
            </Button>
          ))}
        </p>
      )}
      {onMany && (
        <ManyDialog
          caseId={caseId}
          act={onMany}
          lines={toMove}
          onDone={(answer) => {
            unmarkAll()
            setEntered({ signed: answer.done, byCode: [], refused: answer.refused })
          }}
          onClose={() => setOnMany(undefined)}
        />
      )}
      {signing && (
        <Progress
          percent={Math.floor((100 * signing.done) / signing.of)}
          format={() => t('platform.run.signing', { done: signing.done, count: signing.of })}
          aria-label={t('platform.run.signing', { done: signing.done, count: signing.of })}
        />
      )}
      {entered && entered.refused.length > 0 && <Refused of={entered} onClose={() => setEntered(undefined)} />}
      <ul className={css['lines']}>
        {items.map((line) => (
          <Line
            key={line.id}
            line={line}
            run={run}
            marked={isMarkable(line) ? marked.has(line.id) : undefined}
            onMark={(on) => (on ? mark([line]) : unmark([line.id]))}
            onAct={(act) => onAct(line, act)}
            onHistory={() => onHistory(line)}
          />
        ))}
      </ul>
    </>
  )
}

/** The lines on which signatures or an act had no effect: they have changed since. */
function Refused({ of: { signed, refused }, onClose }: { of: Signatures; onClose(): void }) {
  const { t } = useTexts()
  return (
    <Alert
      type="warning"
      role="alert"
      showIcon
      closable={{ onClose }}
      title={t('platform.run.refused', { count: refused.length, done: signed })}
      description={
        <ul className={css['refused']}>
          {refused.map(({ line, name, code, message }) => (
            <li key={line}>
              {name} <small>{code}</small>: {message}
            </li>
          ))}
        </ul>
      }
    />
  )
}

const idsOf = (lines: RunLine[]) => lines.map(({ id }) => id)

/** Whether a line can be held back, released or struck. */
const isMovable = ({ state, own }: RunLine) => !own && (state === 'included' || state === 'held')

function isSignable({ signature, state, own }: RunLine): boolean {
  return signature === 'pending' && !own && state === 'included'
}
