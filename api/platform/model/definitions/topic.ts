import type { FieldSchema } from './register.ts'

/** What the worker behind a topic needs, gives and may raise. */
export interface Topic {
  /** Variables and input parameters that it cannot do without. */
  needs: readonly string[]
  /** Variables that it sets. */
  gives: readonly string[]
  /** How each of these is written, where it sets any. */
  outputs?: Readonly<Record<string, FieldSchema>>
  /** Codes of the BPMN errors that it may raise. */
  raises: readonly string[]
  /** It works for schedules, without a case; all others work for a case. */
  schedule?: true
}
