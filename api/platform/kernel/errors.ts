/**
 * An expected outcome with a code. The code is at once the problem code of the HTTP answer, the BPMN error code
 * and the key of the text that people read; so it is declared once, in `forms/<area>/errors.json`.
 */
export class BusinessError extends Error {
  readonly code: string
  /** Values for the placeholders of the text. */
  readonly values: Record<string, string | number>
  /** Per field: JSON pointer, and the text key of what is wrong. */
  readonly fields: FieldError[]
  /** Further members of the HTTP problem, for programs: what has to be answered before the request goes through. */
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
  /** JSON pointer into what was sent, such as `/poc_nic`. */
  field: string
  /** Text key of the message. */
  code: string
  values?: Record<string, string | number>
}

/** A refusal of one field of what was sent, in the words of the whole. */
export function wrongField(field: string, code: string, values: FieldError['values'] = {}): BusinessError {
  return new BusinessError(code, values, [{ field, code, values }])
}
