import { known } from '../../kernel/known.ts'

/** The register entry of an account, from the row that joins them; null if it has none. */
export function entryOf({
  record_id: id,
  register,
  title,
}: {
  record_id: string | null
  register: string | null
  title: string | null
}): { id: string; register: string; title: string } | null {
  return id === null
    ? null
    : { id, register: known(register, 'the register of an entry'), title: known(title, 'the title of an entry') }
}
