import { useAction } from '../../kernel/states/act.ts'
import { useConfirm } from '../../kernel/states/confirm.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { statusName } from '../../kernel/status/item-status.ts'
import { setItemStatus, settingDetail, type Item, type Register } from './registers.ts'

/** Changes the status of an entry after a confirmation; reloads the entry whether or not that succeeded. */
export function useStatusChange(
  register: Pick<Register, 'register' | 'title' | 'statuses' | 'final'>,
  reload: () => unknown,
): (item: Item, status: string) => void {
  const { t } = useTexts()
  const attempt = useAction()
  const confirm = useConfirm()
  return (item, status) => {
    const named = { name: item.title, status: statusName(status, t) }
    confirm({
      title: t('platform.register-page.status-question', named),
      consequence: t(settingDetail(register, status)),
      verb: named.status,
      act: async () => {
        await attempt(
          () => setItemStatus(register.register, item, status),
          t('platform.register-page.status-set', named),
        )
        await reload()
      },
    })
  }
}
