import type { FilterField, InboxFields } from '../../kernel/api/inbox.ts'
import { useRead } from '../../kernel/api/read.ts'
import { useSubstitutions } from '../../kernel/api/substitutions.ts'
import type { TaskRow } from '../../kernel/client/types.ts'
import { useMe } from '../../kernel/session/session.ts'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'

const useItemTitle = (register: string | undefined, id: string): string | undefined =>
  useRead<{ title: string }>(
    register && id ? `/api/registers/${register}/items/${encodeURIComponent(id)}?sensitive=false` : null,
  ).data?.title

/** The people the reader substitutes for now. */
export function useAbsent(): { id: string; name: string }[] {
  const me = useMe()
  const { items = [] } = useSubstitutions()
  const absent = items
    .filter(({ inForce, substitute }) => inForce && substitute.id === me.id)
    .map((each) => each.absent)
  return absent.filter(({ id }, at) => absent.findIndex((other) => other.id === id) === at)
}

/** A filter in words: its field and its value. */
export function useFilterName(
  name: string,
  value: string,
  fields: InboxFields | undefined,
  rows: readonly TaskRow[],
): { by: string; value: string } {
  const { t } = useTexts()
  const { money, date } = useFormats()
  const absent = useAbsent()
  const own = name.startsWith('filter.') ? fields?.fields.find((field) => `filter.${field.name}` === name) : undefined
  const item = useItemTitle(name === 'faculty' ? 'platform/faculty' : own?.register, value)
  if (name.startsWith('filter.')) return { by: own?.title ?? '…', value: own ? fieldValue(own) : '…' }
  return { by: t(`platform.inbox.by.${name}`), value: namedValue() ?? value }

  function fieldValue(field: FilterField): string {
    if (field.type === 'choice') return field.options?.find((each) => each.value === value)?.title ?? value
    if (field.type === 'boolean') return t(value === 'true' ? 'platform.yes' : 'platform.no')
    if (field.type === 'date') return date(value)
    return field.type === 'item' ? (item ?? '…') : value
  }

  function namedValue(): string | undefined {
    if (name === 'flow') return fields?.flows.find(({ key }) => key === value)?.title ?? '…'
    if (name === 'status') return fields?.statuses.find(({ key }) => key === value)?.text
    if (name === 'desk') return fields?.desks.find(({ key }) => key === value)?.title
    if (name === 'faculty') return item ?? '…'
    if (name === 'amountFrom' || name === 'amountTo') return money(Number(value))
    if (name === 'from' || name === 'until') return date(value)
    if (name === 'for') return absent.find(({ id }) => id === value)?.name ?? t('platform.inbox.one-person')
    return rows.find(({ requester }) => requester.id === value)?.requester.name ?? t('platform.inbox.one-person')
  }
}
