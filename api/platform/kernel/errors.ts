/**
 * An expected error with a code. The code is the problem code of the HTTP response, the BPMN error code, and the key of
 * the text for people. It is declared once, in `forms/<area>/errors.json`.
 */
export class BusinessError extends Error {
  readonly code: string
  /** Values for the placeholders of the text. */
  readonly values: Record<string, string | number>
  /** Per field: JSON pointer, and the text key of the error. */
  readonly fields: FieldError[]
  /** Additional members of the HTTP problem: what a program has to supply for the request to succeed. */
  readonly members: Record<string, unknown>
  constructor(
    code: string,
    values: Record<string, string | number> = {},
    fields: FieldError[] = [],
    members: Record<string, unknown> = {},
  ) {
    super(code)
    this.name = 'BusinessError'
    this.code = code
    this.values = values
    this.fields = fields
    this.members = members
  }
}

export interface FieldError {
  /** JSON pointer into the request, for example `/poc_nic`. */
  field: string
  /** Text key of the message. */
  code: string
  values?: Record<string, string | number>
}

/** An error in one field, also used as the message of the whole. */
export function wrongField(field: string, code: string, values: FieldError['values'] = {}): BusinessError {
  return new BusinessError(code, values, [{ field, code, values }])
}
