import { Button, Dropdown } from 'antd'
import { useLocation } from 'wouter'
import { useTexts } from '../../kernel/texts/texts.ts'
import { statusName } from '../../kernel/status/item-status.ts'
import { settableOf, type Item, type Register } from './registers.ts'
import { useStatusChange } from './status-change.ts'

interface RowActsProps {
  register: Register
  row: Item
  /** The page of the entry. */
  address: string
  reload(): void
}

/** The actions on an entry in its register's table. */
export function RowActs({ register, row, address, reload }: RowActsProps) {
  const { t } = useTexts()
  const [, navigate] = useLocation()
  const confirm = useStatusChange(register, reload)
  if (register.final.includes(row.status)) return null
  return (
    <Dropdown
      trigger={['click']}
      menu={{
        items: [
          {
            key: 'change',
            label: t('platform.register-page.change'),
            onClick: () => navigate(`${address}${address.includes('?') ? '&' : '?'}change`),
          },
          ...settableOf(register, row).map((each) => ({
            key: each,
            label: t('platform.register-page.set', { status: statusName(each, t) }),
            onClick: () => confirm(row, each),
          })),
        ],
      }}
    >
      <Button type="text" size="small" aria-label={t('platform.register-page.actions-of', { name: row.title })}>
        ⋯
      </Button>
    </Dropdown>
  )
}
