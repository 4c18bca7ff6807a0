import { Modal } from 'antd'
import { useState } from 'react'
import { useRead } from '../../kernel/api/read.ts'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { movementsPath, type Batch, type Movements } from './stock.ts'
import css from './stock.module.css'

/** What moved a batch, the newest first. */
export function MovementsDialog({ register, batch, onClose }: { register: string; batch: Batch; onClose(): void }) {
  const { t } = useTexts()
  const { moment } = useFormats()
  const [open, setOpen] = useState(true)
  const { data, error, mutate } = useRead<Movements>(movementsPath(register, batch.id))
  return (
    <Modal
      open={open}
      footer={null}
      width={640}
      title={`${t('platform.stock.movements')} · ${t('platform.stock.batch', { number: batch.number })}`}
      onCancel={() => setOpen(false)}
      afterClose={onClose}
    >
      {error && <Trouble error={error} onRetry={() => void mutate()} />}
      {!data && !error && <Skeleton lines={4} />}
      {data && (
        <table className={css['moves']}>
          <tbody>
            {data.items.map(({ id, kind, units, reason, by, confirmedBy, dropped, at }) => (
              <tr key={id}>
                <td className={css['units']}>
                  {dropped ? <s>{`−${-units}`}</s> : units > 0 ? `+${units}` : `−${-units}`}
                </td>
                <td>
                  {t(`platform.stock.kind.${kind}`)}
                  <br />
                  <span className={css['soft']}>{reason}</span>
                  {dropped && <div>{t('platform.stock.dropped', dropped)}</div>}
                </td>
                <td className={css['soft']}>
                  {moment(at)}
                  <br />
                  {confirmedBy ? t('platform.stock.by-two', { by: by ?? '', confirmedBy }) : by}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Modal>
  )
}
