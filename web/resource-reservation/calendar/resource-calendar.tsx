import { Button, Modal } from 'antd'
import { useTexts } from '../../platform/kernel/texts/texts.ts'
import type { ResourceDialogProps } from '../catalogue/view-resource.tsx'
import { Subscribe } from './subscribe.tsx'
import { TakenCalendar } from './taken-calendar.tsx'

/** The calendar of a resource, over the list. */
export default function ResourceCalendar({ resource: { id, data }, close, open }: ResourceDialogProps) {
  const { t } = useTexts()
  return (
    <Modal
      open
      centered
      width={1040}
      title={t('resource-reservation.calendar.of', { name: data.name })}
      onCancel={close}
      footer={[
        <Button key="book" type="primary" onClick={() => open('book', id)}>
          {t('resource-reservation.book-resource')}
        </Button>,
      ]}
    >
      <TakenCalendar resource={id} />
      <Subscribe resource={id} name={data.name} />
    </Modal>
  )
}
