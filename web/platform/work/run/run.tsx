import { Alert, App, Button } from 'antd'
import { exportRun, printRun, rereadRun, useRun, type Run } from '../../kernel/api/runs.ts'
import { useDownload } from '../../kernel/files/download.ts'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { Lines } from './lines.tsx'
import { Cheques } from './cheques.tsx'
import { Scan } from './scan.tsx'
import css from './run.module.css'

/** The payments of a case in one run: total, excluded students with reasons, and every line. */
export default function RunOfCase({ caseId }: { caseId: string }) {
  const { t } = useTexts()
  const { data, error, mutate } = useRun(caseId)
  if (error) return error.status === 404 ? null : <Trouble error={error} onRetry={() => void mutate()} />
  if (!data) return <Skeleton lines={6} />
  return (
    <section className={css['run']} aria-labelledby="run">
      <h2 id="run">{t('platform.run.title')}</h2>
      <Totals run={data} />
      <LeftOut run={data} />
      <Shared run={data} />
      {data.may.sign && <Scan caseId={caseId} />}
      <Lines caseId={caseId} run={data} />
      <Sheets caseId={caseId} run={data} />
    </section>
  )
}

function Totals({ run }: { run: Run }) {
  const { t } = useTexts()
  const { money, month } = useFormats()
  const { total, lines, returned, counts, signing } = run
  return (
    <>
      <p className={css['total']}>
        <strong>{money(total)}</strong> <span>{t('platform.run.of-lines', { count: lines })}</span>
      </p>
      <p className={css['words']}>{run.totalInWords}</p>
      <p className={css['facts']}>
        {[
          `${run.scheme}, ${month(run.month)}`,
          t('platform.run.paid-from', { account: run.paidFrom }),
          t(`platform.run.method.${run.method}`),
          signing && run.state === 'open' ? t('platform.run.signed-of', { signed: counts.signed, count: lines }) : '',
          counts.questioned > 0 ? t('platform.run.open-questions', { count: counts.questioned }) : '',
          returned > 0 ? t('platform.run.returned-sum', { amount: money(returned) }) : '',
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {run.agreed.length > 0 && (
        <p className={css['facts']}>
          {t('platform.run.agreed', { desks: run.agreed.map(({ name }) => name).join(', ') })}
        </p>
      )}
    </>
  )
}

function LeftOut({ run }: { run: Run }) {
  const { t } = useTexts()
  const { leftOut } = run.counts
  if (leftOut.length === 0) return null
  return (
    <p className={css['facts']}>
      {t('platform.run.left-out')}{' '}
      {leftOut.map(({ reason, count }) => `${t(`platform.run.left-out.${reason}`)} (${count})`).join(', ')}
    </p>
  )
}

/** Who has the bank account of somebody else: each line has a question that is answered before a desk agrees. */
function Shared({ run: { state, counts } }: { run: Run }) {
  const { t } = useTexts()
  if (state !== 'open' || counts.shared === 0) return null
  return (
    <Alert
      className={css['shared'] ?? ''}
      type="warning"
      showIcon
      title={t('platform.run.shared', { count: counts.shared })}
    />
  )
}

/** Downloads of the run. */
function Sheets({ caseId, run }: { caseId: string; run: Run }) {
  const { t } = useTexts()
  const { busy, download } = useDownload()
  const take = (sheet: string, format: 'csv' | 'xlsx') => download(() => exportRun(caseId, sheet, format))
  // From then on payments can come back.
  const takeBankFile = async () => {
    await take('bank-file', 'csv')
    await rereadRun(caseId)
  }
  const { modal } = App.useApp()
  const { moment } = useFormats()
  const askForBankFile = (at: string) =>
    modal.confirm({
      title: t('platform.run.bank-file-again', { at: moment(at) }),
      content: t('platform.run.bank-file-again-detail'),
      okText: t('platform.run.sheet.bank-file'),
      cancelText: t('platform.cancel'),
      onOk: takeBankFile,
    })
  return (
    <p className={`${css['sheets']} no-print`}>
      <Button onClick={() => void take('lines', 'xlsx')}>{t('platform.run.sheet.lines')}</Button>
      <Button onClick={() => void take('annexure', 'xlsx')}>{t('platform.run.sheet.annexure')}</Button>
      {run.signing && run.state === 'open' && (
        <Button loading={busy} onClick={() => void download(() => printRun(caseId, 'signing-sheet'))}>
          {t('platform.run.paper.signing-sheet')} (PDF)
        </Button>
      )}
      <Button loading={busy} onClick={() => void download(() => printRun(caseId, 'annexure'))}>
        {t('platform.run.paper.annexure')} (PDF)
      </Button>
      <Cheques caseId={caseId} run={run} />
      {run.may.bankFile && (
        <Button onClick={() => void (run.bankFileAt ? askForBankFile(run.bankFileAt) : takeBankFile())}>
          {t('platform.run.sheet.bank-file')}
        </Button>
      )}
      {run.may.bankFile && run.bankFileAt && (
        <small>{t('platform.run.bank-file-taken', { at: moment(run.bankFileAt) })}</small>
      )}
    </p>
  )
}
