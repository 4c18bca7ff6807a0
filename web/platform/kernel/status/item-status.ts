import { hasText, type Translate } from '../texts/texts.ts'

/** The name of the status of a register entry; a status without a text stays as written. */
export function statusName(status: string, t: Translate): string {
  const key = `platform.item-status.${status.toLowerCase().replaceAll(' ', '-')}`
  return hasText(key) ? t(key) : status
}
