import { Button, Modal } from 'antd'
import { useFormats, type Formats } from '../../platform/kernel/texts/formats.ts'
import { useTexts, type Translate } from '../../platform/kernel/texts/texts.ts'
import css from './catalogue.module.css'
import { Picture } from './picture.tsx'
import { extraLine, priceLine } from './price.ts'
import { pictureOf, type Opening, type Resource, type ResourceData } from './resources.ts'

export interface ResourceDialogProps {
  /** With the names of what it refers to, once loaded. */
  resource: Omit<Resource, 'titles'> & Partial<Pick<Resource, 'titles'>>
  owner: string | undefined
  type: string | undefined
  close(): void
  open(dialog: 'view' | 'calendar' | 'book', id: string): void
}

/** All public fields of a resource; missing values are named. */
export default function ViewResource({
  resource: { id, data, titles = {} },
  owner,
  type,
  close,
  open,
}: ResourceDialogProps) {
  const { t } = useTexts()
  const formats = useFormats()
  const yesNo = (value: boolean | undefined) =>
    value === undefined ? undefined : t(value ? 'resource-reservation.yes' : 'resource-reservation.no')
  const named = (of: string | undefined) => of && titles[of]
  const number = (value: number | undefined) => (value === undefined ? undefined : String(value))
  const field = (name: string) => t(`resource-reservation.field.${name}`)
  const association = [
    data.currently_associated && t('resource-reservation.association.current'),
    data.past_associated && t('resource-reservation.association.past'),
  ].filter(Boolean)

  const groups: [heading: string | undefined, entries: [label: string, value: string | number | undefined][]][] = [
    [
      undefined,
      [
        [field('resource_ref_id'), data.resource_ref_id],
        [field('name'), data.name],
        [field('resource_type'), type],
        [t('resource-reservation.filter.managed-by'), owner],
        [field('parent'), data.parent && named(data.parent)],
        [field('location'), data.location],
        [field('recommending_designation'), named(data.recommending_designation)],
        [field('approval_designation'), named(data.approval_designation) ?? named(data.approval_committee)],
      ],
    ],
    [
      t('resource-reservation.capacities'),
      [
        [field('seating_capacity'), data.seating_capacity],
        [field('theory_lec_capacity'), data.theory_lec_capacity],
        [field('practical_lec_capacity'), data.practical_lec_capacity],
        [field('theory_exam_capacity'), data.theory_exam_capacity],
        [field('practical_exam_capacity'), data.practical_exam_capacity],
        [field('size'), data.size],
      ],
    ],
    [
      t('resource-reservation.usage'),
      [
        [field('internal_use'), yesNo(data.internal_use)],
        [field('external_use'), yesNo(data.external_use)],
        [t('resource-reservation.association'), association.join(', ') || undefined],
        [field('reservation_required'), yesNo(data.reservation_required)],
      ],
    ],
    [
      t('resource-reservation.when'),
      [
        [field('opening_hours'), openingLines(data.opening_hours ?? [], t)],
        [field('outside_hours'), yesNo(data.outside_hours)],
        [field('notice_min_hours'), number(data.notice_min_hours)],
        [field('notice_max_days'), number(data.notice_max_days)],
        [field('length_min_hours'), number(data.length_min_hours)],
        [field('length_max_hours'), number(data.length_max_hours)],
        [field('quota_per_person'), number(data.quota_per_person)],
        [field('blackouts'), closedLines(data, formats)],
      ],
    ],
    [
      t('resource-reservation.costs'),
      [
        [field('cost_applicable'), yesNo(data.cost_applicable)],
        [field('base_cost'), priceLine(data, t, formats)],
        [field('extra_cost'), extraLine(data, t, formats)],
        [field('refundable_deposit'), data.refundable_deposit ? formats.money(data.refundable_deposit) : undefined],
      ],
    ],
  ]

  return (
    <Modal
      open
      centered
      width={760}
      title={t('resource-reservation.view-resource')}
      onCancel={close}
      footer={[
        <Button key="calendar" onClick={() => open('calendar', id)}>
          {t('resource-reservation.resource-calendar')}
        </Button>,
        <Button key="book" type="primary" onClick={() => open('book', id)}>
          {t('resource-reservation.book-resource')}
        </Button>,
      ]}
    >
      <div className={css.view}>
        <Picture src={pictureOf(data, 'medium')} name={data.name} early />
        {data.description && <p>{data.description}</p>}
        {groups.map(([heading, entries]) => (
          <section key={heading ?? ''}>
            {heading && <h3>{heading}</h3>}
            <dl className={css.details}>
              {entries.map(([label, value]) => (
                <div key={label}>
                  <dt>{label}</dt>
                  <dd className={value === undefined || value === '' ? css.missing : undefined}>
                    {value === undefined || value === '' ? t('resource-reservation.not-available') : value}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Modal>
  )
}

const week = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

/** `Monday to Friday 08:00 to 18:00`, a line for each run of days with the same hours. */
function openingLines(hours: readonly Opening[], t: Translate): string {
  if (hours.length === 0) return t('resource-reservation.always-open')
  const runs: { first: string; last: string; times: string }[] = []
  for (const day of week) {
    const times = hours
      .filter((each) => each.day === day)
      .map(({ from, until }) => t('resource-reservation.hours', { from, until }))
      .join(', ')
    const before = runs.at(-1)
    if (before?.times === times) before.last = day
    else runs.push({ first: day, last: day, times })
  }
  const name = (day: string) => t(`resource-reservation.weekday.${day}`)
  return runs
    .filter(({ times }) => times)
    .map(({ first, last, times }) => {
      const days =
        first === last ? name(first) : t('resource-reservation.hours', { from: name(first), until: name(last) })
      return `${days}: ${times}`
    })
    .join('\n')
}

/** Future closures, with reasons. */
function closedLines({ blackouts = [] }: ResourceData, { range }: Formats): string | undefined {
  const ahead = blackouts.filter(({ until }) => Date.parse(until) > Date.now())
  return ahead.map(({ from, until, reason }) => `${range(from, until)}: ${reason}`).join('\n') || undefined
}
