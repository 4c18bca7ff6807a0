import type { FieldSchema } from './register.ts'

/** The inputs, outputs and errors of the worker behind a topic. */
export interface Topic {
  /** Required variables and input parameters. */
  needs: readonly string[]
  /** Variables that it sets. */
  gives: readonly string[]
  /** Format of the outputs, if there are any. */
  outputs?: Readonly<Record<string, FieldSchema>>
  /** Codes of its BPMN errors. */
  raises: readonly string[]
  /** For schedules, without a case; all others work on a case. */
  schedule?: true
}
