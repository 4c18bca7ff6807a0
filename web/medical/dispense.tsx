import { Alert, App, Button, Input, Radio } from 'antd'
import { useState } from 'react'
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

type Choice = 'give' | 'later' | 'refuse'

/** What a nurse has chosen for the lines of a version, by their place in it. */
interface Chosen {
  version: number
  choices: Readonly<Record<number, Choice>>
  reasons: Readonly<Record<number, string>>
}

function Given({ id, told: { lines, parts, version, mayDispense, status, advice, allergies }, reload }: GivenProps) {
  const { t } = useTexts()
  const { message } = App.useApp()
  const [, navigate] = useLocation()
  const { date, moment } = useFormats()
  const { run, busy, refusal } = useAct()
  const none: Chosen = { version, choices: {}, reasons: {} }
  const [chosen, setChosen] = useState(none)
  const { choices, reasons } = chosen.version === version ? chosen : none
  const [unsaid, setUnsaid] = useState(false)
  const unitOf = (unit: string) => t(`medical.item.unit.${unit}`)
  const open = lines.map((line, at) => ({ ...line, at, now: line.left ?? line.units })).filter(({ units }) => units > 0)
  const choiceOf = ({ at, now }: { at: number; now: number }): Choice => choices[at] ?? (now > 0 ? 'give' : 'later')
  const given = open.filter((line) => choiceOf(line) === 'give' && line.now > 0)
  const refused = open.filter((line) => choiceOf(line) === 'refuse')
  const dispense = async () => {
    const refuse = refused.map(({ at }) => ({ line: at, reason: (reasons[at] ?? '').trim() }))
    setUnsaid(refuse.some(({ reason }) => reason === ''))
    if (refuse.some(({ reason }) => reason === '')) return
    const give = given.map(({ at, now }) => ({ line: at, units: now }))
    const path = `/api/medical/prescriptions/${encodeURIComponent(id)}/dispensing`
    const whole = open.every((line) => choiceOf(line) === 'refuse' || (choiceOf(line) === 'give' && line.left === null))
    const body = { version, give, refuse, batches: inHand(lines, given) }
    // If something has changed, the nurse sees what it is now, and chooses again.
    if (!(await run(() => request('POST', path, { body })))) {
      setChosen(none)
      return void reload()
    }
    void message.success(t(whole ? 'medical.dispense.done' : 'medical.dispense.part-done'))
    navigate(LIST)
  }
  return (
    <>
      {status === 'Waiting' && <p className={css['soft']}>{t('medical.dispense.about')}</p>}
      {allergies && <Alert type="warning" role="note" title={t('medical.patient.allergies')} description={allergies} />}
      {advice && <Alert type="info" role="note" title={t('medical.prescription.advice')} description={advice} />}
      <ul className={css['lines']}>
        {lines.map(({ item, title, dose, days, units, unit, left, given: before, refused: why, batches }, at) => (
          <li key={`${item} ${dose} ${at}`}>
            <span className={css['line']}>
              <strong>{title}</strong>
              {units > 0 && <span>{t('medical.dispense.units', { units, unit: unitOf(unit) })}</span>}
            </span>
            {dose && (
              <span className={css['soft']}>
                {days === null ? dose : `${dose} · ${t('platform.duration.days', { count: days })}`}
              </span>
            )}
            {status === 'Waiting' && before > 0 && (
              <span className={css['soft']}>{t('medical.dispense.given', { units: before, unit: unitOf(unit) })}</span>
            )}
            {why !== null && <span className={css['soft']}>{t('medical.dispense.refused', { reason: why })}</span>}
            {batches.map(({ number, expiresOn, units: some }) => (
              <span key={number} className={css['soft']}>
                {some} · {t('medical.dispense.batch', { number, expires: date(expiresOn) })}
              </span>
            ))}
            {status === 'Waiting' && units > 0 && left !== null && (
              <span className={css['short']}>
                {t('medical.dispense.short', { left })}
                {left > 0 && `. ${t('medical.dispense.now', { units: left, unit: unitOf(unit) })}`}
              </span>
            )}
            {mayDispense && units > 0 && (
              <Radio.Group
                aria-label={t('medical.dispense.choice', { title })}
                value={choiceOf({ at, now: left ?? units })}
                onChange={({ target }) =>
                  setChosen({ version, reasons, choices: { ...choices, [at]: choiceNamed(target.value) } })
                }
              >
                <Radio value="give" disabled={left === 0}>
                  {t('medical.dispense.give')}
                </Radio>
                <Radio value="later">{t('medical.dispense.later')}</Radio>
                <Radio value="refuse">{t('medical.dispense.refuse')}</Radio>
              </Radio.Group>
            )}
            {mayDispense && units > 0 && choices[at] === 'refuse' && (
              <Input
                aria-label={t('medical.dispense.reason', { title })}
                placeholder={t('medical.dispense.reason', { title })}
                maxLength={300}
                value={reasons[at] ?? ''}
                status={unsaid && !reasons[at]?.trim() ? 'error' : ''}
                onChange={({ target }) => setChosen({ version, choices, reasons: { ...reasons, [at]: target.value } })}
              />
            )}
          </li>
        ))}
      </ul>
      {parts.length > 0 && (
        <ul className={css['soft']}>
          {parts.map(({ title, units, refused: why, by, at }, place) => (
            <li key={`${title} ${at} ${place}`}>
              {t(why === null ? 'medical.dispense.part' : 'medical.dispense.part-refused', {
                ...{ title, units, by: by ?? '–', at: moment(at) },
                ...(why !== null && { reason: why }),
              })}
            </li>
          ))}
        </ul>
      )}
      {unsaid && <Alert type="error" role="alert" title={t('medical.dispense.reason-missing')} />}
      {refusal && <Alert type="error" role="alert" title={refusal} />}
      {mayDispense && (
        <div className={page.acts}>
          <Button
            type="primary"
            loading={busy}
            disabled={given.length + refused.length === 0}
            onClick={() => void dispense()}
          >
            {t('medical.dispense.act')}
          </Button>
        </div>
      )}
    </>
  )
}

const choiceNamed = (value: unknown): Choice => (value === 'later' || value === 'refuse' ? value : 'give')

/** The batches that are taken for some lines: of each thing, what expires first goes first, whichever line is given. */
function inHand(lines: Dispensing['lines'], given: readonly { item: string; now: number }[]) {
  return [...Map.groupBy(given, ({ item }) => item)].flatMap(([item, some]) => {
    let open = some.reduce((sum, { now }) => sum + now, 0)
    const batches = lines.filter((line) => line.item === item).flatMap((line) => line.batches)
    return batches.flatMap(({ batch, units }) => {
      const taken = Math.min(open, units)
      open -= taken
      return taken > 0 ? [{ batch, units: taken }] : []
    })
  })
}
