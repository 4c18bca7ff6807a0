import { createContext, use } from 'react'
import type { FileName, FormSchema } from '../client/types.ts'
import type { FormValue } from './conditions.ts'
import type { Finding } from './checks.ts'

/** What a task's form is filled in from. */
export interface FormCase {
  data: object
  facts: object
  subject: object
  requester: { name: string }
  earlierDesks: { id: string; name: string; by: { name: string } }[]
}

/** What a form tells its fields. */
export interface Around {
  /** The message of a field, by its pointer. */
  errors: ReadonlyMap<string, string>
  idOf(pointer: string): string
  /** What the server has found of a field that it checks by itself. */
  found(pointer: string): Finding | undefined
  /** The whole form, for fields that mean something only beside another. */
  whole: { schema: FormSchema; value: FormValue }
  /** The case that a task's form is about. */
  of: FormCase | undefined
  /** Someone has left the field. */
  onLeave(pointer: string): void
  /** Sends a file where it is kept until the form is sent. */
  upload(body: FormData): Promise<FileName>
  /** Names the form to the server, so that it applies the limits of the form's fields to files; empty where there are none. */
  source: { form?: string; register?: string }
}

/** Set by the form, read by its fields. */
export const FormContext = createContext<Around | undefined>(undefined)

/** The form around a field. */
export const useForm = (): Around => {
  const around = use(FormContext)
  if (!around) throw new Error('a field stands outside a form')
  return around
}
