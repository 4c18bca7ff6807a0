import { Alert, App, Button } from 'antd'
import { useLocation } from 'wouter'
import { request } from '../platform/kernel/client/client.ts'
import type { GetDispensing } from '../platform/kernel/client/operations.generated.ts'
import { useRead } from '../platform/kernel/api/read.ts'
import { PageHeader } from '../platform/kernel/page/page-header.tsx'
import page from '../platform/kernel/page/page.module.css'
import type { PageProps } from '../platform/kernel/screens/page.ts'
import { useAct } from '../platform/kernel/states/act.ts'
import { Skeleton } from '../platform/kernel/states/skeleton.tsx'
import { Trouble } from '../platform/kernel/states/trouble.tsx'
import { useFormats } from '../platform/kernel/texts/formats.ts'
import { useTexts } from '../platform/kernel/texts/texts.ts'
import { Sealed } from '../platform/work/register/sealed.tsx'
import { useItem } from '../platform/work/register/registers.ts'
import css from './medical.module.css'

const PRESCRIPTIONS = 'medical/prescription'
const LIST = '/medicalunit/prescriptions'

type Dispensing = GetDispensing['answer']

/** A prescription at the counter: what it takes from stock, and the act that gives it out. */
export default function DispensePage({ title, params }: PageProps) {
  const { t } = useTexts()
  const { day } = useFormats()
  const id = params['id'] ?? ''
  const item = useItem(PRESCRIPTIONS, id)
  const isOpen = (item.data?.sealed?.openUntil ?? null) !== null
  const { data, error, mutate } = useRead<Dispensing>(
    isOpen ? `/api/medical/prescriptions/${encodeURIComponent(id)}/dispensing` : null,
  )
  const problem = item.error ?? error
  return (
    <div className={page.item}>
      <PageHeader
        back={{ href: LIST, title: t('medical.screen.prescriptions') }}
        title={item.data?.owner ? `${t(title)}: ${item.data.owner}` : t(title)}
        about={item.data && <span>{day(String(item.data.data['prescribed_on']))}</span>}
      />
      {problem && <Trouble error={problem} onRetry={() => void mutate()} />}
      {!item.data && !problem && <Skeleton lines={6} />}
      {item.data && <Sealed register={PRESCRIPTIONS} item={item.data} reload={() => item.mutate()} />}
      {isOpen && !data && !problem && <Skeleton lines={4} />}
      {data && <Given id={id} told={data} reload={() => mutate()} />}
    </div>
  )
}

interface GivenProps {
  id: string
  told: Dispensing
  reload: () => Promise<unknown>
}

function Given({ id, told: { lines, mayDispense, status }, reload }: GivenProps) {
  const { t } = useTexts()
  const { message } = App.useApp()
  const [, navigate] = useLocation()
  const { date } = useFormats()
  const { run, busy, refusal } = useAct()
  const unitOf = (unit: string) => t(`medical.item.unit.${unit}`)
  const dispense = async () => {
    const batches = lines.flatMap((line) => line.batches.map(({ batch, units }) => ({ batch, units })))
    const path = `/api/medical/prescriptions/${encodeURIComponent(id)}/dispensing`
    // If something has changed, the nurse sees what it is now.
    if (!(await run(() => request('POST', path, { body: { batches } })))) return void reload()
    void message.success(t('medical.dispense.done'))
    navigate(LIST)
  }
  return (
    <>
      {status === 'Waiting' && <p className={css['soft']}>{t('medical.dispense.about')}</p>}
      <ul className={css['lines']}>
        {lines.map(({ item, title, dose, units, unit, left, batches }) => (
          <li key={`${item} ${dose}`}>
            <span className={css['line']}>
              <strong>{title}</strong>
              <span>{t('medical.dispense.units', { units, unit: unitOf(unit) })}</span>
            </span>
            {dose && <span className={css['soft']}>{dose}</span>}
            {batches.map(({ number, expiresOn, units: some }) => (
              <span key={number} className={css['soft']}>
                {some} · {t('medical.dispense.batch', { number, expires: date(expiresOn) })}
              </span>
            ))}
            {status === 'Waiting' && left !== null && (
              <span className={css['short']}>{t('medical.dispense.short', { left })}</span>
            )}
          </li>
        ))}
      </ul>
      {refusal && <Alert type="error" role="alert" title={refusal} />}
      {mayDispense && (
        <div className={page.acts}>
          <Button
            type="primary"
            loading={busy}
            disabled={lines.some(({ left }) => left !== null)}
            onClick={() => void dispense()}
          >
            {t('medical.dispense.act')}
          </Button>
        </div>
      )}
    </>
  )
}
