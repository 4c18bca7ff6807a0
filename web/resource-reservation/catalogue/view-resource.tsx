import { Button, Modal } from 'antd'
import { useFormats } from '../../platform/texts/formats.ts'
import { useTexts } from '../../platform/texts/texts.ts'
import css from './catalogue.module.css'
import { Picture } from './picture.tsx'
import { extraLine, priceLine } from './price.ts'
import { pictureOf, type Resource } from './resources.ts'

/** What a dialog about a resource is given. */
export interface ResourceDialogProps {
  resource: Omit<Resource, 'titles'>
  owner: string | undefined
  type: string | undefined
  close(): void
  open(dialog: 'view' | 'calendar' | 'book', id: string): void
}

/** Everything the public may know of a resource; what is missing says so. */
export default function ViewResource({ resource: { id, data }, owner, type, close, open }: ResourceDialogProps) {
  const { t } = useTexts()
  const formats = useFormats()
  const yesNo = (value: boolean | undefined) =>
    value === undefined ? undefined : t(value ? 'resource-reservation.yes' : 'resource-reservation.no')
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
        [field('location'), data.location],
        [field('recommending_designation'), data.recommending_designation],
        [field('approval_designation'), data.approval_designation ?? data.approval_committee],
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
