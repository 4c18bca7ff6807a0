/**
 * What a form or a register has checked, in the type that its schema describes. Nothing is checked again: the caller
 * knows by which schema it was.
 */
export function checkedAs<Checked>(data: unknown): Checked {
  return data as Checked
}
