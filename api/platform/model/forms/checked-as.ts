/** Casts validated data to the type of its schema. It does not validate again: the caller knows the schema. */
export function checkedAs<Checked>(data: unknown): Checked {
  return data as Checked
}
