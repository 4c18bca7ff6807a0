/** Casts validated data to the type of its schema. It does not validate again: the caller knows the schema. */
export function checkedAs<Checked>(data: unknown): Checked {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the caller knows the schema that the data has passed
  return data as Checked
}
