import { statusText } from '../../../../forms/platform/status-text.ts'

const files = import.meta.glob<Record<string, { states: string[] }>>('../../../../forms/*/statuses.json', {
  eager: true,
  import: 'default',
})

/** The states of a list such as `vouchers/voucher-stage`, in order, with their text keys. */
export function statesOf(list: string | undefined): { state: string; text: string }[] {
  const [area, name] = list?.split('/') ?? []
  const file = Object.entries(files).find(([path]) => path.endsWith(`/${area}/statuses.json`))
  if (!file || !name || !list) return []
  return (file[1][name]?.states ?? []).map((state) => ({
    state,
    text: statusText(list, state),
  }))
}
