import { Button, Input } from 'antd'
import { useState } from 'react'
import { Link } from 'wouter'
import { useRead } from '../../kernel/api/read.ts'
import { addDays, wallClock } from '../../kernel/clock/colombo.ts'
import { useNow } from '../../kernel/clock/now.ts'
import page from '../../kernel/page/page.module.css'
import { onlyIn, type PageProps } from '../../kernel/screens/page.ts'
import NotAllowed from '../../people/session/not-allowed.tsx'
import { Problem } from '../../kernel/client/client.ts'
import { Empty } from '../../kernel/states/empty.tsx'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { Mark } from '../../kernel/status/mark.tsx'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { MoveDialog } from './move-dialog.tsx'
import { MovementsDialog } from './movements-dialog.tsx'
import { useAction } from '../../kernel/states/act.ts'
import { DropDialog } from './drop-dialog.tsx'
import { decide, stockPath, type Act, type Batch, type Shelf, type Stock, type Waiting } from './stock.ts'
import css from './stock.module.css'

/** Days before its end from which a batch is shown as ending soon. */
const SOON_DAYS = 60

/** Consumables by batch: what is usable, what expires, and what moves it. */
export default function StockPage({ title, parameters }: PageProps) {
  const { t } = useTexts()
  const register = String(parameters['register'])
  const batches = String(parameters['batches'])
  const [search, setSearch] = useState('')
  const [act, setAct] = useState<Act>()
  const [shown, setShown] = useState<Batch>()
  const [dropping, setDropping] = useState<{ shelf: Shelf; batch: string; waits: Waiting }>()
  const attempt = useAction()
  const { data, error, mutate } = useRead<Stock>(stockPath(batches, search, onlyIn(parameters)))
  if (error instanceof Problem && error.status === 404) return <NotAllowed />
  return (
    <div className={page.page}>
      <h1>{t(title)}</h1>
      <div className={css['tools']}>
        <Input.Search
          allowClear
          aria-label={t('platform.stock.search')}
          placeholder={t('platform.stock.search')}
          maxLength={100}
          onSearch={setSearch}
        />
        {data?.mayChange && (
          <Link href={`/registers/${register}/new`} asChild>
            <Button>{t('platform.stock.new')}</Button>
          </Link>
        )}
      </div>
      {error && <Trouble error={error} onRetry={() => void mutate()} />}
      {!data && !error && <Skeleton lines={8} />}
      {data?.items.length === 0 && (
        <Empty title={t('platform.stock.no-items')}>{t('platform.stock.no-items-detail')}</Empty>
      )}
      {data?.items.map((shelf) => (
        <OnShelf
          key={shelf.id}
          shelf={shelf}
          mayChange={data.mayChange}
          onAct={setAct}
          onShow={setShown}
          onDrop={(batch, waits) => setDropping({ shelf, batch, waits })}
          onConfirm={async (batch, reduction) => {
            await attempt(() => decide(batches, batch, reduction, { confirmed: true }), t('platform.stock.saved'))
            void mutate()
          }}
        />
      ))}
      {act && (
        <MoveDialog
          register={batches}
          act={act}
          onClose={(moved) => {
            setAct(undefined)
            if (moved) void mutate()
          }}
        />
      )}
      {dropping && (
        <DropDialog
          register={batches}
          {...dropping}
          onClose={(dropped) => {
            setDropping(undefined)
            if (dropped) void mutate()
          }}
        />
      )}
      {shown && <MovementsDialog register={batches} batch={shown} onClose={() => setShown(undefined)} />}
    </div>
  )
}

interface ShelfProps {
  shelf: Shelf
  mayChange: boolean
  onAct(act: Act): void
  onShow(batch: Batch): void
  onConfirm(batch: string, reduction: string): Promise<void>
  onDrop(batch: string, waits: Waiting): void
}

function OnShelf({ shelf, mayChange, onAct, onShow, onConfirm, onDrop }: ShelfProps) {
  const { t } = useTexts()
  const { title, active, unit, usable, least, batches } = shelf
  return (
    <section className={css['shelf']} aria-label={title}>
      <div className={css['head']}>
        <h2>{title}</h2>
        <span className={css['state']}>
          <span>{t('platform.stock.usable', { units: usable, unit: t(unit) })}</span>
          {!active && <Mark is="off">{t('platform.stock.out')}</Mark>}
          {active && usable < least && <Mark is="wanted">{t('platform.stock.low', { least })}</Mark>}
          {mayChange && (
            <>
              {active && (
                <Button onClick={() => onAct({ kind: 'receipts', shelf })}>{t('platform.stock.receive')}</Button>
              )}
              <Button disabled={usable === 0} onClick={() => onAct({ kind: 'issues', shelf })}>
                {t('platform.stock.issue')}
              </Button>
            </>
          )}
        </span>
      </div>
      {batches.length === 0 && <p className={css['soft']}>{t('platform.stock.none')}</p>}
      <ul>
        {batches.map((batch) => (
          <li key={batch.id} className={css['batch']}>
            <span>
              <span>{t('platform.stock.batch', { number: batch.number })}</span>
              <Expiry batch={batch} />
              <span>
                {batch.onHand} {t(unit)}
              </span>
            </span>
            <span>
              <Button type="link" className={css['act']} onClick={() => onShow(batch)}>
                {t('platform.stock.movements')}
              </Button>
              {mayChange && !batch.waits && (
                <>
                  <Button type="link" className={css['act']} onClick={() => onAct({ kind: 'counts', shelf, batch })}>
                    {t('platform.stock.count')}
                  </Button>
                  <Button
                    type="link"
                    className={css['act']}
                    onClick={() => onAct({ kind: 'corrections', shelf, batch })}
                  >
                    {t('platform.stock.correct')}
                  </Button>
                </>
              )}
            </span>
            {batch.waits && (
              <Waits
                waits={batch.waits}
                unit={t(unit)}
                mayChange={mayChange}
                onConfirm={(reduction) => onConfirm(batch.id, reduction)}
                onDrop={(waits) => onDrop(batch.id, waits)}
              />
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

interface WaitsProps {
  waits: Waiting
  unit: string
  mayChange: boolean
  onConfirm(reduction: string): Promise<void>
  onDrop(waits: Waiting): void
}

/** Units that leave once a second person confirms it. */
function Waits({ waits, unit, mayChange, onConfirm, onDrop }: WaitsProps) {
  const { id, units, reason, by, mayConfirm } = waits
  const { t } = useTexts()
  const [busy, setBusy] = useState(false)
  const confirm = async () => {
    setBusy(true)
    await onConfirm(id)
    setBusy(false)
  }
  return (
    <p className={css['waits']}>
      <span>
        {t(mayConfirm || !mayChange ? 'platform.stock.waits' : 'platform.stock.waits-own', { by, units, unit, reason })}
      </span>
      {mayConfirm && (
        <Button type="primary" disabled={busy} onClick={() => void confirm()}>
          {t('platform.stock.confirm')}
        </Button>
      )}
      {mayChange && (
        <Button disabled={busy} onClick={() => onDrop(waits)}>
          {t(mayConfirm ? 'platform.stock.drop' : 'platform.stock.take-back')}
        </Button>
      )}
    </p>
  )
}

function Expiry({ batch: { expiresOn, expired, status } }: { batch: Batch }) {
  const { t } = useTexts()
  const { date } = useFormats()
  const soon = expiresOn <= addDays(wallClock(useNow()).date, SOON_DAYS)
  return (
    <span className={css['state']}>
      <span className={css['soft']}>{t('platform.stock.expires', { day: date(expiresOn) })}</span>
      {expired ? (
        <Mark is="off">{t('platform.stock.expired')}</Mark>
      ) : status !== 'Active' ? (
        <Mark is="off">{t('platform.stock.out')}</Mark>
      ) : (
        soon && <Mark is="wanted">{t('platform.stock.soon')}</Mark>
      )}
    </span>
  )
}
